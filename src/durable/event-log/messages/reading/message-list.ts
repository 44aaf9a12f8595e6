import type { MessageType } from '../../../../contract/messages/content.ts';
import type { ChatType } from '../../../../contract/messages/message.ts';
import type { MessageStatus } from '../../../../contract/messages/message-status.ts';
import { merged } from '../../../storage/merged.ts';
import { Tables } from '../../../storage/rows.ts';
import { JoinedContacts } from '../../contacts/joined-contacts.ts';
import { type LoggedMessage, loggedMessage, type StoredMessage } from '../logged-message.ts';
import type { MessageWords } from '../message-words.ts';
import type { OwnPhones } from '../own-phones.ts';

/** Which messages are looked for: those that all of it is true of. */
export interface MessageFilter {
  status?: MessageStatus | 'received' | undefined;
  direction?: 'outbound' | 'inbound' | undefined;
  numberId?: string | undefined;
  to?: string | undefined;
  from?: string | undefined;
  type?: MessageType | undefined;
  /** When it was queued or received; milliseconds since 1970, inclusive. */
  since?: number | undefined;
  /** The same, exclusive. */
  until?: number | undefined;
  /** Words of its text. */
  q?: string | undefined;
  /** The messages of one chat, in both directions. */
  chat?: Chat | undefined;
}

/** A filter with all digits that mean those whom it names: the network has named them by one or the other. */
export type PeopleFilter = Omit<MessageFilter, 'to' | 'from'> & {
  to?: readonly string[] | undefined;
  from?: readonly string[] | undefined;
};

/** What passes between a number and somebody, under any of their addresses, or a group. */
export interface Chat {
  numberId: string;
  chatType: ChatType;
  peers: readonly string[];
}

/** Whether a row is what is looked for; its time and its words are judged by the indexes. */
export function matches(filter: PeopleFilter, row: StoredMessage): boolean {
  const isOutbound = row.direction === 'outbound';
  const [to, from] = isOutbound ? [row.peer, row.own_phone] : [row.own_phone, row.peer];
  return (
    fits(filter.status, row.status) &&
    fits(filter.direction, row.direction) &&
    fits(filter.numberId, row.number_id) &&
    isAmong(filter.to, to) &&
    isAmong(filter.from, from) &&
    fits(filter.type, row.message_type) &&
    (filter.chat === undefined || isOf(filter.chat, row))
  );
}

const isOf = ({ numberId, chatType, peers }: Chat, row: StoredMessage): boolean =>
  row.number_id === numberId &&
  row.chat_type === chatType &&
  peers.includes(chatType === 'group' ? (row.group_id ?? row.peer) : row.peer);

const isAmong = (wanted: readonly string[] | undefined, found: string | null) =>
  wanted === undefined || (found !== null && wanted.includes(found));

const fits = (wanted: string | undefined, found: string | null) => wanted === undefined || wanted === found;

/** Rows that are read for one page at most: a page may be short, and goes on behind its cursor. */
const rowsReadMax = 2_000;

export interface MessagePage {
  /** Newest first. */
  messages: LoggedMessage[];
  /** Where the next page goes on: below this id. Null at the end. */
  nextBefore: number | null;
}

/** A part of a chat, oldest first. */
export interface MessagesUpwards {
  messages: LoggedMessage[];
  /** Up to this id all are known, where there may be more behind it; null: to the end. */
  knownTo: number | null;
}

/** What a group's members write is found by the group, what is sent to it by its recipient. */
const walksOf = ({ chatType, peers }: Chat): Walk[] =>
  peers.flatMap((value): Walk[] => [
    { column: 'peer', value },
    ...(chatType === 'group' ? [{ column: 'group_id', value } as const] : []),
  ]);

/** An index to walk along: one column that the messages looked for all have in common. */
interface Walk {
  column: 'peer' | 'number_id' | 'group_id';
  value: string;
}

/** Lists messages. Whatever is asked for, a page costs no more than {@link rowsReadMax} rows, however many there are. */
export class MessageList extends Tables {
  readonly #phones: OwnPhones;
  readonly #words: MessageWords;
  readonly #joined: JoinedContacts;

  constructor(sql: SqlStorage, phones: OwnPhones, words: MessageWords) {
    super(sql);
    this.#phones = phones;
    this.#words = words;
    this.#joined = new JoinedContacts(sql);
  }

  /** `before`: below this id; null begins with the newest. */
  page(filter: PeopleFilter, limit: number, before: number | null): MessagePage {
    const end = Number.MAX_SAFE_INTEGER;
    const from = (filter.since ?? 0) * 1000;
    const below = Math.min(before ?? end, filter.until === undefined ? end : filter.until * 1000);
    const messages: LoggedMessage[] = [];
    let read = 0;
    let lastId = below;
    for (const row of this.#candidates(filter, from, below)) {
      if (read === rowsReadMax) return { messages, nextBefore: lastId };
      read += 1;
      lastId = row.id;
      if (!matches(filter, row)) continue;
      if (messages.length === limit) return { messages, nextBefore: messages.at(-1)?.id ?? null };
      messages.push(this.#joined.named(loggedMessage(row)));
    }
    return { messages, nextBefore: null };
  }

  /** The messages of a chat above an id, oldest first. */
  upwards(chat: Chat, limit: number, after: number): MessagesUpwards {
    const sources = walksOf(chat).map(({ column, value }) => {
      const which = `${column} = ? AND id > ?`;
      return this.sql.exec<StoredMessage>(`SELECT * FROM messages WHERE ${which} ORDER BY id`, value, after);
    });
    const messages: LoggedMessage[] = [];
    let read = 0;
    let knownTo = after;
    for (const row of merged(sources, (a, b) => a.id < b.id)) {
      if (read === rowsReadMax || messages.length === limit) return { messages, knownTo };
      read += 1;
      // What stands in two indexes comes twice.
      if (row.id !== knownTo && matches({ chat }, row)) messages.push(this.#joined.named(loggedMessage(row)));
      knownTo = row.id;
    }
    return { messages, knownTo: null };
  }

  /** All that the filter may mean, and more, newest first: read only as far as it is needed. */
  #candidates(filter: PeopleFilter, from: number, below: number): Iterable<StoredMessage> {
    if (filter.q !== undefined) return this.#withWords(filter.q, from, below);
    const walks = this.#walks(filter);
    if (walks === null) return this.#walk(null, from, below);
    return newestFirst(walks.map((walk) => this.#walk(walk, from, below)));
  }

  *#withWords(words: string, from: number, below: number): Generator<StoredMessage> {
    for (const id of this.#words.find(words, from, below)) {
      // What is no longer kept here is found no more.
      yield* this.queryAll<StoredMessage>('SELECT * FROM messages WHERE id = ?', id);
    }
  }

  #walk(walk: Walk | null, from: number, below: number): Iterable<StoredMessage> {
    const columns = walk === null ? '' : `${walk.column} = ? AND `;
    return this.sql.exec<StoredMessage>(
      `SELECT * FROM messages WHERE ${columns}id >= ? AND id < ? ORDER BY id DESC`,
      ...[...(walk === null ? [] : [walk.value]), from, below],
    );
  }

  /** The indexes that lead to all that the filter means; null when only the order of time does. */
  #walks(filter: PeopleFilter): Walk[] | null {
    if (filter.chat !== undefined) return walksOf(filter.chat);
    const { direction, status, to, from } = filter;
    const walks: Walk[] = [];
    for (const [side, peer, own] of [
      ['outbound', to, from],
      ['inbound', from, to],
    ] as const) {
      if (direction !== undefined && direction !== side) continue;
      if (status !== undefined && (status === 'received') !== (side === 'inbound')) continue;
      const way = this.#way(peer, own, filter.numberId);
      if (way === null) return null;
      walks.push(...way);
    }
    return walks.filter(
      (walk, index) =>
        walks.findIndex(({ column, value }) => column === walk.column && value === walk.value) === index,
    );
  }

  #way(
    peers: readonly string[] | undefined,
    own: readonly string[] | undefined,
    numberId: string | undefined,
  ): Walk[] | null {
    if (peers !== undefined) return peers.map((value) => ({ column: 'peer', value }));
    if (numberId !== undefined) return [{ column: 'number_id', value: numberId }];
    if (own === undefined) return null;
    const numberIds = own.flatMap((phone) => this.#phones.numbersOf(phone));
    return numberIds.map((value) => ({ column: 'number_id', value }));
  }
}

/** Sources that each have the newest first, as one; what stands in several comes once. */
function* newestFirst(sources: readonly Iterable<StoredMessage>[]): Generator<StoredMessage> {
  let lastId: number | null = null;
  for (const row of merged(sources, (a, b) => a.id > b.id)) {
    if (row.id !== lastId) yield row;
    lastId = row.id;
  }
}
