import { onlyGiven } from '../../contract/given.ts';
import type { OutboundContent } from '../../contract/messages/actions.ts';
import type { ChatType, MessageOrigin, SenderSource } from '../../contract/messages/message.ts';

/** What goes with a message wherever it goes, where there is any. */
export interface MessageExtras {
  /** The caller's own word for it, on its record and its events. */
  clientReference?: string;
  /** It does not leave before; milliseconds since 1970. */
  sendAt?: number;
  /** No event tells of it: the confirmation of an opt-out, which also goes to somebody who has opted out. */
  isQuiet?: true;
  /** Who made it, when it was not an API key. */
  origin?: MessageOrigin;
  /** Whom it goes to, where only their privacy alias is known. */
  contactId?: string;
  /** The digits that the send named, where the network knows the person by other ones: `to`. */
  dialled?: string;
  /** The trace that its request belongs to: `traceparent` of the W3C, 55 characters. */
  traceparent?: string;
}

export function extrasOf({
  clientReference,
  sendAt,
  isQuiet,
  origin,
  contactId,
  dialled,
  traceparent,
}: MessageExtras): MessageExtras {
  return onlyGiven({ clientReference, sendAt, isQuiet, origin, contactId, dialled, traceparent });
}

/** A message that its account has accepted, as it is handed to the number that is to send it. */
export interface AcceptedMessage extends MessageExtras {
  messageId: string;
  /** Digits of a phone number, a group id, or the alias of somebody known by no more: `<digits>@lid`. */
  to: string;
  chatType: ChatType;
  content: OutboundContent;
  senderSource: SenderSource;
  /** Neither side has written to the other through the account yet. */
  isNewChat: boolean;
  /** The key leaves the choice of the sender to the account, so another number may send it: a pool or fallback key. */
  mayMove: boolean;
  /**
   * The account's decision, sent with each hand-over: the message answers somebody who wrote within a day, so the daily limit
   * does not apply. An older account leaves it out after the same decision; then the daily limit does not apply either.
   */
  isAnswer?: boolean;
  /** The only numbers that may send it, where they were named; left out: those of the pool. */
  among?: readonly string[];
  /** It waits in its account until its file was fetched from there. */
  fileUrl?: string;
  queuedAt: number;
  expiresAt: number;
}

/** Messages that an account gives to a number in one call. */
export interface MessageBatch {
  /** Rises by one with each batch of this account for this number; a repeat has the number that it had. */
  batchNumber: number;
  messages: readonly AcceptedMessage[];
}

/** What a number answers to a batch. A batch at or below `takenUpTo` was taken before: its repeat changes nothing. */
export interface BatchTaken {
  takenUpTo: number;
  /** Messages that it takes further. At 0 it tells its account as soon as it has room again. */
  room: number;
  /** Messages that it may still begin today, what it has taken already counted off; null without a limit. */
  dailyRemaining: number | null;
}
