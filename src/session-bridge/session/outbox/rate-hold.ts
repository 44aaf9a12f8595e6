import { LRUCache } from 'lru-cache';

const holdMsMax = 15 * 60_000;
const reachedMax = 2_000;

/**
 * The network limits queries about people. Until that is over, no message leaves that needs a query; messages to known
 * recipients need none. Each time the network limits again, the wait is twice as long.
 */
export class RateHold {
  readonly #reached = new LRUCache<string, true>({ max: reachedMax });
  /** By the clock of `performance.now()`. */
  #untilMs = 0;
  #times = 0;
  readonly #firstMs: number;

  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  /** The network has just limited a question; how long nothing more is asked. */
  limited(): number {
    const stepMs = Math.min(this.#firstMs * 2 ** this.#times, holdMsMax);
    this.#times += 1;
    // From all to half as much again: those who were limited together do not come back together.
    const waitMs = stepMs * (1 + Math.random() / 2);
    this.#untilMs = Math.max(this.#untilMs, performance.now() + waitMs);
    return waitMs;
  }

  /** A message to this recipient could be prepared. */
  reached(recipient: string): void {
    if (performance.now() >= this.#untilMs) this.#times = 0;
    this.#reached.set(recipient, true);
  }

  /** How long a message to this recipient waits; 0 for not at all. */
  waitMs(recipient: string): number {
    return this.#reached.has(recipient) ? 0 : Math.max(0, this.#untilMs - performance.now());
  }
}
