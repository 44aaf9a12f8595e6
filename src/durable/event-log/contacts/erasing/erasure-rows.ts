import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../../storage/rows.ts';
import type { ErasedPerson } from './erased-person.ts';

/** In this order. */
export const erasureStages = ['conversations', 'messages', 'receipts', 'events', 'archive', 'done'] as const;
type ErasureStage = (typeof erasureStages)[number];

/** What was erased so far. */
export interface ErasedCounts {
  messages: number;
  files: number;
  events: number;
  archived: number;
  /** Rows of campaigns, and conversations: told by whoever keeps them. */
  campaignRecipients: number;
  conversations: number;
  notes: number;
}

/** Times are milliseconds since 1970. */
export interface Erasure {
  erasureId: string;
  /** Null once it is over: nobody is to know any more whom it was about. */
  person: ErasedPerson | null;
  stage: ErasureStage;
  /** Where in the stage it is. */
  place: string | null;
  counts: ErasedCounts;
  begunAt: number;
  finishedAt: number | null;
}

export const erasureTablesSql = `
  -- Contacts that are being erased, and that were. person: JSON, until it is over.
  CREATE TABLE contact_erasures (
    erasure_id TEXT PRIMARY KEY,
    person TEXT,
    stage TEXT NOT NULL,
    place TEXT,
    counts TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    finished_at INTEGER
  ) WITHOUT ROWID;
`;

export const erasedFilesSql = `
  -- Files of messages with the person whom an erasure is about, until it is over: an event may name one by its ID alone.
  CREATE TABLE erased_files (
    erasure_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    PRIMARY KEY (erasure_id, file_id)
  ) WITHOUT ROWID;
`;

export class ErasureRows extends Tables {
  find(erasureId: string): Erasure | null {
    return this.#read('erasure_id = ?', erasureId)[0] ?? null;
  }

  /** How many are over; null while one goes on. */
  finished(): number | null {
    if (this.next() !== null) return null;
    return this.queryOne<{ n: number }>('SELECT count(*) AS n FROM contact_erasures').n;
  }

  /** The oldest one that goes on. */
  next(): Erasure | null {
    return this.#read("stage <> 'done' ORDER BY erasure_id LIMIT 1")[0] ?? null;
  }

  put(erasure: Erasure): void {
    insertRow(this.sql, 'INSERT OR REPLACE INTO contact_erasures', rowOf(erasure));
    if (erasure.stage === 'done')
      this.sql.exec('DELETE FROM erased_files WHERE erasure_id = ?', erasure.erasureId);
  }

  addFiles({ erasureId }: Erasure, fileIds: readonly string[]): void {
    this.sql.exec(
      'INSERT OR IGNORE INTO erased_files SELECT ?, value FROM json_each(?)',
      ...[erasureId, JSON.stringify(fileIds)],
    );
  }

  files({ erasureId }: Erasure): string[] {
    return this.queryAll<{ id: string }>(
      'SELECT file_id AS id FROM erased_files WHERE erasure_id = ?',
      erasureId,
    ).map(({ id }) => id);
  }

  #read(condition: string, ...values: SqlStorageValue[]): Erasure[] {
    return this.queryAll<RowOf<Erasure>>(`SELECT * FROM contact_erasures WHERE ${condition}`, ...values).map(
      (row) => fieldsOf<Erasure>(row, ['person', 'counts']),
    );
  }
}
