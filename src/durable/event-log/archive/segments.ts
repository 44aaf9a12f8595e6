import { Tables } from '../../storage/rows.ts';
export type SegmentKind = 'events' | 'messages';

/** A range of rows, and what it is called in R2. Ranges of one kind never overlap. */
export interface SegmentRange {
  kind: SegmentKind;
  /** Sequences of events, ids of messages; both included. */
  first: number;
  last: number;
  /** When the newest of its rows happened; milliseconds since 1970. */
  lastAt: number;
  key: string;
}

/** One object in R2, of compressed lines: a row each. */
export interface Segment extends SegmentRange {
  /** As it is stored. */
  bytes: number;
  rows: number;
}

export const segmentsSql = `
  -- What is in R2, and not in the tables any more.
  CREATE TABLE segments (
    kind TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    key TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    PRIMARY KEY (kind, last)
  ) WITHOUT ROWID;
  CREATE INDEX segments_by_time ON segments (kind, last_at);
`;

const select = 'SELECT kind, first, last, last_at AS lastAt, key, bytes, rows FROM segments';

/** The table of contents of an account's archive. */
export class Segments extends Tables {
  /** It is in R2 now, with so many rows more than before. Call it in the transaction that deletes them here. */
  note(range: SegmentRange, bytes: number, addedRows: number): void {
    this.sql.exec(
      `INSERT INTO segments (kind, first, last, last_at, key, bytes, rows) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET bytes = excluded.bytes, rows = rows + excluded.rows`,
      range.kind,
      range.first,
      range.last,
      range.lastAt,
      range.key,
      bytes,
      addedRows,
    );
  }

  /** The first segments that end at or behind `place`. */
  from(kind: SegmentKind, place: number, limit = 1): Segment[] {
    return this.#read(`${select} WHERE kind = ? AND last >= ? ORDER BY last LIMIT ?`, kind, place, limit);
  }

  /** Those with messages below `beforeId` and not below `downTo`, newest first. */
  messagesBelow(beforeId: number, downTo: number, limit: number): Segment[] {
    const around = this.from('messages', beforeId).filter(({ first }) => first < beforeId);
    const below = this.#read(
      `${select} WHERE kind = 'messages' AND last < ? AND last >= ? ORDER BY last DESC LIMIT ?`,
      beforeId,
      downTo,
      limit,
    );
    return [...around, ...below].slice(0, limit);
  }

  /** The first segment of events whose newest one is not older than `at`. */
  eventsSince(at: number): Segment | null {
    const order = 'ORDER BY last_at, last LIMIT 1';
    return this.#read(`${select} WHERE kind = 'events' AND last_at >= ? ${order}`, at)[0] ?? null;
  }

  #read(query: string, ...values: SqlStorageValue[]): Segment[] {
    return this.queryAll(query, ...values) as unknown as Segment[];
  }
}
