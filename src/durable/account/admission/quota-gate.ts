import { type Refusal, refuse } from '../../../contract/errors.ts';
import { type Plans, planOf } from '../../../settings/plans.ts';
import type { Fact } from '../../event-log/facts.ts';
import { Tables } from '../../storage/rows.ts';
import { resetAt as periodEnd, periodOf, type SendCounts, tellsExceeded } from './send-counts.ts';

/** The answer of `GET /v1/usage`. */
export interface Usage {
  period: string;
  used: number;
  /** Null: as many as it likes. */
  limit: number | null;
  resetAt: string;
  byNumber: { numberId: string; used: number }[];
  byDay: { day: string; used: number }[];
}

/** Of the quota, from which on its owner is warned. */
const warningShare = 0.8;

/** Whether one more message may be counted this month. */
export class QuotaGate extends Tables {
  readonly #counts: SendCounts;
  readonly #plans: Plans;
  /** The last period of which it was told that most is used, as far as this life of the object knows. */
  #warnedPeriod: string | null = null;

  constructor(sql: SqlStorage, counts: SendCounts, plans: Plans) {
    super(sql);
    this.#counts = counts;
    this.#plans = plans;
  }

  usage(plan: string, now: number): Usage {
    const standing = this.#standing(plan, now);
    return { ...standing, ...this.#counts.breakdown(standing.period) };
  }

  /** 402 with used, limit and resetAt; null while there is room. */
  refusal(plan: string, now: number): Refusal | null {
    const { used, limit, resetAt } = this.#standing(plan, now);
    if (limit === null || used < limit) return null;
    return refuse('QUOTA_EXCEEDED', `The quota of ${limit} messages a month is used up.`, {
      details: [{ used, limit, resetAt }],
    });
  }

  /** What the log is to be told of an accepted send: that most of the quota is used, once a period. Call inside a transaction. */
  noteUsed(plan: string, now: number): Fact | null {
    const { period, used, limit, resetAt } = this.#standing(plan, now);
    if (limit === null || used < Math.ceil(limit * warningShare) || this.#warnedPeriod === period)
      return null;
    const isNews = this.queryAny(
      `INSERT INTO quota (period, exceeded_at, warned_at) VALUES (?1, 0, ?2)
         ON CONFLICT DO UPDATE SET warned_at = ?2 WHERE warned_at IS NULL RETURNING 1`,
      period,
      now,
    );
    this.#warnedPeriod = period;
    if (!isNews) return null;
    return { kind: 'quota.warning', at: now, used, limit, resetAt };
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#warnedPeriod = null;
  }

  /** What the log has to be told of a rejected send; null when it was told of another a moment ago. Call inside a transaction. */
  noteExceeded(plan: string, now: number): Fact | null {
    const { period, used, limit, resetAt } = this.#standing(plan, now);
    const toldAt = this.queryValue<number>('SELECT exceeded_at FROM quota WHERE period = ?', period);
    if (!tellsExceeded(toldAt, now)) return null;
    this.sql.exec(
      `INSERT INTO quota (period, exceeded_at) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET exceeded_at = excluded.exceeded_at`,
      period,
      now,
    );
    return limit === null ? null : { kind: 'quota.exceeded', at: now, used, limit, resetAt };
  }

  /** A row a month: forgets those of two years ago. */
  sweep(now: number): boolean {
    this.sql.exec('DELETE FROM quota WHERE period < ?', periodOf(now - 730 * 24 * 3600 * 1000));
    return true;
  }

  /** How much of the quota is used in the present period. */
  #standing(plan: string, now: number): Omit<Usage, 'byNumber' | 'byDay'> {
    const period = periodOf(now);
    const limit = planOf(this.#plans, plan).messagesAMonth;
    return { period, used: this.#counts.used(period), limit, resetAt: periodEnd(period) };
  }
}
