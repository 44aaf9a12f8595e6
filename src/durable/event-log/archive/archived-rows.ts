import { Tables } from '../../storage/rows.ts';
import { EventOutcomes } from '../deliveries/attempts/event-outcomes.ts';
import type { EventRows } from '../events/event-rows.ts';
import type { LogState } from '../log-state.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import { memberReceiptsJson } from '../messages/member-receipts.ts';
import type { MessageWords } from '../messages/message-words.ts';
import type { AwaitedReceipts } from './late-receipts.ts';
import type { Due } from './retention.ts';
import type { SegmentRange, Segments } from './segments.ts';

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
function segmentName(first: number, last: number): string {
  const padded = (place: number) => String(place).padStart(16, '0');
  return `${padded(first)}-${padded(last)}.ndjson.gz`;
}

type Row = { first_seq: number; count: number; at: number; bodies: string };

/** What a webhook's outcome takes, most often. */
const outcomeCharacters = 150;

/**
 * Events on their way to the archive, with their first outcomes, and the deliveries that were attempted more than once. The
 * owner of the deliveries deletes them once their events are gone.
 */
export class ArchivedEvents extends Tables implements ArchivedRows {
  readonly #events: EventRows;
  readonly #outcomes: EventOutcomes;
  readonly #state: LogState;
  readonly #accountId: string;

  constructor(sql: SqlStorage, events: EventRows, state: LogState, accountId: string) {
    super(sql);
    this.#events = events;
    this.#outcomes = new EventOutcomes(sql);
    this.#state = state;
    this.#accountId = accountId;
  }

  oldestAt(): number | null {
    const query = 'SELECT at FROM events ORDER BY first_seq LIMIT 1';
    return this.queryValue<number>(query);
  }

  next({ before, keepsUndelivered }: Due, limits: SliceLimits): Slice | null {
    const rows = this.queryAll<{ first_seq: number; count: number; at: number; characters: number }>(
      `SELECT first_seq, count, at,
           length(bodies) + count * ${outcomeCharacters} * (SELECT count(*) FROM webhook_readers) AS characters
         FROM events ORDER BY first_seq LIMIT ?`,
      limits.rowsMax,
    );
    const end = keepsUndelivered ? this.#deliveredUpTo() : Number.POSITIVE_INFINITY;
    let [first, last, lastAt] = [0, 0, 0];
    let sum = 0;
    for (const { first_seq, count, at, characters } of rows) {
      sum += characters;
      if (at >= before || first_seq + count - 1 > end || (last > 0 && sum > limits.charactersMax)) break;
      first ||= first_seq;
      last = first_seq + count - 1;
      lastAt = at;
    }
    if (last === 0) return null;
    const folder = `${this.#accountId}/events/${this.#state.generation()}`;
    const key = `${folder}/${segmentName(first, last)}`;
    return { range: { kind: 'events', first, last, lastAt, key }, isAddition: false };
  }

  lines({ first, last }: SegmentRange): string[] {
    const deliveries = this.#deliveries(first, last);
    const outcomes = this.#outcomes.between(first, last);
    let place = 0;
    return this.queryAll<Row>(
      'SELECT * FROM events WHERE first_seq BETWEEN ? AND ? ORDER BY first_seq',
      first,
      last,
    )
      .map(({ first_seq, count, at, bodies }) => {
        const begin = place;
        while ((outcomes[place]?.seq ?? Number.POSITIVE_INFINITY) < first_seq + count) place += 1;
        const json = place === begin ? 'null' : JSON.stringify(outcomes.slice(begin, place));
        return `{"firstSeq":${first_seq},"at":${at},"bodies":${bodies},"outcomes":${json}}`;
      })
      .concat(deliveries.map((delivery) => JSON.stringify({ delivery })));
  }

  #deliveries(first: number, last: number): Record<string, SqlStorageValue>[] {
    return this.queryAll(
      `SELECT deliveries.* FROM webhook_readers CROSS JOIN deliveries
         ON deliveries.webhook_id = webhook_readers.webhook_id AND deliveries.seq BETWEEN ? AND ?`,
      first,
      last,
    );
  }

  /** No webhook has yet to get anything up to here. */
  #deliveredUpTo(): number {
    const row = this.queryOne<{ read: number | null; pending: number | null }>(
      `SELECT (SELECT min(position) FROM webhook_reads) AS read,
           (SELECT min(seq) FROM deliveries WHERE next_attempt_at IS NOT NULL AND seq > 0) AS pending`,
    );
    return Math.min(row.read ?? this.#events.head, (row.pending ?? this.#events.head + 1) - 1);
  }

  delete({ last }: SegmentRange): void {
    this.#events.deleteUpTo(last);
    this.#outcomes.dropBefore(this.#events.oldestAt() ?? Date.now());
  }
}

/** What a row takes beside its content, and what each receipt takes, about. */
const rowCharacters = 500;
const receiptCharacters = 100;
/** Whatever is told of a message that waits must find it: it stays, however old it is. */
const mayGo = "status <> 'queued'";

/** Of a message to a group, who has it; null of any other. */
const receipts = `CASE WHEN chat_type = 'group' AND direction = 'outbound' THEN (${memberReceiptsJson}) END`;

interface Parts {
  sql: SqlStorage;
  words: MessageWords;
  segments: Segments;
  awaitedReceipts: AwaitedReceipts;
  accountId: string;
}

/** Messages on their way to the archive: whole rows, by their own time. */
export class ArchivedMessages extends Tables implements ArchivedRows {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.sql);
    this.#parts = parts;
  }

  oldestAt(): number | null {
    const oldest = this.#oldestId();
    return oldest === null ? null : Math.floor(oldest / idsPerMs);
  }

  next({ before }: Due, limits: SliceLimits): Slice | null {
    const rows = this.sql.exec<{ id: number; characters: number }>(
      `SELECT id, length(content) + ${rowCharacters} + ${receiptCharacters} *
         (SELECT count(*) FROM member_receipts WHERE message = messages.id) AS characters
       FROM messages WHERE id < ? AND ${mayGo} ORDER BY id LIMIT ?`,
      before * idsPerMs,
      limits.rowsMax,
    );
    let first: number | null = null;
    let last = 0;
    let end = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (const { id, characters } of rows) {
      if (first === null) {
        const segment = this.#parts.segments.from('messages', id)[0];
        // Its neighbours went before it: it waited then, or came late.
        if (segment !== undefined && segment.first <= id) return { range: segment, isAddition: true };
        first = id;
        end = segment?.first ?? end;
      }
      sum += characters;
      if (id >= end || (id > first && sum > limits.charactersMax)) break;
      last = id;
    }
    if (first === null) return null;
    const key = `${this.#parts.accountId}/messages/${segmentName(first, last)}`;
    const lastAt = Math.floor(last / idsPerMs);
    return { range: { kind: 'messages', first, last, lastAt, key }, isAddition: false };
  }

  lines({ first, last }: SegmentRange): string[] {
    const query = `SELECT *, ${receipts} AS receipts FROM messages WHERE id BETWEEN ? AND ? AND ${mayGo} ORDER BY id`;
    return this.queryAll(query, first, last).map((row) => JSON.stringify(row));
  }

  delete({ first, last }: SegmentRange): void {
    this.#parts.awaitedReceipts.expect(first, last);
    this.sql.exec('DELETE FROM member_receipts WHERE message BETWEEN ? AND ?', first, last);
    this.sql.exec(`DELETE FROM messages WHERE id BETWEEN ? AND ? AND ${mayGo}`, first, last);
    this.#parts.words.dropBefore(this.#oldestId() ?? last);
  }

  #oldestId(): number | null {
    const query = 'SELECT id FROM messages ORDER BY id LIMIT 1';
    return this.queryValue<number>(query);
  }
}
