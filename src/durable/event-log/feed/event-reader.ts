import type { Refusal } from '../../../contract/errors.ts';
import type { EventEnvelope, EventName } from '../../../contract/events.ts';
import type { StoredEvent } from '../events/event-rows.ts';
import { type EarlierCursors, encodeCursor, streamStart } from './cursor.ts';

/** An event as the stream shows it: the body of a callback, and where to go on behind it. */
export type StreamEvent = { cursor: string } & EventEnvelope;

export function streamEvent(generation: string, { seq, envelope }: StoredEvent): StreamEvent {
  return { cursor: encodeCursor({ generation, seq }), ...envelope };
}

/** Which events a reader wants: null means all. */
export interface EventFilter {
  events: readonly EventName[] | null;
  numberId: string | null;
  /** Numbers of which the reader hears nothing. */
  hiddenNumberIds?: readonly string[];
}

export function matches(
  { event, data }: EventEnvelope,
  { events, numberId, hiddenNumberIds = [] }: EventFilter,
): boolean {
  if (events !== null && !events.includes(event)) return false;
  if ('numberId' in data && hiddenNumberIds.includes(data.numberId)) return false;
  return numberId === null || ('numberId' in data && data.numberId === numberId);
}

/**
 * The first events of `read` that match, at most `limit`, and the sequence up to which all were examined. `read` is in order,
 * and begins after `after`.
 */
export function selectEvents(
  read: readonly StoredEvent[],
  after: number,
  filter: EventFilter,
  limit: number,
): { found: StoredEvent[]; seq: number } {
  const found: StoredEvent[] = [];
  let seq = after;
  for (const event of read) {
    if (found.length === limit) break;
    seq = event.seq;
    if (matches(event.envelope, filter)) found.push(event);
  }
  return { found, seq };
}

/** Events that are looked at for one page: a filter that nothing passes must not read on for ever. */
const lookedAtMax = 5_000;
/** So often a page goes back to the source, whose answers are bounded by their size. */
const readsMax = 4;
const readMax = 1_000;
/** Backwards a page is read in steps of so many events. */
const stepBack = 250;

/** Where events are read from, oldest first: the log's rows, or these and what is in the archive. */
interface EventSource {
  /** The sequence of the oldest event that can be read; one above the head when there is none. */
  readonly oldest: number;
  readonly head: number;
  readonly earlier: readonly EarlierCursors[];
  /** Events behind `after`, without a gap; at least one where there is one. */
  read(after: number, limit: number): StoredEvent[] | Promise<StoredEvent[]>;
}

export interface EventsRequest {
  /** A cursor, `now`, or null for the oldest event. */
  after: string | null;
  /** A cursor or `now`: the last events up to there, instead of the first behind `after`. */
  before?: string | null;
  limit: number;
  filter: EventFilter;
}

export interface EventsPage {
  ok: true;
  data: StreamEvent[];
  /** Where to go on, in the same direction: also where nothing was found it has moved past what was looked at. */
  nextCursor: string;
  hasMore: boolean;
}

/** Reads the events of an account in pages, oldest first. */
export class EventReader {
  readonly #source: EventSource;
  readonly #generation: string;

  constructor(source: EventSource, generation: string) {
    this.#source = source;
    this.#generation = generation;
  }

  read({ after, before = null, limit, filter }: EventsRequest): Promise<EventsPage | Refusal> {
    return before === null ? this.#forwards(after, limit, filter) : this.#backwards(before, limit, filter);
  }

  async #forwards(after: string | null, limit: number, filter: EventFilter): Promise<EventsPage | Refusal> {
    const { oldest, head, earlier } = this.#source;
    const start = streamStart(after, { generation: this.#generation, oldest, head, earlier });
    if (!start.ok) return start;
    const data: StreamEvent[] = [];
    let { seq } = start;
    for (let reads = 0; reads < readsMax && seq - start.seq < lookedAtMax; reads += 1) {
      if (seq >= this.#source.head || data.length === limit) break;
      const read = await this.#source.read(seq, readMax);
      if (read.length === 0) break;
      const selected = selectEvents(read, seq, filter, limit - data.length);
      data.push(...selected.found.map((event) => streamEvent(this.#generation, event)));
      seq = selected.seq;
    }
    const nextCursor = encodeCursor({ generation: this.#generation, seq });
    return { ok: true, data, nextCursor, hasMore: seq < this.#source.head };
  }

  /** From the end of a step to its beginning, step by step; the page itself is in the order of the log. */
  async #backwards(before: string, limit: number, filter: EventFilter): Promise<EventsPage | Refusal> {
    const { oldest, head, earlier } = this.#source;
    const start = streamStart(before, { generation: this.#generation, oldest, head, earlier }, 'before');
    if (!start.ok) return start;
    const found: StoredEvent[] = [];
    let { seq } = start;
    while (seq >= oldest && found.length < limit && start.seq - seq < lookedAtMax) {
      const begin = Math.max(oldest - 1, seq - stepBack);
      const step = await this.#readBetween(begin, seq);
      for (const event of step.reverse()) {
        if (found.length === limit) break;
        seq = event.seq - 1;
        if (matches(event.envelope, filter)) found.push(event);
      }
      // What was removed meanwhile is passed over.
      if (step.length === 0) seq = begin;
    }
    const data = found.reverse().map((event) => streamEvent(this.#generation, event));
    const nextCursor = encodeCursor({ generation: this.#generation, seq });
    return { ok: true, data, nextCursor, hasMore: seq >= oldest };
  }

  /** All events behind `begin` up to `end`: one answer of the source may be cut short by its size. */
  async #readBetween(begin: number, end: number): Promise<StoredEvent[]> {
    const all: StoredEvent[] = [];
    for (let seq = begin; seq < end; seq = all.at(-1)?.seq ?? end) {
      const read = await this.#source.read(seq, end - seq);
      if (read.length === 0) break;
      all.push(...read);
    }
    return all;
  }
}
