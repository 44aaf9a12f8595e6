/** The tables of conversations. */
export const conversationTablesSql = `
  -- Who made an outbound message when it was not an API key: JSON.
  ALTER TABLE messages ADD COLUMN origin TEXT;
  CREATE INDEX messages_by_group ON messages (group_id, id) WHERE group_id IS NOT NULL;

  -- One for each contact, or group, and number. last_message: the id of the message that moved it to the top last; last:
  -- that message as a list shows it, JSON. answers: what of an API key or a campaign was answered last, JSON.
  CREATE TABLE conversations (
    conversation_id TEXT PRIMARY KEY,
    number_id TEXT NOT NULL,
    phone TEXT,
    lid TEXT,
    group_id TEXT,
    subject TEXT,
    status TEXT NOT NULL,
    snoozed_until INTEGER,
    priority TEXT NOT NULL,
    assignee_id TEXT,
    team_id TEXT,
    labels TEXT NOT NULL,
    unread INTEGER NOT NULL,
    last_message INTEGER NOT NULL,
    last TEXT,
    waiting_since INTEGER,
    answers TEXT,
    last_inbound_at INTEGER,
    last_response_at INTEGER,
    first_response_at INTEGER,
    first_response_due_at INTEGER,
    next_response_due_at INTEGER,
    resolution_due_at INTEGER,
    sla TEXT NOT NULL,
    bot_state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    resolved_at INTEGER
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX conversations_by_phone ON conversations (number_id, phone) WHERE phone IS NOT NULL;
  CREATE UNIQUE INDEX conversations_by_lid ON conversations (number_id, lid) WHERE lid IS NOT NULL;
  CREATE UNIQUE INDEX conversations_by_group ON conversations (number_id, group_id) WHERE group_id IS NOT NULL;
  CREATE INDEX conversations_by_status ON conversations (status, last_message);
  CREATE INDEX conversations_by_assignee ON conversations (assignee_id, status, last_message);
  CREATE INDEX conversations_by_team ON conversations (team_id, status, last_message) WHERE team_id IS NOT NULL;
  CREATE INDEX conversations_waiting ON conversations (waiting_since, conversation_id) WHERE waiting_since IS NOT NULL;
  CREATE INDEX conversations_snoozed ON conversations (snoozed_until) WHERE snoozed_until IS NOT NULL;

  CREATE TABLE conversation_labels (
    label TEXT NOT NULL,
    last_message INTEGER NOT NULL,
    conversation_id TEXT NOT NULL,
    PRIMARY KEY (label, last_message, conversation_id)
  ) WITHOUT ROWID;

  -- What people of the account write to each other. id: its place among the messages of the chat. author, mentions: JSON.
  CREATE TABLE conversation_notes (
    conversation_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    note_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    mentions TEXT NOT NULL,
    PRIMARY KEY (conversation_id, id)
  ) WITHOUT ROWID;
  CREATE TABLE conversation_mentions (
    user_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    PRIMARY KEY (user_id, conversation_id)
  ) WITHOUT ROWID;

  -- Who did what. change: JSON.
  CREATE TABLE conversation_activity (
    conversation_id TEXT NOT NULL,
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    change TEXT NOT NULL,
    PRIMARY KEY (conversation_id, id)
  ) WITHOUT ROWID;
`;

/** Open ones in which nobody waits, by when the silence in them began (support/auto-resolve.ts). */
export const conversationsSilentSql = `
  -- When it was opened last without a message: by hand, out of a snooze, or after it was pending. Milliseconds since 1970.
  ALTER TABLE conversations ADD COLUMN woken_at INTEGER;
  UPDATE conversations SET woken_at = opened_at WHERE status = 'open' AND opened_at * 1000 > last_message;
  CREATE INDEX conversations_silent ON conversations (max(last_message, coalesce(woken_at, 0) * 1000))
    WHERE status = 'open' AND waiting_since IS NULL;
`;

/** By whom first, so that a person's conversations are found whatever the number of numbers. */
export const conversationsByPersonSql = `
  CREATE UNIQUE INDEX conversations_of_phone ON conversations (phone, number_id) WHERE phone IS NOT NULL;
  CREATE UNIQUE INDEX conversations_of_lid ON conversations (lid, number_id) WHERE lid IS NOT NULL;
  DROP INDEX conversations_by_phone;
  DROP INDEX conversations_by_lid;

  -- People known by two addresses by now, phone and lid, or phone and dialled, whose conversations are yet to be joined.
  CREATE TABLE person_joins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    phone TEXT NOT NULL,
    lid TEXT,
    dialled TEXT
  );
`;

export const personPartingsSql = `
  -- Two people who were taken for one, whose conversations are yet to be parted. phone, lid: the addresses of the one. first,
  -- second: those of each of the two, JSON. up_to: the number up to which that is done.
  CREATE TABLE person_partings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    phone TEXT NOT NULL,
    lid TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    up_to TEXT NOT NULL
  );
`;
