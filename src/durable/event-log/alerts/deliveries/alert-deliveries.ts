import type { NamedTimer } from '../../../named-timers.ts';
import { inTransaction } from '../../../storage/in-transaction.ts';
import type { LogState } from '../../log-state.ts';
import type { WakeUps } from '../../wake-ups.ts';
import type { AlertRows } from '../alert-rows.ts';
import { AlertConfiguration } from './alert-configuration.ts';
import { AlertDeliveryRows } from './alert-delivery-rows.ts';
import { type AlertDelivery, type AlertOrder, type AlertReport, nextAttemptAt } from './alert-order.ts';
import { Digests, Telling } from './telling.ts';

/** A wake-up from a queue may arrive this much too early. */
const earlyMs = 1_000;

export interface AlertDeliveriesParts {
  ctx: DurableObjectState;
  d1: D1Database;
  accountId: string;
  state: LogState;
  alerts: AlertRows;
  wakeUps: WakeUps;
  /** Waits before attempts 2, 3, …, in seconds. */
  ladder: readonly number[];
  /** How long after a wake-up is due the object looks by itself. */
  graceMs: number;
  canMail: boolean;
  /** After a transaction that was rolled back. */
  reload: () => void;
  arm: () => void;
}

/**
 * The deliveries of alerts to channels, until each is delivered or given up. Only their rows count. The queue `alerts` carries
 * a wake-up when one is due, and its consumer takes what is due from here.
 */
export class AlertDeliveries {
  readonly timers: readonly NamedTimer[];
  readonly rows: AlertDeliveryRows;
  readonly #parts: AlertDeliveriesParts;
  readonly #configuration: AlertConfiguration;
  readonly #telling: Telling;
  readonly #digests: Digests;
  #dueAt: number | null;
  /** When wake-ups were sent last. If none has arrived, they are sent again after `graceMs`. */
  #rungAt = 0;

  constructor(parts: AlertDeliveriesParts) {
    this.#parts = parts;
    const { ctx, d1, accountId, state, alerts, canMail } = parts;
    this.rows = new AlertDeliveryRows(ctx.storage.sql);
    this.#configuration = new AlertConfiguration(state, d1, accountId);
    const own = { alerts, deliveries: this.rows, configuration: this.#configuration };
    this.#telling = new Telling({ ...own, canMail });
    this.#digests = new Digests({ ...own, state, telling: this.#telling });
    this.#dueAt = this.rows.earliestDueAt;
    this.timers = [
      { name: 'alerts to tell', dueAt: () => alerts.tellAt, run: (now) => this.#tell(now) },
      {
        name: 'alert digests',
        dueAt: () => this.#digests.dueAt(),
        run: (now) => this.#tellDigests(now),
        clockWentBack: (now) => this.#digests.clockWentBack(now),
      },
      {
        name: 'alert deliveries',
        dueAt: () => this.#ringAt(),
        run: (now) => this.#ring(now),
        clockWentBack: (now) => this.#clockWentBack(now),
      },
    ];
  }

  /** Takes over the channels and mutes as D1 has them. */
  async refresh(): Promise<void> {
    await this.#configuration.refresh();
    this.#change(() => {
      const now = Date.now();
      for (const id of this.rows.channelIds()) {
        if (this.#configuration.channel(id) === null) this.rows.remove(id);
      }
      this.#digests.follow(now);
      this.#parts.alerts.lookAgain(now);
    });
  }

  /** What is due now, each for one attempt; the caller reports what came of it, or it is made again. */
  begin(ordersMax: number): AlertOrder[] {
    const now = Date.now();
    return this.#change(() => {
      return this.rows.due(now + earlyMs, ordersMax).flatMap((delivery) => {
        const channel = this.#configuration.channel(delivery.channelId);
        if (channel === null || !this.#telling.isOpen(channel)) {
          const attempt = {
            at: now,
            statusCode: null,
            durationMs: 0,
            error: 'The channel was disabled.',
          };
          this.rows.record(delivery.deliveryId, [...delivery.attempts, attempt], false, null);
          return [];
        }
        const { deliveryId, news, alerts, at, attempts } = delivery;
        this.rows.lease(deliveryId, now);
        const { id, kind, shownTarget, sealedTarget, confirmedAt } = channel;
        const target = { id, kind, shownTarget, sealedTarget, confirmedAt };
        return [{ deliveryId, channel: target, news, alerts, at, attempt: attempts.length + 1 }];
      });
    });
  }

  /** What came of an attempt. A report of what is over, or was reported already, changes nothing. */
  report(deliveryId: string, report: AlertReport): AlertDelivery['status'] | null {
    const known = this.rows.find(deliveryId);
    if (known === null || known.status !== 'pending') return known?.status ?? null;
    if (known.attempts.some(({ at }) => at === report.attempt.at)) return known.status;
    const now = Date.now();
    const attempts = [...known.attempts, report.attempt];
    const next = nextAttemptAt(report, attempts.length, this.#parts.ladder, now);
    this.#change(() => this.rows.record(deliveryId, attempts, report.outcome === 'delivered', next));
    if (next !== null) this.#parts.ctx.waitUntil(this.#parts.wakeUps.alerts(next, now));
    return this.rows.find(deliveryId)?.status ?? null;
  }

  noteTest(channelId: string, deliveryId: string, report: AlertReport): void {
    if (this.#configuration.channel(channelId) === null) return;
    this.#change(() => this.rows.insertTest(deliveryId, channelId, report));
  }

  async #tell(now: number): Promise<void> {
    if (!this.#configuration.wasRead) await this.refresh();
    this.#change(() => this.#telling.run(now));
    await this.#ring(now);
  }

  async #tellDigests(now: number): Promise<void> {
    this.#change(() => this.#digests.run(now));
    await this.#ring(now);
  }

  /** A moment after what is due should have been taken; what is due later has a wake-up of its own. */
  #ringAt(): number | null {
    return this.#dueAt === null ? null : Math.max(this.#dueAt, this.#rungAt) + this.#parts.graceMs;
  }

  #clockWentBack(now: number): void {
    const mutedUntil = this.#configuration.mutes.map(({ until }) => until);
    this.#parts.alerts.lookAgain(now, mutedUntil);
    this.rows.endWaitsOfOtherClock(now);
    this.#dueAt = this.rows.earliestDueAt;
    this.#rungAt = 0;
  }

  async #ring(now: number): Promise<void> {
    if (this.#dueAt === null) return;
    this.#rungAt = now;
    await this.#parts.wakeUps.alerts(this.#dueAt, now);
  }

  #change<Result>(work: () => Result): Result {
    try {
      return inTransaction(this.#parts.ctx.storage, work, () => {
        this.#digests.reload();
        this.#parts.reload();
      });
    } finally {
      this.#dueAt = this.rows.earliestDueAt;
      this.#parts.arm();
    }
  }
}
