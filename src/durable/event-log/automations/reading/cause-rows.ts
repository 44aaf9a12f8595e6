import type { StoredEvent } from '../../events/event-rows.ts';
import type { Cause } from '../rules/trigger-event.ts';

/** What has caused an event that rules have caused, until it is read. Call what writes inside a transaction. */
export class CauseRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  note(events: readonly StoredEvent[], cause: Cause): void {
    for (const { seq } of events) {
      this.#sql.exec(
        'INSERT OR REPLACE INTO automation_causes (seq, cause) VALUES (?, ?)',
        seq,
        JSON.stringify(cause),
      );
    }
  }

  /** Null: no rule has caused it. */
  of(seq: number): Cause | null {
    const row = this.#sql
      .exec<{ cause: string }>('SELECT cause FROM automation_causes WHERE seq = ?', seq)
      .toArray()[0];
    return row === undefined ? null : JSON.parse(row.cause);
  }

  deleteUpTo(seq: number): void {
    this.#sql.exec('DELETE FROM automation_causes WHERE seq <= ?', seq);
  }
}
