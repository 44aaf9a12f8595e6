import Papa from 'papaparse';
import { looksLikeFormula } from './formula-guard.ts';

/** Rows as CSV (RFC 4180), each with its end; nothing of none. A text that is a formula stands behind an apostrophe. */
export const csvOf = (rows: readonly (readonly (string | number | boolean | null)[])[]): string =>
  rows.length === 0
    ? ''
    : `${Papa.unparse(rows as unknown[][], { escapeFormulae: looksLikeFormula, newline: '\r\n' })}\r\n`;
