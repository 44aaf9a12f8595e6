import type { EventRows, StoredEvent } from '../events/event-rows.ts';
import type { ArchiveReader } from './archive-reader.ts';

/** All events that can be asked for, in one sequence: those that had to be archived early, and those in the tables. */
export class KeptEvents {
  readonly #rows: EventRows;
  readonly #archive: ArchiveReader;

  constructor(rows: EventRows, archive: ArchiveReader) {
    this.#rows = rows;
    this.#archive = archive;
  }

  get oldest(): number {
    return this.#archive.oldestEvent(Date.now()) ?? this.#rows.oldest;
  }

  get head(): number {
    return this.#rows.head;
  }

  get earlier() {
    return this.#rows.earlier;
  }

  /** Events behind `after`, oldest first; at least one where there is one. */
  async read(after: number, limit: number): Promise<StoredEvent[]> {
    if (after + 1 < this.#rows.oldest) {
      const archived = await this.#archive.events(after, limit, Date.now());
      if (archived.length > 0) return archived;
    }
    return this.#rows.read(after, limit);
  }
}
