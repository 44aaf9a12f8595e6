const windowMs = 100;
/** About a hundred messages a second over all numbers, each with its outcome, its receipt and its keys. */
const rowsOfHighTide = 30;

/**
 * Whether the numbers of a bridge together have much to tell. Then facts wait a little longer for company: a frame
 * costs the edge far more than what it carries.
 */
export class FactTide {
  #windowBeganAt = 0;
  #rows = 0;
  #isHigh = false;

  /** Counts a fact; whether the tide is high. `now` in milliseconds of any clock that rises. */
  isHighAfter(now: number): boolean {
    const sinceMs = now - this.#windowBeganAt;
    if (sinceMs >= windowMs) {
      this.#isHigh = this.#rows >= rowsOfHighTide && sinceMs < 2 * windowMs;
      this.#windowBeganAt = now;
      this.#rows = 0;
    }
    this.#rows += 1;
    return this.#isHigh || this.#rows >= rowsOfHighTide;
  }
}
