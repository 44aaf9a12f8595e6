import type { ObjectMigration } from '../object-migrations.ts';

/** Append only. */
export const bridgeFleetMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      CREATE TABLE bridges (
        bridge_id TEXT PRIMARY KEY,
        capacity INTEGER NOT NULL,
        draining INTEGER NOT NULL
      ) WITHOUT ROWID;

      -- Which bridge drives which number. bridge_id is null while none can; epoch rises with every new holder, and is
      -- kept when a number is released, so that it never falls.
      CREATE TABLE leases (
        number_id TEXT PRIMARY KEY,
        bridge_id TEXT,
        epoch INTEGER NOT NULL,
        wanted INTEGER NOT NULL
      ) WITHOUT ROWID;
    `,
  },
];
