import type { EventRows, StoredEvent } from '../events/event-rows.ts';

const keptMax = 500;
const readMax = 200;

/** Events for several readers that are about equally far: what one of them has read, the others find in memory. */
export class RecentEvents {
  readonly #rows: EventRows;
  /** Without a gap, ascending. */
  #kept: StoredEvent[] = [];

  constructor(rows: EventRows) {
    this.#rows = rows;
  }

  get head(): number {
    return this.#rows.head;
  }

  get oldest(): number {
    return this.#rows.oldest;
  }

  /** Events behind `after`, oldest first; only the end of the sequence answers with none. */
  read(after: number): readonly StoredEvent[] {
    const first = this.#kept[0]?.seq ?? 0;
    const last = this.#kept.at(-1)?.seq ?? 0;
    if (after >= this.head) return [];
    if (after >= first - 1 && after < last) {
      return this.#kept.slice(after - first + 1, after - first + 1 + readMax);
    }
    const read = this.#rows.read(after, readMax);
    // A reader that is far behind must not drive out what the others read.
    if (after === last) this.#kept = [...this.#kept, ...read].slice(-keptMax);
    else if (after > last) this.#kept = read;
    return read;
  }

  find(seq: number): StoredEvent | null {
    const first = this.#kept[0]?.seq ?? 0;
    const kept = this.#kept[seq - first];
    if (kept !== undefined) return kept;
    const [event] = this.#rows.read(seq - 1, 1);
    return event?.seq === seq ? event : null;
  }
}
