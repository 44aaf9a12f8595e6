import Papa from 'papaparse';

/** Rows as CSV (RFC 4180), each with its end; nothing of none. A text that is a formula stands behind an apostrophe. */
export const csvOf = (rows: readonly (readonly (string | number | boolean | null)[])[]): string =>
  rows.length === 0
    ? ''
    : `${Papa.unparse(rows as unknown[][], { escapeFormulae: looksLikeFormula, newline: '\r\n' })}\r\n`;

/**
 * The beginning of a cell that a spreadsheet would execute (OWASP, "CSV Injection"), in full width too, and also if it is
 * guarded already. Anything may follow, even a line break.
 */
const looksLikeFormula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text as it was before an apostrophe guarded it. Of a text that begins as no formula it changes nothing. */
export const unguardedCell = (cell: string): string =>
  cell.startsWith("'") && looksLikeFormula.test(cell) ? cell.slice(1) : cell;
