/** What the rules of an account need in its log. */
export const automationTablesSql = `
  -- The account's rules as they were read from D1 last. since_seq and since_at: a rule answers what happens after it was
  -- saved. waited_to: up to which beginning of a wait it was looked for conversations that wait.
  CREATE TABLE automation_rules (
    automation_id TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    since_seq INTEGER NOT NULL,
    since_at INTEGER NOT NULL,
    waited_to INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- A row for each time that a rule ran, and for some of those when it did not. run_id sorts by time, and follows from the
  -- event and the rule.
  CREATE TABLE automation_runs (
    automation_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    ran INTEGER NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (automation_id, run_id)
  ) WITHOUT ROWID;

  -- What is still to be carried out outside of the log. The key is the time when it is due, the run and the place in it.
  CREATE TABLE automation_actions (
    due_at INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    action_index INTEGER NOT NULL,
    automation_id TEXT NOT NULL,
    planned_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    action TEXT NOT NULL,
    PRIMARY KEY (due_at, run_id, action_index)
  ) WITHOUT ROWID;

  -- Whom rules have answered: ran is JSON, when by rule; replies is JSON, the times of those of the last hour.
  CREATE TABLE automation_people (
    person TEXT PRIMARY KEY,
    last_at INTEGER NOT NULL,
    ran TEXT NOT NULL,
    replies TEXT NOT NULL
  ) WITHOUT ROWID;

  -- Events that rules have caused, until they are read. cause: JSON, what it all began with, and which rules followed.
  CREATE TABLE automation_causes (
    seq INTEGER PRIMARY KEY,
    cause TEXT NOT NULL
  );
`;

export const lateWaitsSql = `
  -- Where somebody had waited for so long as a rule says already when that became known (known_at), until rules are applied.
  CREATE TABLE late_waits (
    conversation_id TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    known_at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;
