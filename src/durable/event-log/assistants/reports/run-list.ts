import type { RunOutcome } from '../../../../contract/assistants/run.ts';
import { type Turn, type TurnRow, turnOf } from '../turns/turn.ts';

export interface RunFilter {
  outcome?: RunOutcome | undefined;
  conversationId?: string | undefined;
}

const running = "('waiting', 'running', 'sending')";

/** The turns of assistants, for those who look at what came of them. */
export class RunList {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Newest first, below `before`; one more than `limit` where there are more. */
  page(
    assistantId: string,
    { outcome, conversationId }: RunFilter,
    limit: number,
    before: number | null,
  ): Turn[] {
    const state =
      outcome === undefined ? 'true' : outcome === 'running' ? `state IN ${running}` : `state = '${outcome}'`;
    return this.#sql
      .exec<TurnRow>(
        `SELECT * FROM assistant_turns WHERE assistant_id = ?1 AND (?2 IS NULL OR id < ?2)
           AND (?3 IS NULL OR conversation_id = ?3) AND ${state} ORDER BY id DESC LIMIT ?4`,
        ...[assistantId, before, conversationId ?? null, limit + 1],
      )
      .toArray()
      .map(turnOf);
  }

  find(turnId: string): Turn | null {
    const row = this.#sql
      .exec<TurnRow>('SELECT * FROM assistant_turns WHERE turn_id = ?', turnId)
      .toArray()[0];
    return row === undefined ? null : turnOf(row);
  }
}
