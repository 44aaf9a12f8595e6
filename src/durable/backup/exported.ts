/*
 * An object in a backup: its schema as SQLite has it, its rows by table, its values by key and its alarm. This code does not
 * know what the tables are for, so a new table needs no change.
 */

/** What stands in one place of a row: blobs as base64. */
type ExportedValue = string | number | null | { blob: string };
export type ExportedRow = ExportedValue[];

/** A table that is exported row by row. */
export interface ExportedTable {
  name: string;
  columns: string[];
  /** The columns that a row is found by; of a table that has none of its own, its `rowid`, which then is a column too. */
  key: string[];
}

/** An entry of `sqlite_master`. */
export type SchemaEntry = { type: 'table' | 'index' | 'trigger' | 'view'; name: string; sql: string };

export interface ExportedSchema {
  entries: SchemaEntry[];
  tables: ExportedTable[];
}

/** A row that has changed since the export began: as it is now, or null where it is gone. */
export interface ExportedChange {
  table: string;
  key: ExportedRow;
  row: ExportedRow | null;
}

/** What an object holds beside its rows. */
export interface ExportedRest {
  values: [key: string, value: unknown][];
  /** The last number that each table with AUTOINCREMENT has given out. */
  sequences: { name: string; seq: number }[];
  /** Milliseconds since 1970; null: none is set. */
  alarmAt: number | null;
}

export type ExportStep =
  | { do: 'begin' }
  | { do: 'rows'; table: string; after: ExportedRow | null }
  /** `until`: as it was told at the beginning, so that of two copies at once each knows whether the changes are its own. */
  | { do: 'end'; until?: number };

export type ExportAnswer =
  | { is: 'begun'; schema: ExportedSchema; until: number }
  /** `next`: the key of the last row, to go on behind; null: that was the end of the table. */
  | { is: 'rows'; rows: ExportedRow[]; next: ExportedRow | null }
  /** `rest` null: more has changed, ask again. */
  | { is: 'changes'; changes: ExportedChange[]; rest: ExportedRest | null }
  /** Its tables are others than at the beginning: it has to be begun anew. */
  | { is: 'outdated' };

export type ImportStep =
  /** Empties the object first. */
  | { do: 'begin'; schema: ExportedSchema }
  | { do: 'rows'; table: ExportedTable; rows: ExportedRow[] }
  | { do: 'changes'; tables: ExportedTable[]; changes: ExportedChange[] }
  | { do: 'finish'; schema: ExportedSchema; rest: ExportedRest };

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The name of the key of a table that has none of its own. */
export const rowId = 'rowid';

/** The module of a virtual table, and whether it keeps its rows itself. */
export function isOwnerOfRows({ sql }: SchemaEntry): boolean {
  return !/^\s*CREATE VIRTUAL TABLE/i.test(sql) || !/\bcontent\s*=/i.test(sql);
}

export const isVirtual = ({ sql }: SchemaEntry): boolean => /^\s*CREATE VIRTUAL TABLE/i.test(sql);

export function exportedValue(value: unknown): ExportedValue {
  if (value instanceof ArrayBuffer) return { blob: Buffer.from(value).toString('base64') };
  if (ArrayBuffer.isView(value))
    return { blob: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  return (value ?? null) as string | number | null;
}

export function boundValue(value: ExportedValue): string | number | null | ArrayBuffer {
  if (value === null || typeof value !== 'object') return value;
  const bytes = Buffer.from(value.blob, 'base64');
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
