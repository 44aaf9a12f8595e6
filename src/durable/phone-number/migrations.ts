import type { ObjectMigration } from '../object-migrations.ts';
import { tableRingSql } from '../table-ring.ts';
import { inboundRing } from './inbox.ts';
import { messageSpanMs } from './message-rows.ts';

const movedColumns = `provider_message_id, message_id, place, status, recipient, chat_type, content, sender_source,
  is_new_chat, may_move, moves, is_moving, queued_at, expires_at, handed_to, handed_at, sent_at, delivered_at, read_at,
  failed_at, error_message`;

/** Append only. Hot tables have no row id and no more indexes than they need: each is a row written per change. */
export const phoneNumberMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      CREATE TABLE device (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL);

      -- Outbound messages; the row outlives the outbox, since receipts may come days later. place orders the outbox
      -- and is null once the message no longer waits for the network.
      CREATE TABLE messages (
        provider_message_id TEXT PRIMARY KEY,
        message_id TEXT NOT NULL,
        place INTEGER,
        status TEXT NOT NULL,
        recipient TEXT NOT NULL,
        chat_type TEXT NOT NULL,
        content TEXT NOT NULL,
        sender_source TEXT NOT NULL,
        queued_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        handed_to TEXT,
        handed_at INTEGER,
        sent_at INTEGER,
        delivered_at INTEGER,
        read_at INTEGER,
        failed_at INTEGER,
        error_message TEXT
      ) WITHOUT ROWID;
      CREATE INDEX outbox ON messages (place) WHERE place IS NOT NULL;

      -- Message ids that the account has given up on: a late enqueue of one is refused.
      CREATE TABLE disowned (message_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

      -- Messages that failed before they left, until the account has taken them off its count.
      CREATE TABLE give_backs (message_id TEXT PRIMARY KEY, queued_at INTEGER NOT NULL) WITHOUT ROWID;

      -- What has been received, so that a redelivery by the network is no second message.
      CREATE TABLE inbound (origin TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

      -- Session credentials and Signal keys, sealed by the bridge: this object cannot read them.
      CREATE TABLE vault (key TEXT PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID;

      CREATE TABLE relay (seq INTEGER PRIMARY KEY, events TEXT NOT NULL);
    `,
  },
  {
    id: '2-senders',
    sql: `
      ALTER TABLE messages ADD COLUMN is_new_chat INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE messages ADD COLUMN may_move INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE messages ADD COLUMN moves INTEGER NOT NULL DEFAULT 0;
      -- The account is being asked to give it to another number.
      ALTER TABLE messages ADD COLUMN is_moving INTEGER NOT NULL DEFAULT 0;

      -- Messages that have gone on to another number, and with how many moves: a late enqueue of one is no new message.
      CREATE TABLE moved (message_id TEXT PRIMARY KEY, moves INTEGER NOT NULL) WITHOUT ROWID;

      -- Settings, pace and health of the sender, and what the account was last told of them.
      CREATE TABLE sender_state (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;

      -- When the number and a recipient last wrote to each other, as far as pacing needs it.
      CREATE TABLE chats (recipient TEXT PRIMARY KEY, last_out_at INTEGER, last_in_at INTEGER) WITHOUT ROWID;

      CREATE TABLE health_changes (
        seq INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        status TEXT NOT NULL,
        reason TEXT,
        until INTEGER
      );

      -- Who wrote in, until the account has been told.
      CREATE TABLE inbound_notes (seq INTEGER PRIMARY KEY, author TEXT NOT NULL, at INTEGER NOT NULL, text TEXT);
    `,
  },
  {
    id: '3-bounded',
    sql: `
      ALTER TABLE inbound RENAME TO inbound_before;
      ${tableRingSql(inboundRing)}
      ${[0, 1, 2]
        .map(
          (index) =>
            `INSERT OR IGNORE INTO inbound_${index} (span, origin)
               SELECT at / ${inboundRing.spanMs}, origin FROM inbound_before
               WHERE (at / ${inboundRing.spanMs}) % 3 = ${index};`,
        )
        .join('\n')}
      DROP TABLE inbound_before;
    `,
  },
  {
    id: '4-relay-rows-used-again',
    sql: `
      -- In the newest row: which rows hold events that are confirmed.
      ALTER TABLE relay ADD COLUMN confirmed TEXT;
    `,
  },
  {
    id: '5-events-in-message-rows',
    sql: `
      -- By span of the time of queueing: the newest rows are found without an index. events: steps that are not known to
      -- be confirmed, with the highest of their places beside them. confirmed_before: when the row was written, no row
      -- held an unconfirmed one of a lower place. pace: of the number, after the hand-over that the row was written for.
      CREATE TABLE messages_by_span (
        span INTEGER NOT NULL,
        provider_message_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        place INTEGER,
        status TEXT NOT NULL,
        recipient TEXT NOT NULL,
        chat_type TEXT NOT NULL,
        content TEXT NOT NULL,
        sender_source TEXT NOT NULL,
        is_new_chat INTEGER NOT NULL DEFAULT 0,
        may_move INTEGER NOT NULL DEFAULT 0,
        moves INTEGER NOT NULL DEFAULT 0,
        is_moving INTEGER NOT NULL DEFAULT 0,
        queued_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        handed_to TEXT,
        handed_at INTEGER,
        sent_at INTEGER,
        delivered_at INTEGER,
        read_at INTEGER,
        failed_at INTEGER,
        error_message TEXT,
        events TEXT,
        last_seq INTEGER,
        confirmed_before INTEGER,
        pace_turn INTEGER,
        pace TEXT,
        PRIMARY KEY (span, provider_message_id)
      ) WITHOUT ROWID;
      INSERT INTO messages_by_span (span, ${movedColumns})
        SELECT queued_at / ${messageSpanMs}, ${movedColumns} FROM messages;
      DROP TABLE messages;
      ALTER TABLE messages_by_span RENAME TO messages;
      CREATE INDEX outbox ON messages (place) WHERE place IS NOT NULL;
    `,
  },
  {
    id: '6-line',
    sql: `
      -- The place again, but null for a message that is handed over as it is stored: that one is in no index, which
      -- saves writing its entry and taking it out again.
      ALTER TABLE messages ADD COLUMN line INTEGER;
      UPDATE messages SET line = place WHERE place IS NOT NULL;
      DROP INDEX outbox;
      CREATE INDEX outbox ON messages (line) WHERE line IS NOT NULL;
    `,
  },
];
