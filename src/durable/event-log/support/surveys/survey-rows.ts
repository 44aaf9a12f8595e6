/** The last survey of each person. */
export const surveyTablesSql = `
  CREATE TABLE surveys (
    phone TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    number_id TEXT NOT NULL,
    -- Which case of the conversation it is about.
    case_opened_at INTEGER NOT NULL,
    planned_at INTEGER NOT NULL,
    -- When it is to be sent, or tried again; null: it is sent.
    due_at INTEGER,
    attempts INTEGER NOT NULL,
    -- Until when an answer is read; null: none is waited for.
    ends_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX surveys_due ON surveys (due_at) WHERE due_at IS NOT NULL;
`;

/** Times are milliseconds since 1970. */
export interface Survey {
  phone: string;
  conversationId: string;
  numberId: string;
  caseOpenedAt: number;
  plannedAt: number;
  dueAt: number | null;
  attempts: number;
  endsAt: number | null;
}

type Row = Record<keyof Survey, SqlStorageValue>;
const surveyOf = (row: Row) => row as unknown as Survey;
const select = `SELECT phone, conversation_id AS conversationId, number_id AS numberId,
  case_opened_at AS caseOpenedAt, planned_at AS plannedAt, due_at AS dueAt, attempts, ends_at AS endsAt FROM surveys`;

/** The table of surveys. Call what writes inside a transaction. */
export class SurveyRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  of(phone: string): Survey | null {
    return this.#sql.exec<Row>(`${select} WHERE phone = ?`, phone).toArray().map(surveyOf)[0] ?? null;
  }

  /** In place of the one before. */
  put(survey: Survey): void {
    const { phone, conversationId, numberId, caseOpenedAt, plannedAt, dueAt, attempts, endsAt } = survey;
    this.#sql.exec(
      'INSERT OR REPLACE INTO surveys VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[phone, conversationId, numberId, caseOpenedAt, plannedAt, dueAt, attempts, endsAt],
    );
  }

  remove(phone: string): void {
    this.#sql.exec('DELETE FROM surveys WHERE phone = ?', phone);
  }

  earliestDue(): number | null {
    const query = 'SELECT min(due_at) AS at FROM surveys WHERE due_at IS NOT NULL';
    return this.#sql.exec<{ at: number | null }>(query).one().at;
  }

  due(now: number, limit: number): Survey[] {
    const query = `${select} WHERE due_at <= ? ORDER BY due_at LIMIT ?`;
    return this.#sql.exec<Row>(query, now, limit).toArray().map(surveyOf);
  }
}
