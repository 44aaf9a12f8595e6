import type { MessageType } from '../../../../contract/messages/content.ts';
import type { ChatType } from '../../../../contract/messages/message.ts';
import type { MessageStatus } from '../../../../contract/messages/message-status.ts';
import type { StoredMessage } from '../logged-message.ts';

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
