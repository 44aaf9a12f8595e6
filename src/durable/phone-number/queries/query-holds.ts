import type { QueryVerb } from '../../../contract/bridge/network-queries.ts';
import type { NumberState } from '../number-state.ts';

/** How long a kind of question rests after the network limited it; doubled each time in a row. */
const firstHoldMs = 30_000;
const holdMsMax = 15 * 60_000;

interface Hold {
  until: number;
  /** How often in a row. */
  times: number;
}

type Holds = Partial<Record<QueryVerb, Hold>>;

/** Which questions the network will not hear for a while: to ask on would only make it longer. Outlives an eviction. */
export class QueryHolds {
  readonly #state: NumberState;

  constructor(state: NumberState) {
    this.#state = state;
  }

  /** Until when nobody may ask; null where one may. */
  until(verb: QueryVerb, now: number): number | null {
    const hold = this.#all()[verb];
    return hold && hold.until > now ? hold.until : null;
  }

  /** The network has limited this question. Answers until when it rests. */
  limited(verb: QueryVerb, now: number): number {
    const holds = this.#all();
    const times = (holds[verb]?.times ?? 0) + 1;
    const until = now + Math.min(firstHoldMs * 2 ** (times - 1), holdMsMax);
    this.#state.put('queryHolds', { ...holds, [verb]: { until, times } } satisfies Holds);
    return until;
  }

  /** The network has answered. */
  answered(verb: QueryVerb): void {
    const { [verb]: held, ...rest } = this.#all();
    if (held) this.#state.put('queryHolds', rest);
  }

  #all(): Holds {
    return this.#state.get<Holds>('queryHolds') ?? {};
  }
}
