import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a D1 database that migrating needs. */
export interface MigratableDatabase {
  prepare(sql: string): MigrationStatement;
  batch(statements: MigrationStatement[]): Promise<unknown>;
}
export interface MigrationStatement {
  bind(...values: unknown[]): MigrationStatement;
  all(): Promise<{ results: Record<string, unknown>[] }>;
  run(): Promise<unknown>;
}

/**
 * Applies what is new in `migrations/` and records it in the table that `wrangler d1 migrations apply` keeps, each
 * file with its record in one batch: repeating it changes nothing. Resolves the names that were applied now.
 */
export async function applyMigrations(database: MigratableDatabase, folder: string): Promise<string[]> {
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (
         id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all();
  const applied = new Set(results.map((row) => row.name));
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .sort();
  for (const name of names) {
    const statements = readFileSync(join(folder, name), 'utf8')
      .split('--> statement-breakpoint')
      .map((sql) => sql.trim())
      .filter((sql) => sql !== '');
    await database.batch([
      ...statements.map((sql) => database.prepare(sql)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
  return names;
}
