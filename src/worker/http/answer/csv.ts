import Papa from 'papaparse';

/**
 * What a cell begins with that a spreadsheet would run (OWASP, "CSV Injection"), in full width too. Whatever follows: the
 * library's own rule lets a formula through that has a line break.
 */
const formulaBegin = /^[=+\-@\t\r\n＝＋－＠]/;

/** Rows as CSV (RFC 4180), each with its end; nothing of none. A text that is a formula stands behind an apostrophe. */
export const csvOf = (rows: readonly (readonly (string | number | boolean | null)[])[]): string =>
  rows.length === 0
    ? ''
    : `${Papa.unparse(rows as unknown[][], { escapeFormulae: formulaBegin, newline: '\r\n' })}\r\n`;
