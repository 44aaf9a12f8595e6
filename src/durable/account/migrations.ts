import { logOutboxSql } from '../hand-over/log-outbox.ts';
import type { ObjectMigration } from '../storage/object-migrations.ts';
import { tableRingSql } from '../storage/table-ring.ts';
import { idempotencyRing } from './admission/idempotency.ts';
import { aliasesSql } from './recipients/aliases.ts';

/** Append only. */
export const accountMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      -- Keys, settings and plan as D1 last gave them, and the revision of them.
      CREATE TABLE snapshot (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        revision INTEGER NOT NULL,
        json TEXT NOT NULL
      );
      -- The numbers of the snapshot: JSON of what D1 says about each.
      CREATE TABLE sender_snapshots (number_id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;

      CREATE TABLE key_usage (key_id TEXT PRIMARY KEY, last_used_at INTEGER NOT NULL) WITHOUT ROWID;

      -- Each number as a sender. Rows stay when a number is deleted: what it repeats late must change nothing.
      -- report: JSON, as it was last heard. heard_up_to: the last of its notes that was taken.
      -- away_since: when it was first heard that it cannot send.
      -- batch_number: of the last batch that was made for it. batch: JSON of the message ids in it, until it is taken.
      -- taken_up_to: the last batch that room and daily_remaining count.
      -- backlog: rows in accepted. expires_at: no row of them is over its time before that.
      -- tried_revision: the report after which a number that rests was tried with a message.
      CREATE TABLE senders (
        number_id TEXT PRIMARY KEY,
        report TEXT,
        heard_up_to INTEGER NOT NULL,
        away_since INTEGER,
        batch_number INTEGER NOT NULL,
        batch TEXT,
        taken_up_to INTEGER NOT NULL,
        room INTEGER NOT NULL,
        daily_remaining INTEGER,
        backlog INTEGER NOT NULL,
        expires_at INTEGER,
        turn_start REAL NOT NULL,
        turn_end REAL NOT NULL,
        tried_revision INTEGER
      ) WITHOUT ROWID;

      -- Accepted messages until their number has taken them. kind: 'answer' to somebody who wrote within a day,
      -- 'ongoing' in a chat, 'new' begins one; a limit for the day or for new chats holds only some of them.
      CREATE TABLE accepted (
        number_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        message_id TEXT NOT NULL,
        may_move INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (number_id, kind, message_id)
      ) WITHOUT ROWID;

      ${logOutboxSql}

      -- Messages counted by day (UTC) and number. checks: recipients that it has looked up on the network.
      CREATE TABLE sends (
        day TEXT NOT NULL,
        number_id TEXT NOT NULL,
        used INTEGER NOT NULL DEFAULT 0,
        checks INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (day, number_id)
      ) WITHOUT ROWID;

      -- When quota.exceeded was last told in a period.
      CREATE TABLE quota (period TEXT PRIMARY KEY, exceeded_at INTEGER NOT NULL) WITHOUT ROWID;

      -- First answers by Idempotency-Key.
      ${tableRingSql(idempotencyRing)}

      -- Who talks with which number. last_at: a message either way. wrote_at: one from the other side.
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

      -- What numbers have told and could not be stored, for a person to look at.
      CREATE TABLE parked_notes (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, note TEXT NOT NULL, error TEXT NOT NULL);

      -- Where in the world the account is used from: its numbers' objects are made there.
      CREATE TABLE location (id INTEGER PRIMARY KEY CHECK (id = 1), hint TEXT NOT NULL);

      CREATE TABLE housekeeping (id INTEGER PRIMARY KEY CHECK (id = 1), swept_at INTEGER NOT NULL);
    `,
  },
  {
    id: '2-send-at',
    sql: `
      -- recipient: what follows a message that begins a chat must not overtake it. not_before: of a message with
      -- sendAt; its kind is 'later' until then.
      ALTER TABLE accepted ADD COLUMN recipient TEXT;
      ALTER TABLE accepted ADD COLUMN not_before INTEGER;
      CREATE INDEX accepted_new ON accepted (number_id, recipient) WHERE kind = 'new';
      CREATE INDEX accepted_later ON accepted (not_before, message_id) WHERE kind = 'later';
      CREATE INDEX accepted_over ON accepted (number_id, expires_at) WHERE not_before IS NOT NULL;
    `,
  },
  {
    id: '3-quota-warning',
    sql: `
      -- When it was told that most of a period's quota is used.
      ALTER TABLE quota ADD COLUMN warned_at INTEGER;
    `,
  },
  {
    id: '4-file-fetches',
    sql: `
      -- Messages that wait for their file. ring_at: when the queue of fetches is rung for it, again or for the first time.
      CREATE TABLE file_fetches (message_id TEXT PRIMARY KEY, ring_at INTEGER NOT NULL) WITHOUT ROWID;
    `,
  },
  {
    id: '5-lanes',
    sql: `
      -- What others than API keys send bears its lane in its kind: 'person.answer', 'campaign.new'.
      CREATE INDEX accepted_new_person ON accepted (number_id, recipient) WHERE kind = 'person.new';
      CREATE INDEX accepted_new_machine ON accepted (number_id, recipient) WHERE kind = 'machine.new';
      CREATE INDEX accepted_new_campaign ON accepted (number_id, recipient) WHERE kind = 'campaign.new';
    `,
  },
  {
    id: '6-people-first',
    sql: `
      -- When a person of the account has last written to somebody from a number.
      CREATE TABLE person_sends (
        recipient TEXT NOT NULL,
        number_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (recipient, number_id)
      ) WITHOUT ROWID;
    `,
  },
  {
    id: '7-campaign-messages',
    sql: `
      -- Where a message of a campaign waits, wherever it has moved.
      CREATE INDEX accepted_campaign ON accepted (message_id)
        WHERE kind IN ('campaign.answer', 'campaign.ongoing', 'campaign.new');
    `,
  },
  {
    id: '8-recipient-addresses',
    sql: `
      -- The digits by which the network knows them, where those are others than the ones that were asked for.
      ALTER TABLE recipient_checks ADD COLUMN address TEXT;
      CREATE INDEX recipient_checks_by_address ON recipient_checks (address) WHERE address IS NOT NULL;
    `,
  },
  {
    id: '9-answers-in-waiting',
    sql: `
      -- What waits in a chat that is there becomes an answer when the other side writes.
      CREATE INDEX accepted_ongoing ON accepted (number_id, recipient)
        WHERE kind IN ('ongoing', 'person.ongoing', 'machine.ongoing', 'campaign.ongoing');
    `,
  },
  {
    id: '10-stored-files',
    sql: `
      -- Files of the account in R2. expires_at: when the bucket deletes them.
      CREATE TABLE stored_files (
        file_id TEXT PRIMARY KEY,
        bytes INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX stored_files_by_end ON stored_files (expires_at, bytes);
      -- Of all of them together.
      CREATE TABLE stored_bytes (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL);
    `,
  },
  { id: '11-aliases', sql: aliasesSql },
  {
    id: '12-unused-index',
    sql: `
      -- To change the kind of what waits in a chat, SQLite goes by the primary key: it never used this one.
      DROP INDEX accepted_ongoing;
    `,
  },
  {
    id: '13-deletions',
    sql: `
      -- Deletions that wait, by the message that is to be taken back. Only what has a time of its own is looked into.
      CREATE INDEX accepted_deletions ON accepted (message ->> '$.content.targetId')
        WHERE not_before IS NOT NULL AND message ->> '$.content.type' = 'delete';
    `,
  },
  {
    id: '14-failed-fetches',
    sql: 'ALTER TABLE file_fetches ADD COLUMN failed_attempts INTEGER NOT NULL DEFAULT 0;',
  },
];
