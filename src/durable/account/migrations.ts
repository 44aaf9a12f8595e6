import type { ObjectMigration } from '../object-migrations.ts';
import { tableRingSql } from '../table-ring.ts';
import { idempotencyRing } from './idempotency.ts';

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
  {
    id: '2-senders',
    sql: `
      -- Its shape has changed: it is loaded again.
      DELETE FROM snapshot;

      -- health: JSON. What a sender may still send, as it last said.
      ALTER TABLE senders DROP COLUMN last_chosen_at;
      ALTER TABLE senders ADD COLUMN health TEXT;
      ALTER TABLE senders ADD COLUMN daily_remaining INTEGER;
      ALTER TABLE senders ADD COLUMN per_minute REAL;

      -- Messages counted by day (UTC) and number, and the number's place in the rotation: one row written a send.
      -- checks: recipients looked up on the network.
      CREATE TABLE sends (
        day TEXT NOT NULL,
        number_id TEXT NOT NULL,
        used INTEGER NOT NULL DEFAULT 0,
        checks INTEGER NOT NULL DEFAULT 0,
        turn_start REAL NOT NULL DEFAULT 0,
        turn_end REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (day, number_id)
      ) WITHOUT ROWID;

      -- Who talks with which number. last_at: a message either way, to the minute. wrote_at: one from the other side.
      CREATE TABLE conversations (
        recipient TEXT NOT NULL,
        number_id TEXT NOT NULL,
        last_at INTEGER NOT NULL,
        wrote_at INTEGER,
        PRIMARY KEY (recipient, number_id)
      ) WITHOUT ROWID;

      -- opted_out 0: taken off again; the row keeps an older word that is told late from having an effect.
      CREATE TABLE opt_outs (
        phone_number TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        opted_out INTEGER NOT NULL,
        at INTEGER NOT NULL,
        number_id TEXT NOT NULL,
        word TEXT NOT NULL
      ) WITHOUT ROWID;

      CREATE TABLE recipient_checks (
        phone_number TEXT PRIMARY KEY,
        on_network INTEGER NOT NULL,
        at INTEGER NOT NULL
      ) WITHOUT ROWID;

      -- Messages that have moved to another number, each with its last move. settled 0: whether it arrived is not known.
      CREATE TABLE moves (
        message_id TEXT PRIMARY KEY,
        move INTEGER NOT NULL,
        from_number TEXT NOT NULL,
        to_number TEXT NOT NULL,
        settled INTEGER NOT NULL
      ) WITHOUT ROWID;

      CREATE TABLE housekeeping (id INTEGER PRIMARY KEY CHECK (id = 1), swept_at INTEGER NOT NULL);
    `,
  },
  {
    id: '3-books',
    sql: `
      -- What a send must not lose, one row a number: the counts of its latest day, its turn, what it may still send,
      -- the messages that are not known to have arrived. JSON.
      CREATE TABLE books (number_id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      INSERT INTO books
        SELECT number_id, json_object('pending', json_group_object(message_id, idempotency_key))
        FROM admissions GROUP BY number_id;
      DROP TABLE admissions;

      -- From now on the days that are over, by number; '' holds what was counted before numbers were.
      INSERT INTO sends (day, number_id, used)
        SELECT period || '-00', '', used - rest.counted FROM quota, (
          SELECT period AS month, (
            SELECT coalesce(sum(sends.used), 0) FROM sends WHERE substr(sends.day, 1, 7) = period
          ) AS counted FROM quota
        ) AS rest WHERE rest.month = period AND used > rest.counted;
      ALTER TABLE sends DROP COLUMN checks;
      ALTER TABLE sends DROP COLUMN turn_start;
      ALTER TABLE sends DROP COLUMN turn_end;
      ALTER TABLE quota DROP COLUMN used;

      ALTER TABLE idempotency RENAME TO idempotency_before;
      ${tableRingSql(idempotencyRing)}
      ${[0, 1, 2]
        .map(
          (index) =>
            `INSERT INTO idempotency_${index} (span, key, body_hash, at, answer)
               SELECT day, key, body_hash, at, answer FROM idempotency_before WHERE day % 3 = ${index};`,
        )
        .join('\n')}
      DROP TABLE idempotency_before;
    `,
  },
  {
    id: '4-relay-rows-used-again',
    sql: `
      -- In the newest row: which rows hold events that are confirmed.
      ALTER TABLE relay ADD COLUMN confirmed TEXT;
    `,
  },
];
