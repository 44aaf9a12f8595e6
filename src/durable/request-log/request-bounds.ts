import type { RequestBatch } from './request-entry.ts';

/** What is kept of a minute: beyond it failures are still counted. */
const aMinute = { successes: 300, failures: 300, bodies: 30 };

/** So that no load fills the log: what the isolates have picked is bounded once more. In memory: a new life begins a new minute. */
export class RequestBounds {
  #minute = 0;
  #left = { ...aMinute };

  /** Those that are still kept in this minute. */
  keep(entries: RequestBatch['entries'], now: number): RequestBatch['entries'] {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#left = { ...aMinute };
    }
    return entries.flatMap((entry) => {
      const kind = entry.status < 400 ? 'successes' : 'failures';
      if (this.#left[kind] === 0) return [];
      this.#left[kind] -= 1;
      if (entry.bodies === null) return [entry];
      if (this.#left.bodies === 0) return [{ ...entry, bodies: null }];
      this.#left.bodies -= 1;
      return [entry];
    });
  }
}
