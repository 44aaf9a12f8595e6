/**
 * What a cell begins with that a spreadsheet would run (OWASP, "CSV Injection"), in full width too; perhaps guarded already.
 * Whatever follows: also a line break.
 */
const looksLikeFormula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text as a cell that no spreadsheet runs: behind an apostrophe where it begins as a formula does. */
export const guardedCell = (text: string): string => (looksLikeFormula.test(text) ? `'${text}` : text);

/** What {@link guardedCell} was made of. Of a text that begins as no formula it changes nothing. */
export const unguardedCell = (cell: string): string =>
  cell.startsWith("'") && looksLikeFormula.test(cell) ? cell.slice(1) : cell;
