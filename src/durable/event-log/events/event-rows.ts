import type { EventEnvelope } from '../../../contract/events.ts';
import { Tables } from '../../storage/rows.ts';
import type { EarlierCursors } from '../feed/cursor.ts';
import { LogState } from '../log-state.ts';
import type { EventDraft } from './event-draft.ts';

/** An event in the one order of its account: sequences rise by one, from 1, without gaps. */
export interface StoredEvent {
  seq: number;
  envelope: EventEnvelope;
}

/** A row holds 2 MB, and a character takes up to three bytes. */
const rowCharactersMax = 500_000;
/**
 * The last row also takes the events of further commits while it is smaller and younger than this. Adding to it costs the same
 * as a new row, but later one row is deleted instead of several. Tests make it smaller.
 */
export const openRowLimits = { charactersMax: 8_000, msMax: 60 * 60 * 1000 };
/** Characters of events in one answer of {@link EventRows.read}, but for one event at least. */
const readCharactersMax = 1_000_000;

type Row = { first_seq: number; count: number; at: number; bodies: string };
type LastRow = Row & { begun: string; characters: number };
const lastRowColumns = `first_seq, count, at, length(bodies) AS characters, bodies ->> '$[0].timestamp' AS begun`;

/** The row that further events may be added to. */
interface OpenRow {
  firstSeq: number;
  /** When its first events happened; milliseconds since 1970. */
  begunAt: number;
  characters: number;
}

/**
 * The events of an account. A row has the events of one commit, or of several small ones within an hour, as a JSON array. The
 * time of a row is that of its last event.
 */
export class EventRows extends Tables {
  readonly #state: LogState;
  #head = 0;
  #lastAt = 0;
  #oldest = 1;
  #open: OpenRow | null = null;
  #earlier: readonly EarlierCursors[] = [];

  constructor(sql: SqlStorage) {
    super(sql);
    this.#state = new LogState(sql);
    this.reload();
  }

  /** The sequence of the newest event; 0: there was none yet. */
  get head(): number {
    return this.#head;
  }

  /** See {@link EarlierCursors}. */
  get earlier(): readonly EarlierCursors[] {
    return this.#earlier;
  }

  /** The sequence of the oldest event that is kept here; one above the head when there is none. */
  get oldest(): number {
    return this.#oldest;
  }

  /**
   * Appends events; call it inside the transaction of the change that they report. All get the time of this commit. Times
   * never fall: if the clock was set back, events keep the last time until it catches up.
   */
  append(drafts: readonly EventDraft[], at: number): StoredEvent[] {
    if (drafts.length === 0) return [];
    this.#lastAt = Math.max(this.#lastAt, at);
    const timestamp = new Date(this.#lastAt).toISOString();
    const first = this.#head + 1;
    const stored = drafts.map(({ id, event, data }, index) => ({
      seq: first + index,
      envelope: { id, event, timestamp, data } as EventEnvelope,
    }));
    const bodies = stored.map(({ envelope }) => JSON.stringify(envelope));
    if (!this.#addToOpen(bodies)) for (const row of rowsOf(bodies)) this.#insert(row);
    return stored;
  }

  /** False: the last row is too large, or too old. */
  #addToOpen(bodies: readonly string[]): boolean {
    const open = this.#open;
    const added = `,${bodies.join(',')}]`;
    if (open === null || this.#lastAt - open.begunAt >= openRowLimits.msMax) return false;
    if (open.characters + added.length > openRowLimits.charactersMax) return false;
    this.sql.exec(
      `UPDATE events SET count = count + ?, at = ?, bodies = substr(bodies, 1, length(bodies) - 1) || ?
       WHERE first_seq = ?`,
      ...[bodies.length, this.#lastAt, added, open.firstSeq],
    );
    open.characters += added.length;
    this.#head += bodies.length;
    return true;
  }

  #insert(bodies: readonly string[]): void {
    const json = `[${bodies.join(',')}]`;
    const firstSeq = this.#head + 1;
    this.sql.exec(
      'INSERT INTO events (first_seq, count, at, bodies) VALUES (?, ?, ?, ?)',
      ...[firstSeq, bodies.length, this.#lastAt, json],
    );
    this.#open = { firstSeq, begunAt: this.#lastAt, characters: json.length };
    this.#head += bodies.length;
  }

  /** Events behind `after`, oldest first; fewer than `limit` also when they are large. */
  read(after: number, limit: number): StoredEvent[] {
    const found: StoredEvent[] = [];
    let characters = 0;
    const rows = this.sql.exec<Row>(
      `SELECT first_seq, bodies FROM events
       WHERE first_seq >= coalesce((SELECT max(first_seq) FROM events WHERE first_seq <= ?1), ?1)
       ORDER BY first_seq`,
      after + 1,
    );
    for (const { first_seq, bodies } of rows) {
      characters += bodies.length;
      if (found.length > 0 && characters > readCharactersMax) break;
      const envelopes: EventEnvelope[] = JSON.parse(bodies);
      for (const [index, envelope] of envelopes.entries()) {
        if (first_seq + index > after) found.push({ seq: first_seq + index, envelope });
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  /** Events behind `after`, up to and with `last`; some at a time are in memory. */
  *readTo(after: number, last: number): Generator<StoredEvent> {
    for (let place = after; place < last; ) {
      const read = this.read(place, last - place);
      yield* read;
      place = read.at(-1)?.seq ?? last;
    }
  }

  /** When the oldest event that is kept happened; milliseconds since 1970. Null: there is none. */
  oldestAt(): number | null {
    const query = "SELECT bodies ->> '$[0].timestamp' FROM events ORDER BY first_seq LIMIT 1";
    const begun = this.queryValue<string>(query);
    return begun === null ? null : Date.parse(begun);
  }

  /** When the last event of its row was stored; milliseconds since 1970. Null: it is not kept here. */
  timeOf(seq: number): number | null {
    return this.#rowOf(seq)?.at ?? null;
  }

  /** The sequence before the first event at or after a time; milliseconds since 1970. Times never fall, so it is halved. */
  seqAt(since: number): number {
    let [low, high] = [this.#oldest, this.#head + 1];
    while (low < high) {
      const row = this.#rowOf(Math.floor((low + high) / 2));
      if (row === null || row.at >= since) high = row?.first_seq ?? low;
      else low = row.first_seq + row.count;
    }
    return low - 1 + this.#countBefore(low, since);
  }

  /** How many events of the row that begins at `firstSeq` happened before a time. */
  #countBefore(firstSeq: number, since: number): number {
    const query = 'SELECT bodies FROM events WHERE first_seq = ? AND count > 1';
    const row = this.queryFirst<Pick<Row, 'bodies'>>(query, firstSeq);
    if (row === undefined) return 0;
    const envelopes: EventEnvelope[] = JSON.parse(row.bodies);
    return envelopes.filter(({ timestamp }) => Date.parse(timestamp) < since).length;
  }

  /** Deletes whole rows, oldest first, whose events are all at or below `seq`. Call it inside a transaction. */
  deleteUpTo(seq: number): void {
    // The sequence goes on also when nothing is left.
    if (seq >= this.#head) this.#state.put('events.head', { seq: this.#head, at: this.#lastAt });
    this.sql.exec('DELETE FROM events WHERE first_seq <= ?1 AND first_seq + count - 1 <= ?1', seq);
    this.reload();
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    const select = (columns: string) => `SELECT ${columns} FROM events ORDER BY first_seq`;
    const last = this.queryFirst<LastRow>(`${select(lastRowColumns)} DESC LIMIT 1`);
    const first = this.queryFirst<Row>(`${select('first_seq')} LIMIT 1`);
    const left = last ? null : this.#state.get<{ seq: number; at: number }>('events.head');
    this.#head = last ? last.first_seq + last.count - 1 : (left?.seq ?? 0);
    this.#lastAt = last?.at ?? left?.at ?? 0;
    this.#oldest = first?.first_seq ?? this.#head + 1;
    this.#earlier = this.#state.get<EarlierCursors[]>('earlierCursors') ?? [];
    this.#open = last
      ? { firstSeq: last.first_seq, begunAt: Date.parse(last.begun), characters: last.characters }
      : null;
  }

  /** The row that an event stands in. */
  #rowOf(seq: number): Row | null {
    const select = 'SELECT first_seq, count, at FROM events WHERE first_seq <= ?';
    return this.queryFirst<Row>(`${select} ORDER BY first_seq DESC LIMIT 1`, seq) ?? null;
  }
}

/** Splits what does not fit into one row. */
function rowsOf(bodies: readonly string[]): string[][] {
  const rows: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const body of bodies) {
    if (characters + body.length > rowCharactersMax) {
      rows.push([]);
      characters = 0;
    }
    rows.at(-1)?.push(body);
    characters += body.length;
  }
  return rows;
}
