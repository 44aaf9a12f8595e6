/** One step of an object's schema. Steps are append-only: one that has run anywhere is never edited. */
export interface ObjectMigration {
  id: string;
  sql: string;
}

/**
 * Brings an object's SQLite up to date, in one transaction. Steps only add. So steps of a newer version beyond `migrations`
 * are left as they are, and a deploy can be rolled back. Throws if an earlier step is a different one: then this code must not
 * touch the data. `upTo` stops after that step, for tests with old rows.
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
    for (const [position, { id, sql }] of migrations.entries()) {
      const ranHere = ran[position];
      if (ranHere !== undefined && ranHere !== id) {
        throw new Error(`object migration ${position} is "${id}", but "${ranHere}" ran here`);
      }
      if (ranHere === undefined) {
        storage.sql.exec(sql);
        storage.sql.exec('INSERT INTO object_migrations VALUES (?, ?)', position, id);
      }
      if (id === upTo) return;
    }
  });
}
