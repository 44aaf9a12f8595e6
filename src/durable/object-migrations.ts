/** One step of an object's schema. Steps are append-only: one that has run anywhere is never edited. */
export interface ObjectMigration {
  id: string;
  sql: string;
}

/**
 * Brings an object's SQLite up to date, in one transaction. Throws when what ran before is not the beginning of
 * `migrations`: then this code must not touch the data. `upTo` stops after that step, for tests with old rows in place.
 */
export function migrateObject(
  storage: DurableObjectStorage,
  migrations: readonly ObjectMigration[],
  upTo?: string,
): void {
  storage.transactionSync(() => {
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS object_migrations (position INTEGER PRIMARY KEY, id TEXT NOT NULL)',
    );
    const ran = storage.sql
      .exec<{ id: string }>('SELECT id FROM object_migrations ORDER BY position')
      .toArray()
      .map((row) => row.id);
    ran.forEach((id, position) => {
      if (migrations[position]?.id !== id) {
        throw new Error(
          `object migration ${position} is "${migrations[position]?.id}", but "${id}" ran here`,
        );
      }
    });
    for (const [position, { id, sql }] of migrations.entries()) {
      if (position >= ran.length) {
        storage.sql.exec(sql);
        storage.sql.exec('INSERT INTO object_migrations VALUES (?, ?)', position, id);
      }
      if (id === upTo) return;
    }
  });
}
