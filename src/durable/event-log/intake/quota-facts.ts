import type { AlertKind } from '../../../contract/alerts/alerts.ts';
import { newEventId } from '../../new-ids.ts';
import type { AlertRows } from '../alerts/alert-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';
import type { LogState } from '../log-state.ts';

const minuteOf = (at: number) => Math.floor(at / 60_000);

/** That the quota is used up is told at most once a minute. */
export class QuotaFacts {
  readonly #state: LogState;
  readonly #alerts: AlertRows;

  constructor(state: LogState, alerts: AlertRows) {
    this.#state = state;
    this.#alerts = alerts;
  }

  /** Most of it is used: no event tells of it, but an alert. */
  warning({ at, used, limit, resetAt }: Extract<Fact, { kind: 'quota.warning' }>): EventDraft[] {
    if (Date.parse(resetAt) > at) this.#raise('quota.warning', at, { used, limit, resetAt });
    return [];
  }

  exceeded({ at, used, limit, resetAt }: Extract<Fact, { kind: 'quota.exceeded' }>): EventDraft[] {
    const last = this.#state.get<number>('quota.exceededAt');
    if (last !== null && minuteOf(at) <= minuteOf(last)) return [];
    this.#state.put('quota.exceededAt', at);
    this.#alerts.end(['quota.warning'], subjectOf(resetAt), at);
    this.#raise('quota.exceeded', at, { used, limit, resetAt });
    return [{ id: newEventId(), event: 'quota.exceeded', data: { used, limit, resetAt } }];
  }

  /** One a period, and over with it. */
  #raise(kind: AlertKind, at: number, detail: { used: number; limit: number; resetAt: string }): void {
    const { resetAt } = detail;
    this.#alerts.raise({ kind, subject: subjectOf(resetAt), at, detail, endsAt: Date.parse(resetAt) });
  }
}

/** The period that ends then: `quota:2026-01`. */
const subjectOf = (resetAt: string) => `quota:${new Date(Date.parse(resetAt) - 1).toISOString().slice(0, 7)}`;
