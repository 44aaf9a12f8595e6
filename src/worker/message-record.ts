import { type MediaUrlOf, shownContent } from '../contract/messages/shown-content.ts';
import type { HeldReason } from '../contract/sender-settings.ts';
import type { NewMessage } from '../durable/event-log/messages/logged-message.ts';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Why a message waits, and when it is expected to leave; milliseconds since 1970. */
export interface Waiting {
  heldReason: HeldReason | null;
  expectedAt: number | null;
}

/** The record of one message: of one that waits also what it waits for, which the list does not tell. */
export function waitingRecord(message: NewMessage, waiting: Waiting | null, urlOf: MediaUrlOf) {
  const record = messageRecord(message, urlOf);
  if (message.direction === 'inbound') return record;
  const { heldReason = null, expectedAt = null } = waiting ?? {};
  return { ...record, heldReason, expectedAt: iso(expectedAt) };
}

/** A message as `GET /v1/messages` shows it. What does not apply to it, or is not known yet, is null. */
export function messageRecord(message: NewMessage, urlOf: MediaUrlOf) {
  const { messageId, direction, status, numberId, chatType, content } = message;
  const common = { messageId, direction, status, numberId };
  const carried = { chatType, ...shownContent(content, urlOf) };
  if (message.direction === 'inbound') {
    return {
      ...common,
      to: message.ownPhone ?? '',
      from: message.peer,
      groupId: message.groupId,
      ...carried,
      providerMessageId: message.providerMessageId,
      sender: null,
      errorMessage: null,
      errorCode: null,
      clientReference: null,
      sendAt: null,
      queuedAt: null,
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
      receivedAt: iso(message.receivedAt),
    };
  }
  return {
    ...common,
    to: message.peer,
    ...carried,
    // Fixed from the beginning, and of use to nobody before the network knows it.
    providerMessageId: message.sentAt === null ? null : message.providerMessageId,
    sender: { numberId, phoneNumber: message.ownPhone, source: message.senderSource },
    errorMessage: message.errorMessage,
    errorCode: message.errorCode,
    clientReference: message.clientReference,
    sendAt: iso(message.sendAt),
    queuedAt: iso(message.queuedAt),
    sentAt: iso(message.sentAt),
    deliveredAt: iso(message.deliveredAt),
    readAt: iso(message.readAt),
    failedAt: iso(message.failedAt),
  };
}
