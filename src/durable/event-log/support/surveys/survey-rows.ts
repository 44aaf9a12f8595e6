import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../../storage/rows.ts';

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

type Row = RowOf<Survey>;
const surveyOf = (row: Row) => fieldsOf<Survey>(row);

/** The table of surveys. Call what writes inside a transaction. */
export class SurveyRows extends Tables {
  of(phone: string): Survey | null {
    return this.queryAll<Row>(`SELECT * FROM surveys WHERE phone = ?`, phone).map(surveyOf)[0] ?? null;
  }

  /** In place of the one before. */
  put(survey: Survey): void {
    insertRow(this.sql, 'INSERT OR REPLACE INTO surveys', rowOf(survey));
  }

  remove(phone: string): void {
    this.sql.exec('DELETE FROM surveys WHERE phone = ?', phone);
  }

  earliestDue(): number | null {
    const query = 'SELECT min(due_at) FROM surveys WHERE due_at IS NOT NULL';
    return this.queryValue<number>(query);
  }

  /** `latest`: what is due behind that was put off by a clock that went back since. */
  due(now: number, latest: number, limit: number): Survey[] {
    const query = 'SELECT * FROM surveys WHERE due_at <= ? OR due_at > ? ORDER BY due_at LIMIT ?';
    return this.queryAll<Row>(query, now, latest, limit).map(surveyOf);
  }
}
