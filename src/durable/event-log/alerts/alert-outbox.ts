import type { AlertKind } from '../../../contract/alerts.ts';
import type { Bells } from '../deliveries/attempts/bells.ts';
import type { Alert, AlertRows } from './alert-rows.ts';

/** Alerts whose bells are sent again at a time. */
const rungMax = 100;

interface Parts {
  storage: DurableObjectStorage;
  rows: AlertRows;
  bells: Bells;
  graceMs: number;
}

/** The account's alerts, and their way to the channels: a bell for each, and another one until it is announced. */
export class AlertOutbox {
  readonly #parts: Parts;
  /** When the bells of what is not announced are sent again; null: everything is. */
  #ringAgainAt: number | null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ringAgainAt = this.#nextRing();
  }

  dueAt(): number | null {
    return this.#ringAgainAt;
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

  /** Rings for the alerts that were raised and are stored. */
  async announce(): Promise<void> {
    const raised = this.#parts.rows.takeRaised();
    if (raised.length === 0) return;
    this.#ringAgainAt ??= Date.now() + this.#parts.graceMs;
    await this.#parts.bells.alerts(raised);
  }

  async ringAgain(): Promise<void> {
    const { rows, bells, graceMs } = this.#parts;
    const waiting = rows.unannounced(rungMax);
    this.#ringAgainAt = waiting.length === 0 ? null : Date.now() + graceMs;
    await bells.alerts(waiting);
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

  find(id: string): Alert | null {
    return this.#parts.rows.find(id);
  }

  noteAnnounced(id: string): void {
    this.#change((rows) => rows.noteAnnounced(id, Date.now()));
    if (this.#parts.rows.oldestUnannouncedAt === null) this.#ringAgainAt = null;
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

  #nextRing(): number | null {
    const at = this.#parts.rows.oldestUnannouncedAt;
    return at === null ? null : Math.max(at, Date.now()) + this.#parts.graceMs;
  }
}
