import type { ChatType, MessageContent, SenderSource } from '../../contract/message.ts';

/** A message that its account has accepted, as it is handed to the number that is to send it. */
export interface AcceptedMessage {
  messageId: string;
  to: string;
  chatType: ChatType;
  content: MessageContent;
  senderSource: SenderSource;
  /** Neither side has written to the other through the account yet. */
  isNewChat: boolean;
  /** The key leaves the choice of the sender to the account, so another number may send it: a pool or fallback key. */
  mayMove: boolean;
  /** Milliseconds since 1970. */
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
