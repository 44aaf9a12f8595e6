import { LRUCache } from 'lru-cache';

const holdMsMax = 15 * 60_000;
const reachedMax = 2_000;

/**
 * The network limits how often it may be asked about people. Until that is over nothing leaves that has to ask first;
 * whoever was written to before needs no asking. Each time that it limits again, the wait is twice as long.
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
