import { invalidField, type Refusal } from '../../../contract/errors.ts';
import type { MessageContent } from '../../../contract/messages/content.ts';
import type { ChatType, SenderSource } from '../../../contract/messages/message.ts';
import type { HeldReason } from '../../../contract/numbers/sender-settings.ts';
import type { MessageExtras } from '../../hand-over/message-batch.ts';
import { onlyNumberOf, type PresentedKey } from '../configuration/key-ring.ts';
import type { KeyPin } from '../configuration/snapshot.ts';
import type { Fitness } from '../senders/candidates.ts';
import type { LimitState } from './rate-limits.ts';

/** What the Worker knows of a file that is sent, beside the content. */
export interface SentFile {
  /** Where it lies, which is fetched when the message is accepted. */
  fileUrl?: string;
  /** Of one that was there: where the request names it, the number that received it, the key that it was uploaded with. */
  fileOf?: { field: string; numberId?: string; keyId?: string };
}

/** A send as the Worker has validated it; the Account object decides whether and through whom. */
export interface SendRequest extends PresentedKey, SentFile, Omit<MessageExtras, 'isQuiet' | 'origin'> {
  /** `Idempotency-Key`, 1 to 255 characters, or null. */
  idempotencyKey: string | null;
  /** Lower-case hex SHA-256 of the validated body: tells a repeat from another request under the same key. */
  bodyHash: string;
  /** Digits of a phone number, a group id, or the alias of somebody known by no more: `<digits>@lid`. */
  to: string;
  chatType: ChatType;
  content: MessageContent;
  /** The message that it answers; the Worker has put what there is to know of it into the content. */
  quotedMessageId?: string;
  /** The number of that message. */
  quotedNumberId?: string;
  /** A `numberId` or a phone number (digits) of one of the account's senders, or null. */
  senderHint: string | null;
}

/** Several sends in one request. Those that the Worker has refused come along: the whole answer is kept with the key. */
export interface BatchRequest extends PresentedKey {
  /** `Idempotency-Key` of the whole request, or null; and the hash of all of its body. */
  idempotencyKey: string | null;
  bodyHash: string;
  items: readonly (Omit<SendRequest, keyof PresentedKey> | Refusal)[];
}

/** The 202 body of `POST /v1/messages/send`. */
export interface SendAnswer {
  messageId: string;
  status: 'queued';
  numberId: string;
  /** Left out where only an alias is known: then it is `contactId` that stands here. */
  to?: string;
  contactId?: string;
  chatType: ChatType;
  messageType: MessageContent['type'];
  /** ISO 8601, UTC, milliseconds. */
  queuedAt: string;
}

/** Which key it was, and how its limits and those of its account stand; missing where there was no valid key. */
interface Limited {
  limits?: LimitState[];
  keyId?: string;
}

/** How the sender was chosen, for the wide log line of the send. */
export interface SendLogSender {
  /** Null: no API key has asked for it. */
  keyId: string | null;
  numberId: string;
  source: SenderSource;
}

export interface Accepted {
  ok: true;
  answer: SendAnswer;
  replayed: boolean;
  sender: SendLogSender;
}

export type SendResult = Limited & (Accepted | Refusal);

/** `items`: in the order of the request. `replayed`: the whole answer is that of an earlier request under the same key. */
export type BatchResult = Limited &
  ({ ok: true; keyId: string; items: (Accepted | Refusal)[]; replayed: boolean } | Refusal);

/** What a send would come to; nothing is counted and nothing leaves. */
interface DryRun {
  /** Whether the send would be accepted now: nothing speaks against it. */
  accepted: boolean;
  sender: { numberId: string; phoneNumber: string | null; source: SenderSource } | null;
  /** When it would leave, and what it would wait for; milliseconds since 1970. */
  expectedAt: number | null;
  heldReason: HeldReason | null;
  /** Whether the recipient is on the network, as far as that is known already. */
  onNetwork: boolean | null;
  /** Everything that would refuse it, in the order in which it would. */
  reasons: Pick<Refusal, 'code' | 'message' | 'details'>[];
  /** The numbers of the account, and what speaks against each for this recipient. */
  senders: { numberId: string; inPool: boolean; fitness: Fitness; reason: string | null }[];
}

export type DryRunResult = Limited & ({ ok: true; keyId: string; dryRun: DryRun } | Refusal);

/** A key that may be used; `onlyNumberId`: the only number that it has to do with, or null. */
interface GoodKey {
  ok: true;
  keyId: string;
  keyName: string;
  onlyNumberId: string | null;
}

export type KeyCheck = Limited & (GoodKey | Refusal);

/** `field`: where the request names the file. */
export const noSuchFile = (field: string): Refusal =>
  invalidField(field, 'The file does not exist, or was deleted.');

/** A key that is pinned strictly sends files of its number, and those that were uploaded with it: others are none to it. */
export function fileRefusal({ fileOf }: SentFile, key: KeyPin & { id?: string | null }): Refusal | null {
  const onlyNumberId = onlyNumberOf(key);
  if (fileOf === undefined || onlyNumberId === null || fileOf.numberId === onlyNumberId) return null;
  return fileOf.keyId !== undefined && fileOf.keyId === key.id ? null : noSuchFile(fileOf.field);
}
