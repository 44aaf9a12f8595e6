import { logOutboxSql } from '../hand-over/log-outbox.ts';
import type { ObjectMigration } from '../storage/object-migrations.ts';

/** Append only. */
export const campaignMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      -- What it is to do, as JSON: written when it is made or changed.
      CREATE TABLE definition (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
      -- How far it is, as JSON: written with everything that happens.
      CREATE TABLE progress (id INTEGER PRIMARY KEY, json TEXT NOT NULL);

      -- A row for each that it is for, under the phone number: so nobody is there twice. What an erased one is under is
      -- below 0. state: see recipients/recipient-steps.ts. vals: what the texts say of them, as JSON.
      CREATE TABLE recipients (
        id INTEGER PRIMARY KEY,
        contact_id TEXT,
        state INTEGER NOT NULL,
        variant INTEGER,
        zone INTEGER NOT NULL,
        vals TEXT,
        reason TEXT,
        error_message TEXT,
        attempt INTEGER NOT NULL DEFAULT 1,
        message_id TEXT,
        number_id TEXT,
        sent_at INTEGER,
        delivered_at INTEGER,
        read_at INTEGER,
        failed_at INTEGER,
        replied_at INTEGER,
        opted_out_at INTEGER
      );
      -- Whose turn it is, and whose message is under way.
      CREATE INDEX recipients_pending ON recipients (zone) WHERE state = 0;
      CREATE INDEX recipients_queued ON recipients (state) WHERE state = 2;

      -- Time zones that recipients live by; several where it is only known that it is one of them. zones: JSON.
      CREATE TABLE zones (id INTEGER PRIMARY KEY, zones TEXT NOT NULL UNIQUE);

      ${logOutboxSql}
    `,
  },
  {
    id: '2-aliases',
    // Whose message it is, of those who are known by an alias: recipient.ts.
    sql: 'CREATE INDEX recipients_of_alias ON recipients (message_id) WHERE id >= 1000000000000000',
  },
  {
    id: '3-addresses',
    sql: `
      -- The digits to which their message goes, where the network has others than those that the row is under.
      ALTER TABLE recipients ADD COLUMN address INTEGER;
      CREATE INDEX recipients_by_address ON recipients (address) WHERE address IS NOT NULL;
    `,
  },
];
