import { hash } from 'node:crypto';
import type { Refusal } from '../../contract/errors.ts';
import type { EventEnvelope } from '../../contract/events.ts';
import type { ChatType, MessageContent, MessageStatus, SenderSource } from '../../contract/message.ts';
import type { UnplacedEvent } from '../event-relay.ts';
import { newEventId } from '../new-ids.ts';
import type { MessageProjection } from '../relayed-events.ts';

/** What the account hands over for sending, once it has admitted it. */
export interface AdmittedMessage {
  messageId: string;
  to: string;
  chatType: ChatType;
  content: MessageContent;
  senderSource: SenderSource;
  /** Neither side has written to the other through the account yet. */
  isNewChat: boolean;
  /** The key leaves the choice of the sender to the account, so another number may send it: a pool or fallback key. */
  mayMove: boolean;
  /** To how many other numbers it has gone on already; 0 as admitted. Tells a late repeat from its return. */
  moves: number;
  /** Milliseconds since 1970. */
  queuedAt: number;
  expiresAt: number;
}

/** The number has it, and took it under that stamp of its own; or it refuses. */
export type Taken = { ok: true; takenAt: number } | Refusal;

/** What became of messages that a number was given, in their order; and which of the earlier ones it lacks. */
export interface Enqueued {
  taken: Taken[];
  missing: string[];
}

/** An outbound message as its number's object keeps it. Times are milliseconds since 1970. */
export interface OutboundMessageState extends AdmittedMessage {
  providerMessageId: string;
  /** Its place in the outbox; null once it no longer waits for the network. */
  place: number | null;
  status: MessageStatus;
  handedTo: string | null;
  handedAt: number | null;
  /** The account is being asked to give it to another number: it must not be sent from here. */
  isMoving: boolean;
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
  failedAt: number | null;
  errorMessage: string | null;
}

/** The number that a message goes out through, as its events and its record name it. */
export interface Sender {
  accountId: string;
  numberId: string;
  phoneNumber: string | null;
}

/**
 * The network's id of a message, in the form that its web clients use. It follows from the message id alone, so it is
 * fixed before the first hand-over, and no crash can make a second one.
 */
export function providerMessageIdOf(messageId: string): string {
  return `3EB0${hash('sha256', messageId).slice(0, 18).toUpperCase()}`;
}

export function admitted(message: AdmittedMessage, place: number): OutboundMessageState {
  return {
    ...message,
    providerMessageId: providerMessageIdOf(message.messageId),
    place,
    status: 'queued',
    handedTo: null,
    handedAt: null,
    isMoving: false,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    errorMessage: null,
  };
}

/** The row of the read model, whole: whichever step reaches it first brings all that is known. */
export function projectionOf(message: OutboundMessageState, sender: Sender): MessageProjection {
  return {
    accountId: sender.accountId,
    messageId: message.messageId,
    direction: 'outbound',
    status: message.status,
    numberId: sender.numberId,
    to: message.to,
    from: sender.phoneNumber ?? '',
    chatType: message.chatType,
    messageType: message.content.type,
    text: message.content.text,
    groupId: message.chatType === 'group' ? message.to : null,
    providerMessageId: message.sentAt === null ? null : message.providerMessageId,
    senderSource: message.senderSource,
    errorMessage: message.errorMessage,
    queuedAt: message.queuedAt,
    sentAt: message.sentAt,
    deliveredAt: message.deliveredAt,
    readAt: message.readAt,
    failedAt: message.failedAt,
    receivedAt: null,
  };
}

/** Who received it, as a receipt says. */
export interface Recipient {
  phoneNumber: string | undefined;
  lid: string | undefined;
}

const nobody: Recipient = { phoneNumber: undefined, lid: undefined };
const userDomain = 's.whatsapp.net';

/** The event of one step of a message, with exactly the contract's fields, and the row that it brings about. */
export function stepEvent(
  step: MessageStatus,
  message: OutboundMessageState,
  sender: Sender,
  now: number,
  recipient: Recipient = nobody,
): UnplacedEvent {
  const data = stepData(step, message, sender.numberId, recipient);
  const envelope = { id: newEventId(), event: `message.${step}`, timestamp: iso(now), data } as EventEnvelope;
  return { envelope, message: projectionOf({ ...message, status: step }, sender), device: null };
}

function stepData(
  step: MessageStatus,
  message: OutboundMessageState,
  numberId: string,
  recipient: Recipient,
): EventEnvelope['data'] {
  const { messageId, to, chatType, content, providerMessageId } = message;
  const head = { messageId, numberId, to, chatType, messageType: content.type };
  const isGroup = chatType === 'group';
  const receipt = {
    messageId,
    numberId,
    providerMessageId,
    messageStatus: 'delivered' as const,
    deliveredAt: iso(message.deliveredAt ?? 0),
    chat: isGroup ? to : `${to}@${userDomain}`,
    recipient: recipient.phoneNumber ?? (isGroup ? (recipient.lid ?? '') : to),
    ...(recipient.lid === undefined ? {} : { recipientLid: recipient.lid }),
    isGroup,
  };
  switch (step) {
    case 'queued':
      return { ...head, status: step };
    case 'sent':
      return { ...head, providerMessageId, status: step, sentAt: iso(message.sentAt ?? 0) };
    case 'delivered':
      return { ...receipt, status: step };
    case 'read':
      return { ...receipt, status: step, readAt: iso(message.readAt ?? 0) };
    case 'failed':
      return { ...head, status: step, errorMessage: message.errorMessage ?? '' };
  }
}

/** Milliseconds since 1970 in the only form in which a time crosses a border. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
