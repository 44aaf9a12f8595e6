import { newEventId } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';
import type { LogState } from '../log-state.ts';

const minuteOf = (at: number) => Math.floor(at / 60_000);

/** That the quota is used up is told at most once a minute. */
export class QuotaFacts {
  readonly #state: LogState;

  constructor(state: LogState) {
    this.#state = state;
  }

  exceeded({ at, used, limit, resetAt }: Extract<Fact, { kind: 'quota.exceeded' }>): EventDraft[] {
    const last = this.#state.get<number>('quota.exceededAt');
    if (last !== null && minuteOf(at) <= minuteOf(last)) return [];
    this.#state.put('quota.exceededAt', at);
    return [{ id: newEventId(), event: 'quota.exceeded', data: { used, limit, resetAt } }];
  }
}
