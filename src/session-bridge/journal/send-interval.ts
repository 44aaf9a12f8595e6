const windowMs = 100;
/** About a hundred messages a second over all numbers, each with its outcome, its receipt and its keys. */
const factsOfBusyWindow = 30;
/** How long facts wait for others while the bridge is busy. */
const busyIntervalMs = 100;

/**
 * How long a fact waits for others before they are sent together. It is a little longer while the numbers of a bridge together
 * report a lot, since a frame costs the edge far more than its contents.
 */
export class SendInterval {
  readonly #quietIntervalMs: number;
  #windowBeganAt = 0;
  #facts = 0;
  #isBusy = false;

  constructor(quietIntervalMs: number) {
    this.#quietIntervalMs = quietIntervalMs;
  }

  /** Counts a fact; how long it waits. `now` in milliseconds of any clock that rises. */
  afterFact(now: number): number {
    const sinceMs = now - this.#windowBeganAt;
    if (sinceMs >= windowMs) {
      this.#isBusy = this.#facts >= factsOfBusyWindow && sinceMs < 2 * windowMs;
      this.#windowBeganAt = now;
      this.#facts = 0;
    }
    this.#facts += 1;
    const isBusy = this.#isBusy || this.#facts >= factsOfBusyWindow;
    return isBusy ? Math.max(this.#quietIntervalMs, busyIntervalMs) : this.#quietIntervalMs;
  }
}
