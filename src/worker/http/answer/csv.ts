import Papa from 'papaparse';
import { guardedCell } from './formula-guard.ts';

type Cell = string | number | boolean | null;

/** Rows as CSV (RFC 4180), each with its end; nothing of none. A text that is a formula stands behind an apostrophe. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.length === 0
    ? ''
    : `${Papa.unparse(rows.map((row) => row.map(guarded)) as unknown[][], { newline: '\r\n' })}\r\n`;

const guarded = (cell: Cell) => (typeof cell === 'string' ? guardedCell(cell) : cell);
