import { type MediaUrlOf, shownContent } from '../../contract/messages/shown-content.ts';
import type { HeldReason } from '../../contract/sender-settings.ts';
import type { NewMessage } from '../../durable/event-log/messages/logged-message.ts';
import type { MemberReceipt } from '../../durable/event-log/messages/member-receipts.ts';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Why a message waits, and when it is expected to leave; milliseconds since 1970. */
export interface Waiting {
  heldReason: HeldReason | null;
  expectedAt: number | null;
}

/** The record of one message, with what the list does not tell: what it waits for, and who of a group has it. */
export function waitingRecord(message: NewMessage, waiting: Waiting | null, urlOf: MediaUrlOf) {
  const record = messageRecord(message, urlOf);
  if (message.direction === 'inbound') return record;
  const { heldReason = null, expectedAt = null } = waiting ?? {};
  const receipts = message.receipts?.map(shownReceipt);
  return { ...record, ...(receipts && { receipts }), heldReason, expectedAt: iso(expectedAt) };
}

/** What was done to a message since, and how a poll stands; what does not apply is left out. */
function shownChanges({ content, editedAt, deletedAt, reactions, votes, failedActions }: NewMessage) {
  const given = Object.entries(reactions).filter(([, { emoji }]) => emoji !== '');
  const chosen = Object.values(votes).flatMap(({ options }) => options);
  return {
    ...(content.type === 'poll' && {
      poll: {
        ...content.poll,
        votes: content.poll.options.map((option) => ({
          option,
          count: chosen.filter((one) => one === option).length,
        })),
      },
    }),
    ...(given.length > 0 && {
      reactions: given.map(([from, { emoji, at }]) => ({ from, emoji, reactedAt: iso(at) })),
    }),
    ...(editedAt !== null && { editedAt: iso(editedAt) }),
    ...(deletedAt !== null && { deletedAt: iso(deletedAt) }),
    ...(failedActions.length > 0 && {
      failedActions: failedActions.map(({ action, acceptedAt, failedAt, errorMessage, errorCode }) => ({
        action,
        acceptedAt: iso(acceptedAt),
        failedAt: iso(failedAt),
        errorMessage,
        errorCode,
      })),
    }),
  };
}

/** A record as API keys see it: who of the account's people or machines made a message is not theirs to know. */
export const withoutOrigin = <Record extends { origin: unknown }>({ origin: _, ...record }: Record) => record;

/** A message as `GET /v1/messages` shows it. What does not apply to it, or is not known yet, is null. */
export function messageRecord(message: NewMessage, urlOf: MediaUrlOf) {
  const { messageId, direction, status, numberId, chatType, content } = message;
  const common = { messageId, direction, status, numberId };
  const carried = { chatType, ...shownContent(content, urlOf), ...shownChanges(message) };
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
      origin: null,
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
    origin: message.origin,
    queuedAt: iso(message.queuedAt),
    sentAt: iso(message.sentAt),
    deliveredAt: iso(message.deliveredAt),
    readAt: iso(message.readAt),
    failedAt: iso(message.failedAt),
  };
}

const shownReceipt = ({ phoneNumber, lid, deliveredAt, readAt }: MemberReceipt) => ({
  ...(phoneNumber !== null && { phoneNumber }),
  ...(lid !== null && { lid }),
  deliveredAt: iso(deliveredAt),
  readAt: iso(readAt),
});
