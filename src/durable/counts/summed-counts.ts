import type { Counts } from './counted.ts';

export const countsTableSql = `
  -- What the deployment has counted, as it was shown last: names and figures as JSON.
  CREATE TABLE counts (id INTEGER PRIMARY KEY CHECK (id = 1), json TEXT NOT NULL);
`;

/** Where nobody asks, what has come in is stored after so long. */
const storeAfterMs = 60_000;

/**
 * What the whole deployment has counted. Shown is what is stored, so no figure ever falls, not even when this life ends
 * at once: a figure that falls would be taken for one that began anew. It is stored when somebody asks, and else once a minute.
 */
export class SummedCounts {
  readonly #sql: SqlStorage;
  #sums: Counts | null = null;
  #isStored = true;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds what somebody has counted. Writes nothing yet. */
  add(counts: Counts): void {
    const sums = this.#read();
    for (const [key, by] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + by;
    this.#isStored = false;
    // A life that sleeps forgets what is in memory: until it is stored the wait keeps it awake.
    this.#timer ??= setTimeout(() => this.#store(), storeAfterMs);
  }

  /** The sums by name. */
  shown(): Counts {
    this.#store();
    return this.#read();
  }

  #read(): Counts {
    if (this.#sums === null) {
      const row = this.#sql.exec<{ json: string }>('SELECT json FROM counts').toArray()[0];
      this.#sums = row === undefined ? {} : (JSON.parse(row.json) as Counts);
    }
    return this.#sums;
  }

  #store(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isStored) return;
    this.#sql.exec('INSERT OR REPLACE INTO counts (id, json) VALUES (1, ?)', JSON.stringify(this.#sums));
    this.#isStored = true;
  }
}
