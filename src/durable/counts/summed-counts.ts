import { Tables } from '../storage/rows.ts';
import type { Counts } from './counted.ts';

export const countsTableSql = `
  -- What the deployment has counted, as it was shown last: names and figures as JSON.
  CREATE TABLE counts (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
`;

/** Between two rows: what comes in meanwhile waits for the next one. */
const storeEveryMs = 10_000;

/**
 * The counts of the whole deployment. Only stored figures are shown, so none ever falls, not even after an eviction: a reader
 * would take a lower figure for a reset counter. Counts since the last stored row are lost if the object is evicted before the
 * next call.
 */
export class SummedCounts extends Tables {
  #sums: Counts | null = null;
  #isStored = true;
  #storedAt = 0;

  /** Adds what somebody has counted. */
  add(counts: Counts, now: number): void {
    const sums = this.#read();
    for (const [key, by] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + by;
    this.#isStored = false;
    if (now - this.#storedAt >= storeEveryMs) this.store(now);
  }

  /** The sums by name. */
  shown(now: number): Counts {
    this.store(now);
    return this.#read();
  }

  /** Stores what is not stored yet. */
  store(now: number): void {
    if (this.#isStored) return;
    this.sql.exec('INSERT OR REPLACE INTO counts (id, json) VALUES (1, ?)', JSON.stringify(this.#sums));
    this.#isStored = true;
    this.#storedAt = now;
  }

  #read(): Counts {
    this.#sums ??= this.queryJson<Counts>('SELECT json FROM counts') ?? {};
    return this.#sums;
  }
}
