import type { Refusal } from '../../contract/errors.ts';
import type { ChatType, MessageContent, SenderSource } from '../../contract/message.ts';
import type { LimitState } from './rate-limits.ts';

/** A send as the Worker has validated it; the Account object decides whether and through whom. */
export interface SendRequest {
  /** Lower-case hex SHA-256 of the presented key. */
  keyHash: string;
  /** `Idempotency-Key`, 1 to 255 characters, or null. */
  idempotencyKey: string | null;
  /** Lower-case hex SHA-256 of the validated body: tells a repeat from another request under the same key. */
  bodyHash: string;
  /** Digits of a phone number, or a group id. */
  to: string;
  chatType: ChatType;
  content: MessageContent;
  /** A `numberId` or a phone number (digits) of one of the account's senders, or null. */
  senderHint: string | null;
}

/** The 202 body of `POST /v1/messages/send`. */
export interface SendAnswer {
  messageId: string;
  status: 'queued';
  numberId: string;
  to: string;
  chatType: ChatType;
  messageType: MessageContent['type'];
  /** ISO 8601, UTC, milliseconds. */
  queuedAt: string;
}

/** How the limits of the key and of its account stand; missing where there was no valid key. */
interface Limited {
  limits?: LimitState[];
}

export type SendResult = Limited &
  ({ ok: true; answer: SendAnswer; replayed: boolean; sender: SendLogSender } | Refusal);

/** For the wide log line of the send. */
export interface SendLogSender {
  keyId: string;
  numberId: string;
  source: SenderSource;
}

export type KeyCheck = Limited & ({ ok: true; keyId: string } | Refusal);
