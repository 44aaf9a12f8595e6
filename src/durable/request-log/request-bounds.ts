import type { RequestBatch } from './request-entry.ts';

/** What is kept of a minute: beyond it failures are still counted. */
const aMinute = { successes: 300, failures: 300, bodies: 30 };

/**
 * Bounds what all isolates together may add in a minute, so that no load fills the log. In memory: after an eviction a new minute
 * begins.
 */
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
