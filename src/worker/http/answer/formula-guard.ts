/**
 * What a cell begins with that a spreadsheet would run (OWASP, "CSV Injection"), in full width too; perhaps guarded already.
 * Whatever follows: also a line break.
 */
export const looksLikeFormula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text as it was before an apostrophe guarded it. Of a text that begins as no formula it changes nothing. */
export const unguardedCell = (cell: string): string =>
  cell.startsWith("'") && looksLikeFormula.test(cell) ? cell.slice(1) : cell;
