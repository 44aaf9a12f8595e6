import { type Refusal, refuse } from '../../contract/errors.ts';
import type { EventRelay } from '../event-relay.ts';
import { newEventId } from '../new-ids.ts';
import { messageSweep, type TableSweep } from '../table-sweep.ts';
import { messagesAMonth, type Plans, periodOf, resetAt, tellsExceeded } from './quota.ts';
import type { SendCounts } from './send-counts.ts';

/** How long it is known what was given back: two months, as long as its number may still say so. */
const keptMs = 62 * 24 * 3600 * 1000;

/** The answer of `GET /v1/usage`. */
export interface Usage {
  period: string;
  used: number;
  limit: number;
  resetAt: string;
  byNumber: { numberId: string; used: number }[];
  byDay: { day: string; used: number }[];
}

/** Whether one more message may be counted this month. */
export class QuotaGate {
  readonly #sql: SqlStorage;
  readonly #givenBack: TableSweep;
  readonly #counts: SendCounts;
  readonly #plans: Plans;
  readonly #relay: EventRelay;

  constructor(sql: SqlStorage, counts: SendCounts, plans: Plans, relay: EventRelay) {
    this.#sql = sql;
    this.#givenBack = messageSweep(sql, 'given_back', keptMs);
    this.#counts = counts;
    this.#plans = plans;
    this.#relay = relay;
  }

  usage(plan: string, now: number): Usage {
    const period = periodOf(now);
    const used = this.#counts.used(period);
    const limit = messagesAMonth(this.#plans, plan);
    return { period, used, limit, resetAt: resetAt(period), ...this.#counts.breakdown(period) };
  }

  /** 402 with used, limit and resetAt; null while there is room. */
  refusal(plan: string, now: number): Refusal | null {
    const period = periodOf(now);
    const used = this.#counts.used(period);
    const limit = messagesAMonth(this.#plans, plan);
    if (used < limit) return null;
    return refuse('QUOTA_EXCEEDED', `The quota of ${limit} messages a month is used up.`, {
      details: [{ used, limit, resetAt: resetAt(period) }],
    });
  }

  /** Stores `quota.exceeded` when it is time for one; false when it is not. Call inside a transaction. */
  tellExceeded(plan: string, now: number): boolean {
    const period = periodOf(now);
    const used = this.#counts.used(period);
    if (!tellsExceeded(this.#counts.exceededAt(period), now)) return false;
    this.#counts.noteExceededTold(period, now);
    const data = { used, limit: messagesAMonth(this.#plans, plan), resetAt: resetAt(period) };
    const timestamp = new Date(now).toISOString();
    const envelope = { id: newEventId(), event: 'quota.exceeded' as const, timestamp, data };
    this.#relay.append([{ envelope, message: null, device: null }], now);
    return true;
  }

  /** Messages that failed before they left count no longer; each once. Call inside a transaction. */
  giveBack(messages: readonly { messageId: string; queuedAt: number }[], numberId: string): void {
    for (const { messageId, queuedAt } of messages) {
      const isNew = this.#sql
        .exec('INSERT OR IGNORE INTO given_back VALUES (?) RETURNING 1', messageId)
        .toArray();
      if (isNew.length > 0) this.#counts.takeOff(numberId, queuedAt);
    }
  }

  sweep(now: number): boolean {
    return this.#givenBack.sweep(now);
  }
}
