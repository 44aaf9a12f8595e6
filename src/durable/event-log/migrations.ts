import type { ObjectMigration } from '../storage/object-migrations.ts';
import { alertDeliveryTablesSql } from './alerts/deliveries/alert-delivery-rows.ts';
import { archivedPastsSql } from './archive/archived-pasts.ts';
import { awaitedReceiptsSql } from './archive/late-receipts.ts';
import { segmentsSql } from './archive/segments.ts';
import {
  assistantInstructionsSql,
  assistantTablesSql,
  assistantTurnsToAnswerSql,
} from './assistants/assistant-tables.ts';
import { automationTablesSql, lateWaitsSql } from './automations/automation-tables.ts';
import { contactTermsSql } from './contacts/contact-rows.ts';
import { contactFactsSql } from './contacts/contact-tables.ts';
import { erasedFilesSql, erasureTablesSql } from './contacts/erasing/erasure-rows.ts';
import { importedContactsSql } from './contacts/imports/import-rows.ts';
import { leftImportFilesSql } from './contacts/imports/left-files.ts';
import { joinedContactsSql } from './contacts/joined-contacts.ts';
import { joinedAliasesByPhoneSql, joinedAliasesSql, toldAliasesSql } from './contacts/told-aliases.ts';
import { assignmentTablesSql, conversationsToGiveOutSql } from './conversations/assignment/assignment.ts';
import { archivedConversationsSql } from './conversations/rows/archived-conversations.ts';
import {
  conversationsByPersonSql,
  conversationsSilentSql,
  conversationTablesSql,
  personPartingsSql,
} from './conversations/rows/conversation-tables.ts';
import { groupWordsSql } from './conversations/rows/group-words.ts';
import { deliveryTablesSql } from './deliveries/delivery-tables.ts';
import { campaignNamesSql, campaignRevisionsSql } from './intake/account-facts.ts';
import { labelSpellingsSql } from './labels/label-spellings.ts';
import { messageTermsSql } from './messages/message-words.ts';
import { caseTablesSql } from './support/cases/case-rows.ts';
import { surveyTablesSql } from './support/surveys/survey-rows.ts';

/** Append only. */
export const eventLogMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      -- Whose ids sort by their own time: when it was queued or received, in microseconds, or the next one that is free.
      CREATE TABLE messages (
        id INTEGER PRIMARY KEY,
        -- Found again by the message's id, by a receipt, and by a repeat: see messages/message-key.ts.
        key TEXT NOT NULL UNIQUE,
        message_id TEXT NOT NULL,
        direction TEXT NOT NULL,
        status TEXT NOT NULL,
        number_id TEXT NOT NULL,
        -- The other side: the recipient, or the author.
        peer TEXT NOT NULL,
        -- The phone number on this side, where it is known.
        own_phone TEXT,
        chat_type TEXT NOT NULL,
        message_type TEXT NOT NULL,
        content TEXT NOT NULL,
        group_id TEXT,
        provider_message_id TEXT NOT NULL,
        sender_source TEXT,
        error_message TEXT,
        queued_at INTEGER,
        sent_at INTEGER,
        delivered_at INTEGER,
        read_at INTEGER,
        failed_at INTEGER,
        received_at INTEGER
      );
      CREATE INDEX messages_by_peer ON messages (peer, id);
      CREATE INDEX messages_by_number ON messages (number_id, id);

      -- Which numbers have had which phone numbers.
      CREATE TABLE own_phones (
        phone TEXT NOT NULL,
        number_id TEXT NOT NULL,
        PRIMARY KEY (phone, number_id)
      ) WITHOUT ROWID;

      -- A row a commit: its events as a JSON array, under the sequence of the first one.
      CREATE TABLE events (
        first_seq INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        at INTEGER NOT NULL,
        bodies TEXT NOT NULL,
        outcomes TEXT
      );

      -- The last change of each device that was told.
      CREATE TABLE devices (
        number_id TEXT PRIMARY KEY,
        revision INTEGER NOT NULL
      ) WITHOUT ROWID;

      CREATE TABLE log_state (
        name TEXT PRIMARY KEY,
        json TEXT NOT NULL
      ) WITHOUT ROWID;

      -- Facts that are known and could not be stored, with why: for those who mend it.
      CREATE TABLE parked_facts (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        fact TEXT NOT NULL,
        error TEXT NOT NULL
      );
    `,
  },
  { id: '2-deliveries', sql: deliveryTablesSql },
  { id: '3-archive', sql: segmentsSql },
  {
    id: '4-references',
    sql: `
      -- What the caller called it, not before when it may leave, and why it failed, for a program.
      ALTER TABLE messages ADD COLUMN client_reference TEXT;
      ALTER TABLE messages ADD COLUMN send_at INTEGER;
      ALTER TABLE messages ADD COLUMN error_code TEXT;
      -- 1: no event tells of it.
      ALTER TABLE messages ADD COLUMN quiet INTEGER;
    `,
  },
  {
    id: '5-doors',
    sql: `
      -- The URL at which the webhook has had a 2xx: until then it gets one callback at a time.
      ALTER TABLE webhook_readers ADD COLUMN proven_url TEXT;
      -- Deliveries that were sent again, by day (UTC).
      CREATE TABLE repetitions (day TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
    `,
  },
  {
    id: '6-traffic',
    sql: `
      -- How many messages took which step, by the hour (since 1970) of the event that tells it. From the events up to
      -- 'traffic.position' in log_state.
      CREATE TABLE traffic (
        hour INTEGER NOT NULL,
        number_id TEXT NOT NULL,
        queued INTEGER NOT NULL,
        sent INTEGER NOT NULL,
        delivered INTEGER NOT NULL,
        read INTEGER NOT NULL,
        failed INTEGER NOT NULL,
        received INTEGER NOT NULL,
        PRIMARY KEY (hour, number_id)
      ) WITHOUT ROWID;
    `,
  },
  {
    id: '7-alerts',
    sql: `
      -- ended_at: when the trouble was over; null while it lasts. ends_at: when it is over by itself.
      ALTER TABLE alerts ADD COLUMN ended_at INTEGER;
      ALTER TABLE alerts ADD COLUMN ends_at INTEGER;
      ALTER TABLE alerts ADD COLUMN acknowledged_at INTEGER;
      ALTER TABLE alerts ADD COLUMN acknowledged_by TEXT;
      -- Nobody knows any more whether these last.
      UPDATE alerts SET ended_at = at;
      CREATE UNIQUE INDEX alerts_open ON alerts (kind, subject) WHERE ended_at IS NULL;
      -- Since when it has been disconnected, though nobody asked for it.
      ALTER TABLE devices ADD COLUMN away_since INTEGER;
    `,
  },
  {
    id: '8-groups',
    sql: `
      -- The last change of a group that each number has told.
      CREATE TABLE group_revisions (number_id TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
    `,
  },
  {
    id: '9-changes',
    sql: `
      -- What was done to a message after it was there. reactions and votes: JSON, by who has given them.
      ALTER TABLE messages ADD COLUMN edited_at INTEGER;
      ALTER TABLE messages ADD COLUMN deleted_at INTEGER;
      ALTER TABLE messages ADD COLUMN reactions TEXT;
      ALTER TABLE messages ADD COLUMN votes TEXT;
      -- The privacy alias of who wrote it, where the network used one.
      ALTER TABLE messages ADD COLUMN peer_lid TEXT;
      -- What the account has done to messages, under the network's ids.
      CREATE TABLE message_actions (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        content TEXT NOT NULL,
        recipient TEXT NOT NULL
      );
    `,
  },
  {
    id: '10-member-receipts',
    sql: `
      -- Who has a message to a group (its id in messages), and who has read it.
      CREATE TABLE member_receipts (
        message INTEGER NOT NULL,
        member TEXT NOT NULL,
        phone TEXT,
        lid TEXT,
        delivered_at INTEGER,
        read_at INTEGER,
        PRIMARY KEY (message, member)
      ) WITHOUT ROWID;
    `,
  },
  {
    id: '11-contacts',
    sql: `
      -- Whom the account knows. own_name: as it calls them; book_name: as a phone's address book does. labels and
      -- attributes: JSON.
      CREATE TABLE contacts (
        id INTEGER PRIMARY KEY,
        contact_id TEXT NOT NULL UNIQUE,
        phone TEXT UNIQUE,
        lid TEXT UNIQUE,
        own_name TEXT,
        book_name TEXT,
        push_name TEXT,
        labels TEXT NOT NULL,
        attributes TEXT NOT NULL,
        first_seen_at INTEGER NOT NULL
      );
      CREATE TABLE contact_labels (
        label TEXT NOT NULL,
        contact_id TEXT NOT NULL,
        PRIMARY KEY (label, contact_id)
      ) WITHOUT ROWID;
      CREATE VIRTUAL TABLE contact_words USING fts5(words, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
    `,
  },
  { id: '12-conversations', sql: conversationTablesSql },
  { id: '13-support', sql: `${caseTablesSql}${surveyTablesSql}` },
  { id: '14-contact-facts', sql: contactFactsSql },
  { id: '15-campaigns', sql: campaignRevisionsSql },
  { id: '16-alert-deliveries', sql: alertDeliveryTablesSql },
  { id: '17-assistants', sql: assistantTablesSql },
  { id: '18-erasures', sql: erasureTablesSql },
  {
    id: '19-conversation-viewers',
    sql: `
      -- Who looks at which conversation, or types in it, until when.
      CREATE TABLE conversation_viewers (
        conversation_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        name TEXT NOT NULL,
        state TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (conversation_id, user_id)
      ) WITHOUT ROWID;
    `,
  },
  { id: '20-automations', sql: automationTablesSql },
  { id: '21-assistant-turns', sql: assistantTurnsToAnswerSql },
  { id: '22-assignment', sql: assignmentTablesSql },
  {
    id: '23-note-keys',
    sql: `
      -- Under which key somebody has added it; null: without one.
      ALTER TABLE conversation_notes ADD COLUMN key TEXT;
    `,
  },
  { id: '24-imported-contacts', sql: importedContactsSql },
  { id: '25-campaign-names', sql: campaignNamesSql },
  {
    id: '26-failed-actions',
    sql: `
      -- What the account wanted done to it, and what came to nothing: JSON.
      ALTER TABLE messages ADD COLUMN failed_actions TEXT;
    `,
  },
  { id: '27-assistant-instructions', sql: assistantInstructionsSql },
  { id: '28-joined-aliases', sql: joinedAliasesSql },
  { id: '29-search-terms', sql: messageTermsSql + contactTermsSql },
  {
    id: '30-recipient-contacts',
    sql: `
      -- Whom it went to, where only an alias of theirs was known.
      ALTER TABLE messages ADD COLUMN contact_id TEXT;
    `,
  },
  {
    id: '31-dialled-numbers',
    sql: `
      -- The digits that were sent, where the network knows the person by others.
      ALTER TABLE messages ADD COLUMN dialled TEXT;
      -- The same for whoever was ever named so: both are one contact, which has the network's digits.
      CREATE TABLE dialled_numbers (dialled TEXT PRIMARY KEY, phone TEXT NOT NULL) WITHOUT ROWID;
      CREATE INDEX dialled_numbers_by_phone ON dialled_numbers (phone);
    `,
  },
  { id: '32-conversations-by-person', sql: conversationsByPersonSql },
  { id: '33-told-aliases', sql: toldAliasesSql },
  { id: '34-group-words', sql: groupWordsSql },
  {
    id: '35-traces',
    sql: `
      -- The trace that its request belongs to, as its header traceparent had it.
      ALTER TABLE messages ADD COLUMN traceparent TEXT;
    `,
  },
  { id: '36-awaited-receipts', sql: awaitedReceiptsSql },
  { id: '37-archived-pasts', sql: archivedPastsSql },
  { id: '38-archived-conversations', sql: archivedConversationsSql },
  { id: '39-person-partings', sql: personPartingsSql },
  {
    id: '40-erasures-in-slices',
    sql: `
      CREATE INDEX automation_runs_of_person ON automation_runs (detail ->> '$.person');
      CREATE INDEX late_receipts_of_recipient ON late_receipts (fact ->> '$.recipient');
      CREATE INDEX late_receipts_of_lid ON late_receipts (fact ->> '$.recipientLid');
      CREATE INDEX assistant_turns_of_conversation ON assistant_turns (conversation_id);
      CREATE INDEX conversation_mentions_of_conversation ON conversation_mentions (conversation_id);
    `,
  },
  { id: '41-joined-aliases-by-phone', sql: joinedAliasesByPhoneSql },
  { id: '42-conversations-to-give-out', sql: conversationsToGiveOutSql },
  { id: '43-conversations-silent', sql: conversationsSilentSql },
  { id: '44-late-waits', sql: lateWaitsSql },
  { id: '45-left-import-files', sql: leftImportFilesSql },
  { id: '46-erased-files', sql: erasedFilesSql },
  { id: '47-joined-contacts', sql: joinedContactsSql },
  { id: '48-label-spellings', sql: labelSpellingsSql },
];
