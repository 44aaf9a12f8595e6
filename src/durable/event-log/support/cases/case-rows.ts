import { fieldsOf, insertRow, type RowOf, rowOf, Tables, updateRow } from '../../../storage/rows.ts';

/**
 * A case is the time from the opening of a conversation until it is resolved. It is one row. Measured times (`…_ms`) are
 * working time of the number, if it has business hours.
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

/** A case as it is stored; times are milliseconds since 1970. */
export interface SupportCase {
  openedAt: number;
  conversationId: string;
  numberId: string;
  agentId: string | null;
  teamId: string | null;
  firstWaitingAt: number | null;
  firstResponseAt: number | null;
  firstResponseMs: number | null;
  /** Since when somebody waits now; null: nobody does. */
  waitingSince: number | null;
  resolvedAt: number | null;
  resolutionMs: number | null;
  /** 1: it was missed. */
  firstMissed: number;
  /** Of later answers: how many, and since when the last of those was waited for. */
  nextMissed: number;
  nextMissedSince: number | null;
  resolutionMissed: number;
  /** When it has to be looked at; null: nothing is due. */
  dueAt: number | null;
  rating: number | null;
}

/** How long cases are kept. */
const keptMs = 400 * 86_400_000;
/** Those that are too old and go with each new one. */
const forgottenMax = 100;

type Row = RowOf<SupportCase>;
const caseOf = (row: Row) => fieldsOf<SupportCase>(row);

/** The table of cases. Call what writes inside a transaction. */
export class CaseRows extends Tables {
  /** The case of a conversation that is not resolved; null: there is none. */
  open(conversationId: string): SupportCase | null {
    const select = `SELECT * FROM support_cases WHERE conversation_id = ? AND resolved_at IS NULL`;
    return this.queryAll<Row>(select, conversationId).map(caseOf)[0] ?? null;
  }

  find(openedAt: number, conversationId: string): SupportCase | null {
    const select = `SELECT * FROM support_cases WHERE opened_at = ? AND conversation_id = ?`;
    return this.queryAll<Row>(select, openedAt, conversationId).map(caseOf)[0] ?? null;
  }

  /** Stores a case: a new one, or what has changed of one. */
  save(before: SupportCase | null, after: SupportCase): void {
    if (before === null) {
      insertRow(this.sql, 'INSERT INTO support_cases', rowOf(after));
      this.sql.exec(
        `DELETE FROM support_cases WHERE (opened_at, conversation_id) IN
           (SELECT opened_at, conversation_id FROM support_cases WHERE opened_at < ? ORDER BY opened_at LIMIT ?)`,
        ...[after.openedAt - keptMs, forgottenMax],
      );
      return;
    }
    const key = ['opened_at', 'conversation_id'] as const;
    updateRow(this.sql, 'support_cases', key, rowOf(before), rowOf(after));
  }

  rate(openedAt: number, conversationId: string, rating: number): void {
    const change = 'UPDATE support_cases SET rating = ? WHERE opened_at = ? AND conversation_id = ?';
    this.sql.exec(change, rating, openedAt, conversationId);
  }

  /** The conversation is gone: it has become part of another one. */
  drop({ openedAt, conversationId }: SupportCase): void {
    const change = 'DELETE FROM support_cases WHERE opened_at = ? AND conversation_id = ?';
    this.sql.exec(change, openedAt, conversationId);
  }

  /** When the first one has to be looked at; null: nothing is due. */
  earliestDue(): number | null {
    const select = 'SELECT min(due_at) FROM support_cases WHERE due_at IS NOT NULL';
    return this.queryValue<number>(select);
  }

  due(now: number, limit: number): SupportCase[] {
    const select = `SELECT * FROM support_cases WHERE due_at <= ? ORDER BY due_at LIMIT ?`;
    return this.queryAll<Row>(select, now, limit).map(caseOf);
  }
}
