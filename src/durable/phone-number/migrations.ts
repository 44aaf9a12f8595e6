import { logOutboxSql } from '../hand-over/log-outbox.ts';
import type { ObjectMigration } from '../storage/object-migrations.ts';

/** Append only. */
export const phoneNumberMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      CREATE TABLE device (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);

      -- Settings, pace and health of the sender, which batches it has taken: a record a name.
      CREATE TABLE number_state (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;

      -- Messages from their hand-over by the account until the log knows what became of them. Their ids sort by age.
      -- handed_to: the bridge that was given it last; null: it certainly never left. hand_over counts these times.
      CREATE TABLE queue (
        message_id TEXT PRIMARY KEY,
        message TEXT NOT NULL,
        handed_to TEXT,
        handed_at INTEGER,
        hand_over INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID;

      -- What the account is still to be told, in order. A number is never used twice: the account knows a repeat by it.
      CREATE TABLE account_notes (seq INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT NOT NULL);

      -- When the number and a recipient last wrote to each other, as far as pacing needs it.
      CREATE TABLE chats (recipient TEXT PRIMARY KEY, last_out_at INTEGER, last_in_at INTEGER) WITHOUT ROWID;

      CREATE TABLE health_changes (
        seq INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        status TEXT NOT NULL,
        reason TEXT,
        until INTEGER
      );

      -- Session credentials and Signal keys, sealed by the bridge: this object cannot read them.
      CREATE TABLE vault (key TEXT PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID;

      ${logOutboxSql}
    `,
  },
  {
    id: '2-groups',
    sql: `
      -- The groups that the number is in. json: the group, its members included. notices: the last that told of it.
      CREATE TABLE groups (group_id TEXT PRIMARY KEY, json TEXT NOT NULL, notices TEXT NOT NULL) WITHOUT ROWID;
    `,
  },
  {
    id: '3-inbound-media',
    sql: `
      -- Messages that came with a file, until that is at the edge or is given up. tell_at: when the log is told without it;
      -- null: it was. ask_at: when the bridge is asked for it; attempts: how often it was.
      CREATE TABLE inbound_media (
        media_id TEXT PRIMARY KEY,
        message TEXT NOT NULL,
        tell_at INTEGER,
        ask_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        received_at INTEGER NOT NULL
      ) WITHOUT ROWID;
    `,
  },
  {
    id: '4-other-bridges',
    sql: `
      -- Whether bridges before the last one were given it, too, and may have sent it.
      ALTER TABLE queue ADD COLUMN at_others INTEGER NOT NULL DEFAULT 0;
    `,
  },
];
