import type { InboundMessage } from '../../../../contract/bridge/bridge-frames.ts';
import type { EventData } from '../../../../contract/events.ts';
import { type MessageStatus, mayFollow } from '../../../../contract/messages/message-status.ts';
import { type MediaUrlOf, shownContent } from '../../../../contract/messages/shown-content.ts';
import { type EventDraft, newEvent } from '../../events/event-draft.ts';
import {
  type LoggedMessage,
  type LoggedOutbound,
  networkChatOf,
  recipientOf,
} from '../../messages/logged-message.ts';

/** How far an outbound message has come. Times are milliseconds since 1970. */
export type Progress = Pick<
  LoggedOutbound,
  'status' | 'queuedAt' | 'sentAt' | 'deliveredAt' | 'readAt' | 'failedAt' | 'errorMessage'
>;

/** A message after a change of status, and the steps that it has taken to get there, in order. */
export interface Climb<Message extends Progress> {
  message: Message;
  steps: MessageStatus[];
}

type Rung = 'sent' | 'delivered' | 'read';

/** The rungs between queued and a status, itself included. */
const path: Record<Rung, Rung[]> = {
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
};

/**
 * Moves a message up to `status`, through every step that it has not yet reached: a "read" that comes before "delivered"
 * yields both. A status that would lead down, or nowhere, takes no step. A step is never earlier than the one before it,
 * although the network dates in whole seconds.
 */
export function climb<Message extends Progress>(message: Message, status: Rung, at: number): Climb<Message> {
  let current = message;
  const steps: MessageStatus[] = [];
  for (const rung of path[status]) {
    if (!mayFollow(current.status, rung)) continue;
    const below = Math.max(current.queuedAt, current.sentAt ?? 0, current.deliveredAt ?? 0);
    current = { ...current, status: rung, [`${rung}At`]: Math.max(at, below) };
    steps.push(rung);
  }
  return { message: current, steps };
}

/** Ends a message as failed, unless it was delivered or has failed already. */
export function fail<Message extends Progress>(
  message: Message,
  errorMessage: string,
  at: number,
): Climb<Message> {
  if (!mayFollow(message.status, 'failed')) return { message, steps: [] };
  return { message: { ...message, status: 'failed', failedAt: at, errorMessage }, steps: ['failed'] };
}

/** The event of a message that came in. */
export function receivedEvent(
  messageId: string,
  item: InboundMessage,
  receiver: { numberId: string; to: string },
  urlOf: MediaUrlOf,
): EventDraft {
  const { numberId, to } = receiver;
  const { from, senderLid } = item;
  return newEvent('message.received', {
    ...common(messageId, numberId, item, urlOf),
    from,
    to,
    ...(senderLid === undefined ? {} : { senderLid }),
  });
}

/** The event of a message that the number's owner has written on the phone. */
export function sentFromPhoneEvent(
  messageId: string,
  item: InboundMessage,
  numberId: string,
  to: string,
  urlOf: MediaUrlOf,
): EventDraft {
  return newEvent('message.sent_from_phone', { ...common(messageId, numberId, item, urlOf), to });
}

function common(messageId: string, numberId: string, item: InboundMessage, urlOf: MediaUrlOf) {
  const { providerMessageId, content, pushName, chatType, groupId } = item;
  return {
    messageId,
    numberId,
    providerMessageId,
    ...shownContent(content, urlOf),
    isGroup: chatType === 'group',
    pushName,
    chatType,
    ...(groupId === undefined ? {} : { groupId }),
  };
}

/** Who received it, as a receipt says. */
export interface Recipient {
  phoneNumber: string | null;
  lid: string | null;
}

export const nobody: Recipient = { phoneNumber: null, lid: null };

const iso = (at: number | null) => new Date(at ?? 0).toISOString();

/** The events of the steps that a message has taken, in order; none of a quiet one. */
export function stepEvents(
  steps: readonly MessageStatus[],
  message: LoggedOutbound,
  recipient: Recipient = nobody,
): EventDraft[] {
  if (message.isQuiet) return [];
  const { traceparent } = message;
  return steps.map((step) => ({
    ...stepEvent(step, message, recipient),
    ...(traceparent !== undefined && { traceparent }),
  }));
}

function stepEvent(step: MessageStatus, message: LoggedOutbound, recipient: Recipient): EventDraft {
  const { messageId, numberId, chatType, content, providerMessageId } = message;
  const head = {
    messageId,
    numberId,
    ...recipientOf(message),
    chatType,
    messageType: content.type,
    ...referenceOf(message),
  };
  switch (step) {
    case 'queued':
      return newEvent('message.queued', { ...head, status: step });
    case 'sent': {
      const sentAt = iso(message.sentAt);
      return newEvent('message.sent', { ...head, providerMessageId, status: step, sentAt });
    }
    case 'delivered':
      return newEvent('message.delivered', { ...receiptData(message, recipient), status: step });
    case 'read': {
      const readAt = iso(message.readAt);
      return newEvent('message.read', { ...receiptData(message, recipient), status: step, readAt });
    }
    case 'failed': {
      const { errorMessage, errorCode } = message;
      const why = { errorMessage: errorMessage ?? '', ...(errorCode !== null && { errorCode }) };
      return newEvent('message.failed', { ...head, status: step, ...why });
    }
  }
}

/** What the sender has called the message: every event about it says so. */
export const referenceOf = (message: LoggedMessage) =>
  message.direction === 'inbound' || message.clientReference === null
    ? {}
    : { clientReference: message.clientReference };

function receiptData(
  message: LoggedOutbound,
  { phoneNumber, lid }: Recipient,
): Omit<EventData<'message.delivered'>, 'status'> {
  const { messageId, numberId, providerMessageId, peer, chatType, deliveredAt } = message;
  const isGroup = chatType === 'group';
  return {
    messageId,
    numberId,
    providerMessageId,
    messageStatus: 'delivered',
    deliveredAt: iso(deliveredAt),
    chat: isGroup ? peer : networkChatOf(message),
    recipient: phoneNumber ?? (isGroup ? (lid ?? '') : peer),
    ...(lid === null ? {} : { recipientLid: lid }),
    isGroup,
    ...referenceOf(message),
  };
}
