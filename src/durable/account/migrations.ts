import type { ObjectMigration } from '../object-migrations.ts';

/** Append only. */
export const accountMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      -- Keys, senders and plan as D1 last gave them.
      CREATE TABLE snapshot (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);

      -- Each sender as it last reported itself, and when it was last chosen.
      CREATE TABLE senders (
        number_id TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        phone_number TEXT,
        revision INTEGER NOT NULL,
        last_chosen_at INTEGER NOT NULL
      ) WITHOUT ROWID;

      CREATE TABLE key_usage (key_id TEXT PRIMARY KEY, last_used_at INTEGER NOT NULL) WITHOUT ROWID;

      -- Messages counted, by calendar month (UTC). exceeded_at: when quota.exceeded was last told.
      CREATE TABLE quota (period TEXT PRIMARY KEY, used INTEGER NOT NULL, exceeded_at INTEGER) WITHOUT ROWID;

      -- Sends that have been counted, until it is certain that their number has them and the read model too.
      CREATE TABLE admissions (
        message_id TEXT PRIMARY KEY,
        number_id TEXT NOT NULL,
        period TEXT NOT NULL,
        idempotency_day INTEGER,
        idempotency_key TEXT
      ) WITHOUT ROWID;

      -- First answers by Idempotency-Key. The day (since 1970) comes first, so that old ones go in one sweep.
      CREATE TABLE idempotency (
        day INTEGER NOT NULL,
        key TEXT NOT NULL,
        body_hash TEXT NOT NULL,
        at INTEGER NOT NULL,
        answer TEXT NOT NULL,
        PRIMARY KEY (day, key)
      ) WITHOUT ROWID;

      -- Messages whose count was given back, so that it is given back once.
      CREATE TABLE given_back (message_id TEXT PRIMARY KEY) WITHOUT ROWID;

      CREATE TABLE relay (seq INTEGER PRIMARY KEY, events TEXT NOT NULL);
    `,
  },
];
