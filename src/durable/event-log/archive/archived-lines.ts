import type { EventEnvelope } from '../../../contract/events.ts';
import type { MessageContent } from '../../../contract/messages/content.ts';
import { hasPhrase, phrasesOf, termsOf } from '../../search-terms.ts';
import type { StoredEvent } from '../events/event-rows.ts';
import { wordsOf } from '../messages/content-words.ts';
import type { StoredMessage } from '../messages/logged-message.ts';
import { matches, type PeopleFilter } from '../messages/reading/message-list.ts';

/** Characters of events in one answer, but for one event at least. */
const answerCharactersMax = 1_000_000;

/** A row of events as it stands in a segment. Lines about deliveries come behind all of them. */
interface EventLine {
  firstSeq: number;
  bodies: EventEnvelope[];
}

function* eventRows(text: string): Generator<EventLine & { characters: number }> {
  for (const line of text.split('\n')) {
    if (line.startsWith('{"firstSeq"')) yield { ...JSON.parse(line), characters: line.length };
  }
}

/** Events behind `after`, oldest first; fewer than `limit` also when they are large. */
export function eventsInLines(text: string, after: number, limit: number): StoredEvent[] {
  const found: StoredEvent[] = [];
  let sum = 0;
  for (const { firstSeq, bodies, characters } of eventRows(text)) {
    if (firstSeq + bodies.length - 1 <= after) continue;
    sum += characters;
    if (found.length > 0 && sum > answerCharactersMax) break;
    for (const [index, envelope] of bodies.entries()) {
      if (firstSeq + index > after) found.push({ seq: firstSeq + index, envelope });
      if (found.length === limit) return found;
    }
  }
  return found;
}

/** Which messages of a segment are asked for. */
export interface ArchivedMessagesQuery {
  filter: PeopleFilter;
  /** Ids from here on, and below that. */
  from: number;
  below: number;
  limit: number;
  /** This one only. */
  messageId?: string;
  /** These only. */
  ids?: readonly number[];
  /** The oldest ones, oldest first. */
  isUpwards?: boolean;
}

type Row = StoredMessage & { key: string };

/** The lines of a segment; none of an empty one. */
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const rowsOf = (text: string): Row[] => linesOf(text).map((line) => JSON.parse(line));

/** The messages that are asked for, newest first unless it goes upwards. */
export function messagesInLines(text: string, query: ArchivedMessagesQuery): StoredMessage[] {
  const { filter, from, below, limit, messageId, ids, isUpwards = false } = query;
  const hasWords = wordsIn(filter.q);
  const found: StoredMessage[] = [];
  const lines = linesOf(text);
  for (const line of isUpwards ? lines : lines.reverse()) {
    if (found.length === limit) break;
    const row: Row = JSON.parse(line);
    if (row.id < from || row.id >= below) continue;
    if (ids !== undefined && !ids.includes(row.id)) continue;
    if (messageId !== undefined && row.message_id !== messageId) continue;
    if (matches(filter, row) && hasWords(row)) found.push(row);
  }
  return found;
}

/** A segment with more messages in it. One that it has already, from a call that got no answer, is replaced. */
export function withMessages(text: string, added: string): string {
  const rows = new Map(rowsOf(text).map((row) => [row.message_id, row]));
  for (const row of rowsOf(added)) rows.set(row.message_id, row);
  return [...rows.values()]
    .sort((a, b) => a.id - b.id)
    .map((row) => JSON.stringify(row))
    .join('\n');
}

/** Judges words as the index of the messages that are not archived does: whole words, in any case, accents aside. */
function wordsIn(q: string | undefined): (row: StoredMessage) => boolean {
  if (q === undefined) return () => true;
  const phrases = phrasesOf(q);
  return (row) => {
    if (phrases.length === 0) return false;
    const terms = termsOf(wordsOf(JSON.parse(row.content) as MessageContent));
    return phrases.every((phrase) => hasPhrase(terms, phrase));
  };
}

/** What of a conversation's past is archived. */
export type PastKind = 'activity' | 'note' | 'conversation';

/** A row of its table, as it stood there. */
export type PastRow = { id: number } & Record<string, SqlStorageValue>;

interface PastLine {
  kind: PastKind;
  row: PastRow;
}

/** What stands in place of the past of a conversation that was erased: nothing is added to it any more. */
export const erasedPast = JSON.stringify({ kind: 'erased' });

export const pastLine = (kind: PastKind, row: PastRow): string => JSON.stringify({ kind, row });

const pastLinesOf = (text: string): PastLine[] => linesOf(text).map((line) => JSON.parse(line));

/** A past with more rows in it. Those that it has already, from a call that got no answer, are replaced. Null: it was erased. */
export function withPast(text: string, added: string): string | null {
  if (text === erasedPast) return null;
  const lines = new Map(
    [...pastLinesOf(text), ...pastLinesOf(added)].map((line) => [`${line.kind} ${line.row.id}`, line]),
  );
  return [...lines.values()]
    .sort((a, b) => a.row.id - b.row.id)
    .map(({ kind, row }) => pastLine(kind, row))
    .join('\n');
}

/** Rows of one kind below a place, newest first; above `after`, where that is given, oldest first. */
export function rowsOfPast(text: string, { kind, below, after, limit }: PastQuery): PastRow[] {
  const rows = pastLinesOf(text)
    .filter((line) => line.kind === kind && line.row.id < below && line.row.id > (after ?? 0))
    .map(({ row }) => row);
  return after === undefined ? rows.slice(-limit).reverse() : rows.slice(0, limit);
}

export interface PastQuery {
  kind: PastKind;
  below: number;
  after?: number;
  limit: number;
}

export const countOfPast = (text: string): number => (text === erasedPast ? 0 : pastLinesOf(text).length);
