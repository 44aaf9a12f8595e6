import {
  boundValue,
  type ExportedRow,
  exportedValue,
  quoted,
  type SchemaEntry,
} from '../../durable/backup/exported.ts';

/** D1 as a backup holds it: with the schema that it had then. */
export interface DatabaseCopy {
  entries: SchemaEntry[];
  tables: { name: string; columns: string[]; rows: ExportedRow[] }[];
}

/** Statements in one batch. */
const batchMax = 50;
/** Whoever has signed in since would be signed out in what is restored, and whoever was signed out in: all sign in anew. */
const notRestored = ['sessions', 'mailed_tokens'];
/** Last: as long as there is no account, a restore can be begun anew. */
const lastTable = 'accounts';

/** All of it, in one transaction: a few rows an account. */
export async function copyDatabase(db: D1Database): Promise<DatabaseCopy> {
  const { results } = await db
    .prepare('SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL')
    .all<SchemaEntry>();
  const entries = results.filter(({ name }) => !/^(sqlite_|_cf_)/.test(name));
  const names = entries.filter(({ type }) => type === 'table').map(({ name }) => name);
  const answers = await db.batch<Record<string, unknown>>([
    ...names.map((name) => db.prepare(`SELECT * FROM ${quoted(name)}`)),
    ...names.map((name) => db.prepare(`PRAGMA table_info(${quoted(name)})`)),
  ]);
  const tables = names.map((name, index) => {
    const columns = (answers[names.length + index]?.results ?? []).map((column) => String(column.name));
    const rows = (answers[index]?.results ?? []).map((row) =>
      columns.map((column) =>
        exportedValue(Array.isArray(row[column]) ? new Uint8Array(row[column]) : row[column]),
      ),
    );
    return { name, columns, rows };
  });
  return { entries, tables };
}

/** Whether nobody has an account here. */
export async function isEmptyDatabase(db: D1Database): Promise<boolean> {
  const isThere = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'accounts'";
  if ((await db.prepare(isThere).all()).results.length === 0) return true;
  return (await db.prepare('SELECT 1 FROM accounts LIMIT 1').all()).results.length === 0;
}

/** The steps of the schema that have been made here. */
export async function databaseSteps(db: D1Database): Promise<string[]> {
  const isThere = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'd1_migrations'";
  if ((await db.prepare(isThere).all()).results.length === 0) return [];
  const { results } = await db.prepare('SELECT name FROM d1_migrations ORDER BY id').all<{ name: string }>();
  return results.map(({ name }) => name);
}

/**
 * Replaces the contents of the database with the copy. The objects learn all of it when they wake, since each account has a
 * revision above any that they know.
 */
export async function restoreDatabase(db: D1Database, copy: DatabaseCopy, now: number): Promise<void> {
  const there = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string }>();
  const old = there.results.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_)/.test(name));
  const byType = (isTable: boolean) => copy.entries.filter(({ type }) => (type === 'table') === isTable);
  await db.batch([
    ...old.map((name) => db.prepare(`DROP TABLE ${quoted(name)}`)),
    ...[...byType(true), ...byType(false)].map(({ sql }) => db.prepare(sql)),
  ]);
  const tables = copy.tables.filter(({ name }) => !notRestored.includes(name));
  const inserts = [
    ...tables.filter((it) => it.name !== lastTable),
    ...tables.filter((it) => it.name === lastTable),
  ];
  const statements = inserts.flatMap(({ name, columns, rows }) =>
    rows.map((row) =>
      db
        .prepare(
          `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        )
        .bind(...row.map(boundValue)),
    ),
  );
  for (let start = 0; start < statements.length; start += batchMax)
    await db.batch(statements.slice(start, start + batchMax));
  await db
    .prepare('UPDATE accounts SET revision = max(revision + 1, ?), refreshed_revision = 0')
    .bind(now)
    .run();
}
