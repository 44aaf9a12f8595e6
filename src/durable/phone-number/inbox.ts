import type { InboundMessage } from '../../contract/bridge-frames.ts';
import type { EventEnvelope } from '../../contract/events.ts';
import type { UnplacedEvent } from '../event-relay.ts';
import { newEventId, newMessageId } from '../new-ids.ts';
import { iso, type Sender } from './outbound-message.ts';

/** Messages that came in: each is told once, however often the network delivers it. */
export class Inbox {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Those not seen before. Call inside the transaction that stores what they bring about. */
  newAmong(items: readonly InboundMessage[], now: number): InboundMessage[] {
    return items.filter((item) => this.#isNew(item, now));
  }

  /** The network's ids are unique only within a chat and an author. */
  #isNew(item: InboundMessage, now: number): boolean {
    const origin = `${item.groupId ?? ''}/${item.senderLid ?? item.from}/${item.providerMessageId}`;
    return (
      this.#sql.exec('INSERT OR IGNORE INTO inbound VALUES (?, ?) RETURNING 1', origin, now).toArray()
        .length > 0
    );
  }
}

/** The event of a message that came in, and its row of the read model. */
export function receivedEvent(item: InboundMessage, receiver: Sender, now: number): UnplacedEvent {
  const { numberId, accountId } = receiver;
  const { providerMessageId, from, messageType, text, pushName, chatType, groupId, senderLid } = item;
  const messageId = newMessageId();
  const to = receiver.phoneNumber ?? '';
  const envelope: EventEnvelope = {
    id: newEventId(),
    event: 'message.received',
    timestamp: iso(now),
    data: {
      messageId,
      numberId,
      providerMessageId,
      from,
      to,
      messageType,
      text,
      isGroup: chatType === 'group',
      pushName,
      chatType,
      ...(groupId === undefined ? {} : { groupId }),
      ...(senderLid === undefined ? {} : { senderLid }),
    },
  };
  return {
    envelope,
    message: {
      accountId,
      messageId,
      direction: 'inbound',
      status: 'received',
      numberId,
      to,
      from,
      chatType,
      messageType,
      text,
      groupId: groupId ?? null,
      providerMessageId,
      receivedAt: Date.parse(item.at),
    },
    device: null,
  };
}
