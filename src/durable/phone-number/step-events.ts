import type { EventEnvelope } from '../../contract/events.ts';
import type { MessageStatus } from '../../contract/message.ts';
import type { UnplacedEvent } from '../event-relay.ts';
import { newEventId } from '../new-ids.ts';
import { iso, type OutboundMessageState, projectionOf, type Sender } from './outbound-message.ts';

/** Who received it, as a receipt says. */
export interface Recipient {
  phoneNumber: string | undefined;
  lid: string | undefined;
}

/** A step of a message: with the message itself, all that its event tells. */
export interface Step {
  step: MessageStatus;
  /** Of the event. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The sender's phone number by then. */
  from: string | null;
  recipient?: string | undefined;
  lid?: string | undefined;
}

/** A step in the order of all that the object tells; steps of one change share their place. */
export interface PlacedStep extends Step {
  seq: number;
}

const nobody: Recipient = { phoneNumber: undefined, lid: undefined };
const userDomain = 's.whatsapp.net';

export function newStep(
  step: MessageStatus,
  sender: Sender,
  now: number,
  recipient: Recipient = nobody,
): Step {
  const { phoneNumber, lid } = recipient;
  return { step, id: newEventId(), at: now, from: sender.phoneNumber, recipient: phoneNumber, lid };
}

/**
 * The event of a step, with exactly the contract's fields, and the row that it brings about: the same however often,
 * and however far the message has come since.
 */
export function eventOf(
  { step, id, at, from, recipient, lid }: Step,
  message: OutboundMessageState,
  { accountId, numberId }: Pick<Sender, 'accountId' | 'numberId'>,
): UnplacedEvent {
  const then = asOf(step, message);
  const data = stepData(step, then, numberId, { phoneNumber: recipient, lid });
  const envelope = { id, event: `message.${step}`, timestamp: iso(at), data } as EventEnvelope;
  return { envelope, message: projectionOf(then, { accountId, numberId, phoneNumber: from }), device: null };
}

/** The message as it was after a step of it. */
function asOf(step: MessageStatus, message: OutboundMessageState): OutboundMessageState {
  const then = { ...message, status: step };
  if (step === 'failed') return then;
  Object.assign(then, { failedAt: null, errorMessage: null });
  if (step !== 'read') then.readAt = null;
  if (step === 'queued' || step === 'sent') then.deliveredAt = null;
  if (step === 'queued') then.sentAt = null;
  return then;
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
