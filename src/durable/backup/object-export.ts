import {
  type ExportAnswer,
  type ExportedChange,
  type ExportedRest,
  type ExportedRow,
  type ExportedSchema,
  type ExportedTable,
  type ExportStep,
  exportedValue,
  isOwnerOfRows,
  isVirtual,
  quoted,
  rowId,
  type SchemaEntry,
} from './exported.ts';

/** Of one answer; the platform carries 32 MiB. */
const answerCharactersMax = 4_000_000;
const rowsMax = 5_000;
/** Read at once: each may be as large as 2 MB. */
const rowsAtOnce = 20;
/** So long an export may take: then the changes are noted no more, whether it was ended or not. */
const noteSeconds = 6 * 3600;

const notes = 'backup_changes';
const shadowSuffixes = ['data', 'idx', 'content', 'docsize', 'config'];

type Storage = Pick<DurableObjectStorage, 'sql' | 'kv' | 'transactionSync' | 'getAlarm'>;

/**
 * A consistent copy of an object that continues to work, in slices of a few megabytes. First its tables are read by key, while
 * triggers record which rows change. Then the changed rows are read, until the rest fits into one response. That last response
 * is one turn of the object, and with it the copy is the object as it was in that turn. A row that does not change costs
 * nothing to copy; one that does costs one more row.
 */
export async function exportObject(storage: Storage, step: ExportStep): Promise<ExportAnswer> {
  if (step.do === 'begin') return begin(storage);
  if (step.do === 'rows') return readRows(storage, step.table, step.after);
  const alarmAt = await storage.getAlarm();
  return end(storage, alarmAt, step.until);
}

function begin(storage: Storage): ExportAnswer {
  return storage.transactionSync(() => {
    forgetNotes(storage);
    const schema = readSchema(storage);
    storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS ${notes} (tbl TEXT NOT NULL, row_key TEXT NOT NULL, PRIMARY KEY (tbl, row_key)) WITHOUT ROWID`,
    );
    // In the schema's own text, so that it is known later which schema it was.
    const until = Date.now() / 1000 + noteSeconds;
    for (const [index, table] of noted(schema).entries()) createTriggers(storage, table, index, until);
    return { is: 'begun' as const, schema, until };
  });
}

/**
 * Virtual tables cannot have triggers. Those that keep rows are indexes of another table, with the same row ids: their rows
 * are read again together with the rows of that table.
 */
const noted = ({ entries, tables }: ExportedSchema): ExportedTable[] =>
  tables.filter(({ name }) => !entries.some((entry) => entry.name === name && isVirtual(entry)));

function createTriggers(storage: Storage, table: ExportedTable, index: number, until: number): void {
  const keyOf = (row: 'NEW' | 'OLD') =>
    `json_array(${table.key.map((column) => `${row}.${quoted(column)}`).join(', ')})`;
  const name = `'${table.name.replaceAll("'", "''")}'`;
  // Not OR IGNORE: in a trigger the conflict clause of the statement that fires it counts, and an upsert would fail.
  const note = (row: 'NEW' | 'OLD') =>
    `INSERT INTO ${notes} SELECT ${name}, ${keyOf(row)}
       WHERE NOT EXISTS (SELECT 1 FROM ${notes} WHERE tbl = ${name} AND row_key = ${keyOf(row)});`;
  for (const [act, what] of [
    ['insert', note('NEW')],
    ['update', note('OLD') + note('NEW')],
    ['delete', note('OLD')],
  ])
    storage.sql.exec(
      `CREATE TRIGGER backup_${act}_${index} AFTER ${act} ON ${quoted(table.name)}
       WHEN unixepoch() < ${until} BEGIN ${what} END`,
    );
}

function readRows(storage: Storage, name: string, after: ExportedRow | null): ExportAnswer {
  const table = readSchema(storage).tables.find((it) => it.name === name);
  if (table === undefined) return { is: 'outdated' };
  const key = table.key.map(quoted).join(', ');
  const places = table.key.map(() => '?').join(', ');
  const select = `SELECT ${table.columns.map(quoted).join(', ')} FROM ${quoted(name)}`;
  const rows: ExportedRow[] = [];
  let characters = 0;
  let next = after;
  // Each page is read to its end: a statement that is left half-way would be in the way of others.
  for (;;) {
    const where = next === null ? '' : `WHERE (${key}) > (${places})`;
    const page = storage.sql
      .exec(
        `${select} ${where} ORDER BY ${key} LIMIT ${rowsAtOnce}`,
        ...((next ?? []) as (string | number | null)[]),
      )
      .toArray()
      .map((values) => table.columns.map((column) => exportedValue(values[column])));
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < rowsAtOnce) return { is: 'rows', rows, next: null };
    next = keyOfRow(table, last);
    characters += JSON.stringify(page).length;
    if (characters > answerCharactersMax || rows.length >= rowsMax) return { is: 'rows', rows, next };
  }
}

const keyOfRow = (table: ExportedTable, row: ExportedRow): ExportedRow =>
  table.key.map((column) => row[table.columns.indexOf(column)] ?? null);

function end(storage: Storage, alarmAt: number | null, until?: number): ExportAnswer {
  return storage.transactionSync(() => {
    const schema = readSchema(storage);
    // Another copy has begun since: the changes are its own.
    if (until !== undefined && notedUntil(storage).some((it) => it !== until))
      return { is: 'outdated' as const };
    if (!isNoted(storage, schema)) {
      forgetNotes(storage);
      return { is: 'outdated' as const };
    }
    const changes: ExportedChange[] = [];
    let characters = 0;
    const noteRows = storage.sql.exec<{ tbl: string; row_key: string }>(
      `SELECT tbl, row_key FROM ${notes} LIMIT ${rowsMax}`,
    );
    const taken: { tbl: string; row_key: string }[] = [];
    const indexes = schema.tables.filter((table) => !noted(schema).includes(table));
    for (const note of noteRows.toArray()) {
      const table = schema.tables.find(({ name }) => name === note.tbl);
      if (table === undefined) continue;
      const key = JSON.parse(note.row_key) as ExportedRow;
      for (const one of [table, ...(key.length === 1 && typeof key[0] === 'number' ? indexes : [])]) {
        const change = { table: one.name, key, row: findRow(storage, one, key) };
        changes.push(change);
        characters += JSON.stringify(change).length;
      }
      taken.push(note);
      if (characters > answerCharactersMax) break;
    }
    for (const { tbl, row_key } of taken)
      storage.sql.exec(`DELETE FROM ${notes} WHERE tbl = ? AND row_key = ?`, tbl, row_key);
    if (storage.sql.exec(`SELECT 1 FROM ${notes} LIMIT 1`).toArray().length > 0)
      return { is: 'changes' as const, changes, rest: null };
    const rest = readRest(storage, alarmAt);
    forgetNotes(storage);
    return { is: 'changes' as const, changes, rest };
  });
}

function findRow(storage: Storage, table: ExportedTable, key: ExportedRow): ExportedRow | null {
  const where = table.key.map((column) => `${quoted(column)} IS ?`).join(' AND ');
  const [row] = storage.sql
    .exec(
      `SELECT ${table.columns.map(quoted).join(', ')} FROM ${quoted(table.name)} WHERE ${where}`,
      ...(key as (string | number | null)[]),
    )
    .toArray();
  return row === undefined ? null : table.columns.map((column) => exportedValue(row[column]));
}

/** Whether every table of now was watched from the beginning on: one that was dropped and made anew is not. */
function isNoted(storage: Storage, schema: ExportedSchema): boolean {
  const count = (like: string) =>
    storage.sql
      .exec<{ n: number }>(
        `SELECT count(*) AS n FROM sqlite_master WHERE type = 'trigger' AND name GLOB '${like}'`,
      )
      .one().n;
  if (count('backup_insert_*') !== noted(schema).length) return false;
  const triggers = storage.sql
    .exec<{ tbl_name: string; sql: string }>(
      "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'backup_insert_*'",
    )
    .toArray();
  const now = Date.now() / 1000;
  return noted(schema).every(({ name }) =>
    triggers.some(({ tbl_name, sql }) => tbl_name === name && untilOf(sql) > now),
  );
}

/** Until when a trigger notes changes, in seconds since 1970. */
const untilOf = (sql: string): number => Number(/unixepoch\(\) < ([\d.]+)/.exec(sql)?.[1] ?? 0);

const notedUntil = (storage: Storage): number[] =>
  storage.sql
    .exec<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'backup_insert_*'",
    )
    .toArray()
    .map(({ sql }) => untilOf(sql));

function forgetNotes(storage: Storage): void {
  const triggers = storage.sql.exec<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'backup_*'",
  );
  for (const { name } of triggers.toArray()) storage.sql.exec(`DROP TRIGGER ${quoted(name)}`);
  // The table stays: to drop one fails while any statement of the object is not read to its end.
  const isThere = storage.sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', notes).toArray().length > 0;
  if (isThere) storage.sql.exec(`DELETE FROM ${notes}`);
}

function readRest(storage: Storage, alarmAt: number | null): ExportedRest {
  const hasSequences =
    storage.sql.exec("SELECT 1 FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%' LIMIT 1").toArray()
      .length > 0;
  const sequences = hasSequences
    ? storage.sql.exec<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').toArray()
    : [];
  return { values: [...storage.kv.list()], sequences, alarmAt };
}

function readSchema(storage: Storage): ExportedSchema {
  const all = storage.sql
    .exec<SchemaEntry>('SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid')
    .toArray();
  const shadows = new Set(
    all.filter(isVirtual).flatMap(({ name }) => shadowSuffixes.map((suffix) => `${name}_${suffix}`)),
  );
  const isOwn = ({ name }: SchemaEntry) => !/^(sqlite_|_cf_|__cf_|backup_)/.test(name) && !shadows.has(name);
  const entries = all.filter(isOwn).map(({ type, name, sql }) => ({ type, name, sql }));
  const tables = entries
    .filter((entry) => entry.type === 'table' && isOwnerOfRows(entry))
    .map((entry) => describeTable(storage, entry));
  return { entries, tables };
}

function describeTable(storage: Storage, entry: SchemaEntry): ExportedTable {
  const columns = storage.sql
    .exec<{ name: string; pk: number; type: string }>(`PRAGMA table_info(${quoted(entry.name)})`)
    .toArray();
  const names = columns.map(({ name }) => name);
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const isIntegerKey = key.length === 1 && key[0]?.type.toUpperCase() === 'INTEGER';
  const isWithoutRowId = /WITHOUT\s+ROWID/i.test(entry.sql);
  if (isIntegerKey || isWithoutRowId)
    return { name: entry.name, columns: names, key: key.map(({ name }) => name) };
  return { name: entry.name, columns: [rowId, ...names], key: [rowId] };
}
