import type { Bells } from '../attempts/bells.ts';
import type { Alert, AlertRows } from './alert-rows.ts';

/** Alerts whose bells are sent again at a time. */
const rungMax = 100;

/** The account's alerts, and their way to the channels: a bell for each, and another one until it is announced. */
export class AlertOutbox {
  readonly #storage: DurableObjectStorage;
  readonly #rows: AlertRows;
  readonly #bells: Bells;
  readonly #graceMs: number;
  /** When the bells of what is not announced are sent again; null: everything is. */
  #ringAgainAt: number | null;

  constructor(storage: DurableObjectStorage, rows: AlertRows, bells: Bells, graceMs: number) {
    this.#storage = storage;
    this.#rows = rows;
    this.#bells = bells;
    this.#graceMs = graceMs;
    this.#ringAgainAt = this.#nextRing();
  }

  dueAt(): number | null {
    return this.#ringAgainAt;
  }

  /** For alerts that are stored. */
  async announce(alerts: readonly Alert[]): Promise<void> {
    this.#ringAgainAt ??= Date.now() + this.#graceMs;
    await this.#bells.alerts(alerts.map(({ id }) => id));
  }

  async ringAgain(): Promise<void> {
    const waiting = this.#rows.unannounced(rungMax);
    this.#ringAgainAt = waiting.length === 0 ? null : Date.now() + this.#graceMs;
    await this.#bells.alerts(waiting);
  }

  /** Newest first, one more than `limit` where there are more. */
  newest(limit: number, before: string | null): Alert[] {
    return this.#rows.newest(limit + 1, before);
  }

  find(id: string): Alert | null {
    return this.#rows.find(id);
  }

  noteAnnounced(id: string): void {
    this.#storage.transactionSync(() => this.#rows.noteAnnounced(id, Date.now()));
    if (this.#rows.oldestUnannouncedAt === null) this.#ringAgainAt = null;
  }

  #nextRing(): number | null {
    const at = this.#rows.oldestUnannouncedAt;
    return at === null ? null : Math.max(at, Date.now()) + this.#graceMs;
  }
}
