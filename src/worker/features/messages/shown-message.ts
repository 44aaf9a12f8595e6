import { isFileContent, type MessageContent } from '../../../contract/messages/content.ts';
import { type MediaUrlOf, shownContent } from '../../../contract/messages/shown-content.ts';
import type { HeldReason } from '../../../contract/numbers/sender-settings.ts';
import { dayMs, isoTime } from '../../../contract/times.ts';
import { type NewMessage, recipientOf } from '../../../durable/event-log/messages/logged-message.ts';
import type { MemberReceipt } from '../../../durable/event-log/messages/member-receipts.ts';
import type { MessageTimeline } from '../../../durable/event-log/messages/reading/message-timeline.ts';
import { showDelivery } from '../webhooks/delivery/shown-delivery.ts';

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
  return { ...record, ...(receipts && { receipts }), heldReason, expectedAt: isoTime(expectedAt) };
}

/** How a poll stands. */
function shownPoll({ content, votes }: NewMessage) {
  if (content.type !== 'poll') return undefined;
  const chosen = Object.values(votes).flatMap(({ options }) => options);
  return {
    ...content.poll,
    votes: content.poll.options.map((option) => ({
      option,
      count: chosen.filter((one) => one === option).length,
    })),
  };
}

/** What was done to a message since; what does not apply is left out. */
function shownChanges({ editedAt, deletedAt, reactions, failedActions }: NewMessage) {
  const given = Object.entries(reactions).filter(([, { emoji }]) => emoji !== '');
  return {
    ...(given.length > 0 && {
      reactions: given.map(([from, { emoji, at }]) => ({ from, emoji, reactedAt: isoTime(at) })),
    }),
    ...(editedAt !== null && { editedAt: isoTime(editedAt) }),
    ...(deletedAt !== null && { deletedAt: isoTime(deletedAt) }),
    ...(failedActions.length > 0 && {
      failedActions: failedActions.map(({ action, acceptedAt, failedAt, errorMessage, errorCode }) => ({
        action,
        acceptedAt: isoTime(acceptedAt),
        failedAt: isoTime(failedAt),
        errorMessage,
        errorCode,
      })),
    }),
  };
}

/** A message that has failed waits for its file no more: nobody fetches it. */
function contentOf({ status, content }: NewMessage): MessageContent {
  if (status !== 'failed' || !isFileContent(content) || content.media.status !== 'pending') return content;
  return { ...content, media: { ...content.media, status: 'unavailable' } };
}

/** A record as API keys see it: who of the account's people or machines made a message is not theirs to know. */
export const withoutOrigin = <Record extends { origin: unknown }>({ origin: _, ...record }: Record) => record;

/** A message as `GET /v1/messages` shows it. What does not apply to it, or is not known yet, is null. */
export function messageRecord(message: NewMessage, urlOf: MediaUrlOf) {
  const { messageId, direction, status, numberId, chatType } = message;
  const common = { messageId, direction, status, numberId };
  const { poll: _, ...content } = shownContent(contentOf(message), urlOf);
  const poll = shownPoll(message);
  const carried = { chatType, ...content, ...(poll && { poll }), ...shownChanges(message) };
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
      receivedAt: isoTime(message.receivedAt),
    };
  }
  const hint = deliveryHint(message, Date.now());
  return {
    ...common,
    ...recipientOf(message),
    ...carried,
    // Fixed from the beginning, and of use to nobody before the network knows it.
    providerMessageId: message.sentAt === null ? null : message.providerMessageId,
    sender: { numberId, phoneNumber: message.ownPhone, source: message.senderSource },
    errorMessage: message.errorMessage,
    errorCode: message.errorCode,
    clientReference: message.clientReference,
    sendAt: isoTime(message.sendAt),
    origin: message.origin,
    queuedAt: isoTime(message.queuedAt),
    sentAt: isoTime(message.sentAt),
    deliveredAt: isoTime(message.deliveredAt),
    readAt: isoTime(message.readAt),
    failedAt: isoTime(message.failedAt),
    ...(hint !== null && { hint }),
  };
}

const shownReceipt = ({ phoneNumber, lid, deliveredAt, readAt }: MemberReceipt) => ({
  ...(phoneNumber !== null && { phoneNumber }),
  ...(lid !== null && { lid }),
  deliveredAt: isoTime(deliveredAt),
  readAt: isoTime(readAt),
});

const notDeliveredHint =
  'The network took it more than a day ago, and no phone has received it since: the recipient may not be registered there, or ' +
  'their phone is off. Look the number up, or turn on checkOnNetwork, which refuses such recipients before they are sent to.';

/**
 * The note on a message to one person that nobody has received for a day. The network accepts messages to phone numbers that
 * nobody has registered, and reports nothing more. The note is computed when the message is read, so no timer is needed.
 */
export function deliveryHint(message: NewMessage, now: number): string | null {
  if (message.direction === 'inbound' || message.chatType !== 'personal') return null;
  const { status, senderSource, sentAt } = message;
  // What its owner has sent on the phone may have been received without a word to this device.
  if (status !== 'sent' || senderSource === null || sentAt === null) return null;
  return now - sentAt >= dayMs ? notDeliveredHint : null;
}

/** What is known of a message that may not stand in the log yet. */
export type Timeline = Omit<MessageTimeline, 'message'> & { message: NewMessage };

/** A timeline as `GET /v1/messages/:messageId/timeline` shows it. `waiting`: of a message that waits. */
export function shownTimeline({ message, steps, events, deliveries }: Timeline, waiting: Waiting | null) {
  const { messageId, direction, status } = message;
  return {
    messageId,
    direction,
    status,
    sender: messageRecord(message, () => null).sender,
    steps: steps.map(({ step, at }, index) => ({
      step,
      at: isoTime(at),
      afterMs: index === 0 ? 0 : at - (steps[index - 1]?.at ?? at),
    })),
    waiting: status === 'queued' ? shownWait(waiting) : null,
    events,
    deliveries: deliveries.map(({ webhookId, ...delivery }) => ({ webhookId, ...showDelivery(delivery) })),
  };
}

function shownWait(waiting: Waiting | null) {
  const { heldReason = null, expectedAt = null } = waiting ?? {};
  return { heldReason, expectedAt: expectedAt === null ? null : isoTime(expectedAt) };
}
