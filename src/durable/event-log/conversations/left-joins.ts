import type { EventDraft } from '../events/event-draft.ts';
import type { Conversations } from './conversations.ts';

type Row = { id: number; phone: string; lid: string | null; dialled: string | null };

/** People whose conversations the release before had yet to join, which did it some at a time. */
export class LeftJoins {
  readonly #sql: SqlStorage;
  readonly #conversations: Conversations;

  constructor(sql: SqlStorage, conversations: Conversations) {
    this.#sql = sql;
    this.#conversations = conversations;
  }

  dueAt(): number | null {
    return this.#sql.exec('SELECT 1 FROM person_joins LIMIT 1').toArray().length === 0 ? null : 1;
  }

  /** Call inside a transaction. */
  run(now: number): EventDraft[] {
    const rows = this.#sql.exec<Row>('DELETE FROM person_joins RETURNING id, phone, lid, dialled').toArray();
    return rows.flatMap(({ phone, lid, dialled }) => {
      const other = lid === null ? null : ({ kind: 'lid', address: lid } as const);
      return this.#conversations.join(
        { kind: 'phone', address: dialled ?? phone },
        other ?? { kind: 'phone', address: phone },
        now,
      );
    });
  }
}
