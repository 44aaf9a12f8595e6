import type { LogState } from '../../log-state.ts';
import { leaseMs } from '../delivery-order.ts';

const name = 'deliveries.leasedUntil';

/**
 * How long what is open at the beginning of a life must wait: a life before may have ended with attempts under way,
 * and by then they are over. It is stored, for an object that sleeps meanwhile must not wait anew after each sleep.
 */
export class AttemptLease {
  readonly #state: LogState;
  readonly until: number;
  #isStored: boolean;

  constructor(state: LogState, bornAt: number) {
    this.#state = state;
    const stored = state.get<number>(name);
    this.until = stored ?? bornAt + leaseMs;
    this.#isStored = stored !== null;
  }

  /** Something is open, and waits for its end. */
  store(): void {
    if (this.#isStored) return;
    this.#isStored = true;
    this.#state.put(name, this.until);
  }

  /** Nothing waits for it any more. */
  end(): void {
    if (!this.#isStored) return;
    this.#isStored = false;
    this.#state.remove(name);
  }
}
