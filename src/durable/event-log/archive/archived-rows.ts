import type { Due } from './retention.ts';
import type { SegmentRange } from './segments/segments.ts';

/** At most so many rows, and about so many characters, go into one segment. */
export interface SliceLimits {
  rowsMax: number;
  charactersMax: number;
}

export interface Slice {
  range: SegmentRange;
  /** There is a segment of this range already, and its rows are kept. */
  isAddition: boolean;
}

/** A kind of rows that go to the archive some day. */
export interface ArchivedRows {
  /** When the oldest one happened, also one that may not go yet; milliseconds since 1970, null: there is none. */
  oldestAt(): number | null;
  /** The oldest rows that may go, as many as fit into a slice; null: there are none. */
  next(due: Due, limits: SliceLimits): Slice | null;
  /** The rows of a range as they stand now: JSON, one a line. */
  lines(range: SegmentRange): string[];
  /** Deletes what `lines` gives. Call it inside a transaction. */
  delete(range: SegmentRange): void;
}

/** Names sort as the numbers in them do. */
export function segmentName(first: number, last: number): string {
  const padded = (place: number) => String(place).padStart(16, '0');
  return `${padded(first)}-${padded(last)}.ndjson.gz`;
}
