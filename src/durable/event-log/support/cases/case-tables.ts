/**
 * A case is the time from the opening of a conversation until it is resolved: one row, as long as somebody wants to know.
 * What is measured (`…_ms`) is working time of the number, where it has business hours.
 */
export const caseTablesSql = `
  CREATE TABLE support_cases (
    opened_at INTEGER NOT NULL,
    conversation_id TEXT NOT NULL,
    number_id TEXT NOT NULL,
    -- Who has answered first, else who has resolved it.
    agent_id TEXT,
    team_id TEXT,
    first_waiting_at INTEGER,
    first_response_at INTEGER,
    first_response_ms INTEGER,
    waiting_since INTEGER,
    resolved_at INTEGER,
    resolution_ms INTEGER,
    -- What was missed: 1, and of later answers how many; next_missed_since: since when the last of them was waited for.
    first_missed INTEGER NOT NULL,
    next_missed INTEGER NOT NULL,
    next_missed_since INTEGER,
    resolution_missed INTEGER NOT NULL,
    -- What has to be looked at next; null: nothing is due.
    due_at INTEGER,
    rating INTEGER,
    PRIMARY KEY (opened_at, conversation_id)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX support_cases_open ON support_cases (conversation_id) WHERE resolved_at IS NULL;
  CREATE INDEX support_cases_due ON support_cases (due_at) WHERE due_at IS NOT NULL;
`;
