import type { InboundMessage } from '../../contract/bridge-frames.ts';
import type { EventEnvelope } from '../../contract/events.ts';
import type { UnplacedEvent } from '../event-relay.ts';
import { newEventId, newMessageId } from '../new-ids.ts';
import { TableRing, type TableRingShape } from '../table-ring.ts';
import { iso, type Sender } from './outbound-message.ts';

/** What came in is known for 15 to 30 days: a session that was away for longer has to be paired anew. */
export const inboundRing: TableRingShape = {
  name: 'inbound',
  columns: 'origin TEXT NOT NULL, PRIMARY KEY (span, origin)',
  spanMs: 15 * 24 * 3600 * 1000,
};

/** Messages that came in: each is told once, however often the network delivers it. */
export class Inbox {
  readonly #sql: SqlStorage;
  readonly #ring: TableRing;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#ring = new TableRing(sql, inboundRing);
  }

  /** Those not seen before. Call inside the transaction that stores what they bring about. */
  newAmong(items: readonly InboundMessage[], now: number): InboundMessage[] {
    return items.filter((item) => this.#isNew(item, now));
  }

  /** The network's ids are unique only within a chat and an author. */
  #isNew(item: InboundMessage, now: number): boolean {
    const origin = `${item.groupId ?? ''}/${item.senderLid ?? item.from}/${item.providerMessageId}`;
    const span = this.#ring.spanOf(now);
    for (const table of this.#ring.tablesFrom(now)) {
      const query = `SELECT 1 FROM ${table} WHERE span IN (?1, ?1 - 1, ?1 + 1) AND origin = ?2`;
      if (this.#sql.exec(query, span, origin).toArray().length > 0) return false;
    }
    this.#sql.exec(`INSERT INTO ${this.#ring.tableFor(now)} (span, origin) VALUES (?, ?)`, span, origin);
    return true;
  }

  /** After a transaction that was rolled back, and once the storage was emptied. */
  reload(): void {
    this.#ring.reload();
  }

  /** When the oldest may be forgotten; null when there are none. */
  sweepDueAt(): number | null {
    return this.#ring.sweepDueAt();
  }

  sweep(now: number): void {
    this.#ring.sweep(now);
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
