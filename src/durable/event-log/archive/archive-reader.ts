import type { Retention } from '../../../contract/account-settings.ts';
import { logFault } from '../../log.ts';
import { timeOf } from '../../new-ids.ts';
import type { EventRows, StoredEvent } from '../events/event-rows.ts';
import {
  idsPerMs,
  type LoggedMessage,
  loggedMessage,
  type StoredMessage,
} from '../messages/logged-message.ts';
import type { Chat, MessagePage, MessagesUpwards, PeopleFilter } from '../messages/reading/message-list.ts';
import type { ArchiveCalls } from './archive-calls.ts';
import { eventsSince } from './retention.ts';
import type { Segment, Segments } from './segments.ts';

/** Segments that one answer reads at most: a page may be short, and goes on behind its cursor. */
const segmentsReadMax = 4;
/** A message stands close to the time in its id, not always at it. */
const idToleranceMs = 5_000;
const endOfIds = Number.MAX_SAFE_INTEGER;

interface MessagesAsked {
  filter: PeopleFilter;
  limit: number;
  /** Below this id; null begins with the newest. */
  before: number | null;
}

/** Reads what the log itself no longer has. */
export class ArchiveReader {
  readonly #segments: Segments;
  readonly #calls: ArchiveCalls;
  readonly #retention: () => Retention;

  constructor(segments: Segments, calls: ArchiveCalls, retention: () => Retention) {
    this.#segments = segments;
    this.#calls = calls;
    this.#retention = retention;
  }

  /** The oldest event that is archived and not too old to be asked for; null: there is none. */
  oldestEvent(now: number): number | null {
    return this.#segments.eventsSince(eventsSince(this.#retention(), now))?.first ?? null;
  }

  /** Archived events behind `after`, oldest first, as many as one segment gives; none of those that are too old. */
  async events(after: number, limit: number, now: number): Promise<StoredEvent[]> {
    const from = Math.max(after + 1, this.oldestEvent(now) ?? Number.POSITIVE_INFINITY);
    if (!Number.isFinite(from)) return [];
    for (const segment of this.#segments.from('events', from, segmentsReadMax)) {
      const events = await this.#calls.events(segment.key, from - 1, limit);
      if (events !== null) return events;
      missing(segment);
    }
    return [];
  }

  /** An archived message, by the time that its id tells. */
  async message(messageId: string): Promise<LoggedMessage | null> {
    const at = timeOf(messageId);
    if (!Number.isFinite(at)) return null;
    const from = (at - idToleranceMs) * idsPerMs;
    const below = (at + idToleranceMs) * idsPerMs;
    for (const segment of this.#segments.messagesBelow(below, from, segmentsReadMax)) {
      const query = { filter: {}, from, below, limit: 1, messageId };
      const found = await this.#calls.messages(segment.key, query);
      if (found === null) missing(segment);
      else if (found[0] !== undefined) return loggedMessage(found[0]);
    }
    return null;
  }

  /** The rows of the segment that this id stands in: of it and of those that `others` names up to the end of the segment. */
  async rowsAt(
    id: number,
    others: (last: number) => number[],
  ): Promise<{ ids: number[]; rows: StoredMessage[] }> {
    const segment = this.#segments.from('messages', id)[0];
    if (segment === undefined || segment.first > id) return { ids: [id], rows: [] };
    const ids = others(segment.last);
    const query = { filter: {}, from: id, below: segment.last + 1, limit: ids.length, ids };
    const rows = await this.#calls.messages(segment.key, query);
    if (rows === null) missing(segment);
    return { ids, rows: rows ?? [] };
  }

  /** A page of the messages that are not archived, with those that are, among them and behind them. */
  async complete(page: MessagePage, ask: MessagesAsked): Promise<MessagePage> {
    const { filter, limit } = ask;
    const below = Math.min(
      ask.before ?? endOfIds,
      filter.until === undefined ? endOfIds : filter.until * idsPerMs,
    );
    const pageFrom = page.nextBefore ?? (filter.since ?? 0) * idsPerMs;
    const archived: LoggedMessage[] = [];
    // From here on it is known what there is.
    let knownFrom = pageFrom;
    for (const [index, segment] of this.#segments
      .messagesBelow(below, pageFrom, segmentsReadMax + 1)
      .entries()) {
      if (index === segmentsReadMax || archived.length >= limit) {
        knownFrom = Math.max(pageFrom, segment.last + 1);
        break;
      }
      const found = await this.#calls.messages(segment.key, { filter, from: pageFrom, below, limit });
      if (found === null) missing(segment);
      else archived.push(...found.map(loggedMessage));
      if (found?.length === limit) {
        knownFrom = found.at(-1)?.id ?? pageFrom;
        break;
      }
    }
    if (archived.length === 0 && knownFrom === pageFrom) return page;
    // What was archived since the page was read stands in both.
    const inPage = new Set(page.messages.map(({ messageId }) => messageId));
    const known = [...page.messages, ...archived.filter(({ messageId }) => !inPage.has(messageId))]
      .filter(({ id }) => id >= knownFrom)
      .sort((a, b) => b.id - a.id);
    const messages = known.slice(0, limit);
    if (known.length > limit) return { messages, nextBefore: messages.at(-1)?.id ?? null };
    return { messages, nextBefore: knownFrom > pageFrom ? knownFrom : page.nextBefore };
  }

  /** Archived messages of a chat above an id, oldest first. */
  async upwards(chat: Chat, limit: number, after: number): Promise<MessagesUpwards> {
    const messages: LoggedMessage[] = [];
    const segments = this.#segments.from('messages', after + 1, segmentsReadMax + 1);
    for (const [index, segment] of segments.entries()) {
      if (index === segmentsReadMax || messages.length >= limit)
        return { messages, knownTo: segment.first - 1 };
      const query = { filter: { chat }, from: after + 1, below: endOfIds, limit, isUpwards: true };
      const found = await this.#calls.messages(segment.key, query);
      if (found === null) missing(segment);
      else messages.push(...found.map(loggedMessage));
      if (found?.length === limit) return { messages, knownTo: found.at(-1)?.id ?? after };
    }
    return { messages, knownTo: null };
  }
}

function missing({ key, rows }: Segment): void {
  logFault('archive.segment_missing', new Error('no such object'), { key, rows });
}

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
