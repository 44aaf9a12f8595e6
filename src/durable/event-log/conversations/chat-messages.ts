import type { MessageTarget } from '../../../contract/messages/changes.ts';
import { cutText } from '../../../contract/texts/text.ts';
import { Tables } from '../../storage/rows.ts';
import type { ContactRows } from '../contacts/contact-rows.ts';
import { wordsOf } from '../messages/content-words.ts';
import {
  type LoggedInbound,
  type LoggedMessage,
  loggedMessage,
  type StoredMessage,
} from '../messages/logged-message.ts';
import type { MessageRows } from '../messages/message-rows.ts';
import type { Addresses, AnsweredMessage, ChatAddress, Conversation, LastMessage } from './conversation.ts';

/** Rows of a person that are looked at for one message: the others are of the account's other numbers. */
const lookedAtMax = 50;
/** The same where the newest message with each of many numbers is looked for: a few milliseconds. */
const lookedAtOnceMax = 5_000;
const textUnitsMax = 200;

/** The messages of one chat: found by who is on the other side, so that they need no index of their own. */
export class ChatMessages extends Tables {
  readonly #messages: MessageRows;
  readonly #contacts: ContactRows;

  constructor(sql: SqlStorage, messages: MessageRows, contacts: ContactRows) {
    super(sql);
    this.#messages = messages;
    this.#contacts = contacts;
  }

  /** What a list shows of a message. */
  summary(message: LoggedMessage): LastMessage {
    const { messageId, direction, content } = message;
    const isOutbound = message.direction === 'outbound';
    return {
      messageId,
      direction,
      messageType: content.type,
      text: cutText(wordsOf(content), textUnitsMax),
      at: isOutbound ? message.queuedAt : message.receivedAt,
      origin: isOutbound ? message.origin : null,
    };
  }

  /** The newest message of the chat, whoever has sent it; null: it is archived. */
  newest(conversation: Conversation): LoggedMessage | null {
    return this.#newest(conversation, Number.MAX_SAFE_INTEGER);
  }

  /** The newest message with somebody by number, of these numbers: whoever has sent it. */
  newestWith(person: Addresses, numberIds: readonly string[]): Map<string, LoggedMessage> {
    const newest = new Map<string, number>();
    for (const peer of this.#contacts.digitsOf(person)) {
      const found = this.sql.exec<{ number_id: string; id: number }>(
        `SELECT number_id, max(id) AS id FROM
           (SELECT id, number_id, chat_type FROM messages WHERE peer = ? ORDER BY id DESC LIMIT ${lookedAtOnceMax})
         WHERE chat_type = 'personal' AND number_id IN (SELECT value FROM json_each(?)) GROUP BY number_id`,
        ...[peer, JSON.stringify(numberIds)],
      );
      for (const { number_id, id } of found) {
        newest.set(number_id, Math.max(id, newest.get(number_id) ?? Number.MIN_SAFE_INTEGER));
      }
    }
    const message = (id: number) =>
      loggedMessage(this.queryOne<StoredMessage>('SELECT * FROM messages WHERE id = ?', id));
    return new Map([...newest].map(([numberId, id]) => [numberId, message(id)]));
  }

  /** What somebody answers who wrote this: what they quote, else the last thing that they were sent, unless a person sent it. */
  answeredBy(message: LoggedInbound, address: ChatAddress): AnsweredMessage | null {
    const quotedId = message.content.quoted?.messageId;
    const quoted = quotedId === undefined ? null : this.#messages.find(quotedId);
    const answered = quoted ?? this.#newest(address, message.id);
    if (answered?.direction !== 'outbound' || answered.senderSource === null) return null;
    const { messageId, origin, queuedAt } = answered;
    return origin?.kind === 'person' ? null : { messageId, origin, at: queuedAt };
  }

  /** What nobody has read yet, newest first, as the network names it. */
  unreadTargets(conversation: Conversation, limit: number): MessageTarget[] {
    const { unreadCount, numberId, groupId } = conversation;
    const most = Math.min(unreadCount, limit);
    const columns =
      groupId === null
        ? this.#contacts.digitsOf(conversation).map((peer) => ['peer', peer] as const)
        : [['group_id', groupId] as const];
    const chatType = groupId === null ? 'personal' : 'group';
    const found = columns.flatMap(([column, value]) => {
      const query = `SELECT * FROM messages
        WHERE ${column} = ? AND direction = 'inbound' AND number_id = ? AND chat_type = ? ORDER BY id DESC LIMIT ?`;
      return this.queryAll<StoredMessage>(query, value, numberId, chatType, most).map(loggedMessage);
    });
    return found
      .toSorted((a, b) => b.id - a.id)
      .slice(0, most)
      .map(({ providerMessageId, peer, peerLid }) => ({
        providerMessageId,
        isOwn: false,
        author: peer,
        ...(peerLid !== null && { authorLid: peerLid }),
      }));
  }

  #newest(address: ChatAddress, below: number): LoggedMessage | null {
    const { groupId } = address;
    const found =
      groupId === null
        ? this.#contacts.digitsOf(address).map((peer) => this.#first('peer', peer, address, below))
        : (['group_id', 'peer'] as const).map((column) => this.#first(column, groupId, address, below));
    return found.filter((message) => message !== null).sort((a, b) => b.id - a.id)[0] ?? null;
  }

  #first(
    column: 'peer' | 'group_id',
    value: string,
    { numberId, groupId }: ChatAddress,
    below: number,
  ): LoggedMessage | null {
    const chatType = groupId === null ? 'personal' : 'group';
    const query = `SELECT * FROM messages WHERE ${column} = ? AND id < ? ORDER BY id DESC LIMIT ${lookedAtMax}`;
    for (const row of this.sql.exec<StoredMessage>(query, value, below)) {
      if (row.number_id === numberId && row.chat_type === chatType) return loggedMessage(row);
    }
    return null;
  }
}
