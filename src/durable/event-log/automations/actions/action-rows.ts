import type { OuterAction } from './outer-action.ts';

/** An action that waits. Times are milliseconds since 1970. */
export interface WaitingAction {
  dueAt: number;
  runId: string;
  index: number;
  automationId: string;
  plannedAt: number;
  /** So many were made. */
  attempts: number;
  action: OuterAction;
}

type Row = {
  due_at: number;
  run_id: string;
  action_index: number;
  automation_id: string;
  planned_at: number;
  attempts: number;
  action: string;
};

const waitingOf = (row: Row): WaitingAction => ({
  dueAt: row.due_at,
  runId: row.run_id,
  index: row.action_index,
  automationId: row.automation_id,
  plannedAt: row.planned_at,
  attempts: row.attempts,
  action: JSON.parse(row.action),
});

/** Actions that are to be carried out outside of the log, a row each until that is settled. */
export class ActionRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Call inside the transaction of the run. */
  insert({ dueAt, runId, index, automationId, plannedAt, attempts, action }: WaitingAction): void {
    this.#sql.exec(
      `INSERT INTO automation_actions (due_at, run_id, action_index, automation_id, planned_at, attempts, action)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[dueAt, runId, index, automationId, plannedAt, attempts, JSON.stringify(action)],
    );
  }

  delete({ dueAt, runId, index }: WaitingAction): void {
    this.#sql.exec(
      'DELETE FROM automation_actions WHERE due_at = ? AND run_id = ? AND action_index = ?',
      ...[dueAt, runId, index],
    );
  }

  /** Those that are due, the longest due first. */
  due(now: number, limit: number): WaitingAction[] {
    return this.#sql
      .exec<Row>(
        'SELECT * FROM automation_actions WHERE due_at <= ? ORDER BY due_at, run_id, action_index LIMIT ?',
        now,
        limit,
      )
      .toArray()
      .map(waitingOf);
  }

  /** As it was handed over; null: it is settled, or was put off. */
  find({ dueAt, runId, index }: Pick<WaitingAction, 'dueAt' | 'runId' | 'index'>): WaitingAction | null {
    const query = 'SELECT * FROM automation_actions WHERE due_at = ? AND run_id = ? AND action_index = ?';
    const row = this.#sql.exec<Row>(query, dueAt, runId, index).toArray()[0];
    return row === undefined ? null : waitingOf(row);
  }

  /** All that wait of one run. Looks at every row: for what is rare. */
  ofRun(runId: string): WaitingAction[] {
    return this.#sql
      .exec<Row>('SELECT * FROM automation_actions WHERE run_id = ? ORDER BY action_index', runId)
      .toArray()
      .map(waitingOf);
  }

  nextDueAt(): number | null {
    return this.#sql.exec<{ at: number | null }>('SELECT min(due_at) AS at FROM automation_actions').one().at;
  }
}
