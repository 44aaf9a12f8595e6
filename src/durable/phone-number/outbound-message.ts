import { hash } from 'node:crypto';
import type { Refusal } from '../../contract/errors.ts';
import type { ChatType, MessageContent, MessageStatus, SenderSource } from '../../contract/message.ts';
import type { MessageProjection } from '../relayed-events.ts';
import type { PlacedStep } from './step-events.ts';

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
  /** Its steps whose events stand in its row: those that were not known to be confirmed when it was last written. */
  untold: readonly PlacedStep[];
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
    untold: [],
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

/** Milliseconds since 1970 in the only form in which a time crosses a border. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}
