import {
  boundValue,
  type ExportedChange,
  type ExportedRest,
  type ExportedRow,
  type ExportedSchema,
  type ExportedTable,
  type ImportStep,
  isOwnerOfRows,
  isVirtual,
  quoted,
  type SchemaEntry,
} from './exported.ts';

/**
 * Restores an object from the result of {@link exportObject}. It gets the schema of that time, and newer code brings it up to
 * date when it wakes, as with any object of an older release. Starting an import empties the object, so an interrupted import
 * can be started again.
 */
export async function importObject(storage: DurableObjectStorage, step: ImportStep): Promise<void> {
  if (step.do === 'begin') return begin(storage, step.schema);
  if (step.do === 'rows') return storage.transactionSync(() => insertAll(storage, step.table, step.rows));
  if (step.do === 'changes')
    return storage.transactionSync(() => applyChanges(storage, step.tables, step.changes));
  return finish(storage, step.schema, step.rest);
}

async function begin(storage: DurableObjectStorage, { entries }: ExportedSchema): Promise<void> {
  await storage.deleteAll();
  storage.transactionSync(() => {
    for (const { sql } of entries.filter(({ type }) => type === 'table')) storage.sql.exec(sql);
  });
}

function insertAll(storage: DurableObjectStorage, table: ExportedTable, rows: readonly ExportedRow[]): void {
  const columns = table.columns.map(quoted).join(', ');
  const places = table.columns.map(() => '?').join(', ');
  const insert = `INSERT OR REPLACE INTO ${quoted(table.name)} (${columns}) VALUES (${places})`;
  for (const row of rows) storage.sql.exec(insert, ...row.map(boundValue));
}

function applyChanges(
  storage: DurableObjectStorage,
  tables: readonly ExportedTable[],
  changes: readonly ExportedChange[],
): void {
  for (const { table: name, key, row } of changes) {
    const table = tables.find((it) => it.name === name);
    if (table === undefined) throw new Error(`the backup has a change of a table that it has not: ${name}`);
    const where = table.key.map((column) => `${quoted(column)} IS ?`).join(' AND ');
    storage.sql.exec(`DELETE FROM ${quoted(name)} WHERE ${where}`, ...key.map(boundValue));
    if (row !== null) insertAll(storage, table, [row]);
  }
}

async function finish(
  storage: DurableObjectStorage,
  { entries }: ExportedSchema,
  { values, sequences, alarmAt }: ExportedRest,
): Promise<void> {
  storage.transactionSync(() => {
    for (const { type, sql } of entries) if (type !== 'table') storage.sql.exec(sql);
    for (const entry of entries.filter(isIndexOfOthers))
      storage.sql.exec(`INSERT INTO ${quoted(entry.name)} (${quoted(entry.name)}) VALUES ('rebuild')`);
    for (const { name, seq } of sequences) {
      storage.sql.exec('DELETE FROM sqlite_sequence WHERE name = ?', name);
      storage.sql.exec('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, seq);
    }
    for (const [key, value] of values) storage.kv.put(key, value);
  });
  // It wakes in its own class, and finds out itself what is due.
  if (alarmAt !== null) await storage.setAlarm(Date.now());
}

/** An FTS5 index over another table of the object: `content = 'chunks'`. One without any content is made by whoever owns it. */
const isIndexOfOthers = (entry: SchemaEntry): boolean =>
  isVirtual(entry) && !isOwnerOfRows(entry) && !/content\s*=\s*''/i.test(entry.sql);
