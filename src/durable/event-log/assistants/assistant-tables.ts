/** The tables of the log that assistants have; nothing of an account without one is in them. */
export const assistantTablesSql = `
  -- What somebody has written to a conversation, to be answered together. first_message, last_message: ids in messages.
  -- due_at: not before. ring_at: when a bell for it is sent (again); null once it is over. lease: of whoever answers it now.
  CREATE TABLE assistant_turns (
    id INTEGER PRIMARY KEY,
    turn_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL,
    assistant_id TEXT NOT NULL,
    state TEXT NOT NULL,
    ends_as TEXT,
    reason TEXT,
    first_message INTEGER NOT NULL,
    last_message INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    ring_at INTEGER,
    lease TEXT,
    attempts INTEGER NOT NULL,
    begun_at INTEGER NOT NULL,
    ended_at INTEGER,
    question TEXT NOT NULL,
    reply TEXT,
    message_id TEXT,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost REAL,
    detail TEXT
  );
  CREATE UNIQUE INDEX assistant_turns_open ON assistant_turns (conversation_id) WHERE state IN ('waiting', 'running');
  CREATE INDEX assistant_turns_to_ring ON assistant_turns (ring_at) WHERE ring_at IS NOT NULL;
  CREATE INDEX assistant_turns_of_assistant ON assistant_turns (assistant_id, id);

  -- What an assistant knows of a conversation, from when on it takes part until it is resolved. since: an id in messages.
  CREATE TABLE assistant_memories (
    conversation_id TEXT PRIMARY KEY,
    assistant_id TEXT NOT NULL,
    since INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    is_introduced INTEGER NOT NULL,
    summary TEXT,
    summarised_to INTEGER
  ) WITHOUT ROWID;

  -- What the assistants did, by day (UTC).
  CREATE TABLE assistant_days (
    assistant_id TEXT NOT NULL,
    day TEXT NOT NULL,
    answered INTEGER NOT NULL,
    handed_off INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (assistant_id, day)
  ) WITHOUT ROWID;
`;

/** to_answer: JSON, ids in messages of those that nobody has answered yet; empty where a turn is older than this column. */
export const assistantTurnsToAnswerSql = `
  ALTER TABLE assistant_turns ADD COLUMN to_answer TEXT NOT NULL DEFAULT '[]';
`;

/** What an assistant was told, each wording once, and how often it led to an answer and to a hand-off. version: of its text. */
export const assistantInstructionsSql = `
  CREATE TABLE assistant_instructions (
    id INTEGER PRIMARY KEY,
    assistant_id TEXT NOT NULL,
    version TEXT NOT NULL,
    text TEXT NOT NULL,
    first_used_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    handed_off INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX assistant_instructions_version ON assistant_instructions (assistant_id, version);
`;
