import type { AlertKind } from '../../../contract/alerts/alerts.ts';
import type { Alert, AlertRows } from './alert-rows.ts';

interface Parts {
  storage: DurableObjectStorage;
  rows: AlertRows;
}

/** The account's alerts as people see them: those that there are, who knows of them, and when they are over. */
export class AlertBook {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the first trouble that ends by itself is over; null: there is none. */
  endDueAt(): number | null {
    const ends = this.#parts.rows.open.flatMap(({ endsAt }) => endsAt ?? []);
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /** Ends the troubles that are over by themselves. */
  endDue(now: number): void {
    const over = this.#parts.rows.open.filter(({ endsAt }) => endsAt !== null && endsAt <= now);
    this.#change((rows) => {
      for (const { kind, subject, endsAt } of over) rows.end([kind], subject, endsAt ?? now);
    });
  }

  /** The troubles of these kinds are over. */
  end(kinds: readonly AlertKind[], subject: string, at: number): void {
    if (!kinds.some((kind) => this.#parts.rows.isOpen(kind, subject))) return;
    this.#change((rows) => rows.end(kinds, subject, at));
  }

  acknowledge(id: string, by: string): Alert | null {
    return this.#change((rows) => rows.acknowledge(id, by, Date.now()));
  }

  /** Newest first, one more than `limit` where there are more. */
  newest(limit: number, before: string | null, isOpen: boolean | null): Alert[] {
    return this.#parts.rows.newest(limit + 1, before, isOpen);
  }

  #change<Result>(work: (rows: AlertRows) => Result): Result {
    const { storage, rows } = this.#parts;
    try {
      return storage.transactionSync(() => work(rows));
    } catch (error) {
      rows.reload();
      throw error;
    }
  }
}
