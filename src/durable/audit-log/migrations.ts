import type { ObjectMigration } from '../storage/object-migrations.ts';

/** Append only. */
export const auditLogMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        actor TEXT NOT NULL,
        actor_name TEXT,
        action TEXT NOT NULL,
        target TEXT NOT NULL,
        target_name TEXT,
        address TEXT,
        request_id TEXT NOT NULL,
        previous_hash TEXT NOT NULL,
        hash TEXT NOT NULL
      );
      CREATE TRIGGER entries_update BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
      CREATE TRIGGER entries_delete BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
    `,
  },
];
