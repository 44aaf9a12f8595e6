import { hash } from 'node:crypto';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { MessageOrigin } from '../../../contract/messages/message.ts';
import { SweptTable } from '../../storage/housekeeping.ts';
import type { SendAnswer, SendRequest } from './send-request.ts';

/** A send that no API key asks for, but the gateway itself, or a person who is signed in. */
export interface SendAsRequest
  extends Pick<
    SendRequest,
    | 'to'
    | 'contactId'
    | 'chatType'
    | 'content'
    | 'fileUrl'
    | 'quotedMessageId'
    | 'quotedNumberId'
    | 'clientReference'
    | 'sendAt'
  > {
  origin: MessageOrigin;
  /** The number that sends it, and no other; null: one of the pool. */
  numberId: string | null;
  /** The only numbers that may send it, chosen from instead of the pool; left out: the pool. */
  among?: readonly string[];
  /** Names the send among all that are no API key's; null: each is a new one. */
  idempotencyKey: string | null;
  /** It is refused where a person has written to them since then, from the same number; milliseconds since 1970. */
  unlessPersonSince?: number;
  /** It is refused, as {@link otherDigits}, where the network has other digits than these for whom it goes to. */
  unlessOtherThan?: string;
  /** Tells a repeat from another send under the same key; left out: it follows from what is sent. */
  bodyHash?: string;
}

export type SendAsResult = { ok: true; answer: SendAnswer; replayed: boolean } | Refusal;

/** Keys of these sends are other keys than those of customers, which hold no line break. */
const keyOf = (key: string): string => `as\n${key}`;

/** The send as admission takes it. */
export type AdmittedSend = Omit<SendRequest, 'keyHash' | 'address'> &
  Pick<SendAsRequest, 'origin' | 'numberId' | 'among' | 'unlessPersonSince' | 'unlessOtherThan'>;

export function admittedSend(request: SendAsRequest): AdmittedSend {
  const { idempotencyKey, bodyHash = hashOf(request) } = request;
  return {
    ...request,
    senderHint: null,
    bodyHash,
    idempotencyKey: idempotencyKey === null ? null : keyOf(idempotencyKey),
  };
}

function hashOf({ numberId, to, content, fileUrl, quotedMessageId, clientReference, sendAt }: SendAsRequest) {
  // The secret of a poll is another one each time.
  const { secret: _, ...same } = content.type === 'poll' ? content : { ...content, secret: undefined };
  return hash(
    'sha256',
    JSON.stringify([numberId, to, same, fileUrl, quotedMessageId, clientReference, sendAt]),
  );
}

const keptMs = 24 * 3_600_000;

export const personCameFirst = refuse('CONFLICT', 'Someone in the team has written to them in the meantime.');

/** Whoever asks has to see first who has those digits. */
export const otherDigits = refuse('CONFLICT', 'The network has other digits for this recipient.');

/** To whom people of the account have written last: what a machine was about to say to them is then not said. */
export class PeopleFirst extends SweptTable {
  constructor(sql: SqlStorage) {
    super(sql, { table: 'person_sends', key: 'recipient', isOver: 'at < ?1', keptMs });
  }

  /** A person's message is accepted. Call inside the transaction that stores it. */
  note(recipient: string, numberId: string, at: number): void {
    this.sql.exec(
      'INSERT INTO person_sends VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
      ...[recipient, numberId, at],
    );
  }

  /** Whether a person has written to them from this number since then. */
  hasSince(recipient: string, numberId: string, since: number): boolean {
    const query = 'SELECT 1 FROM person_sends WHERE recipient = ? AND number_id = ? AND at >= ?';
    return this.queryAny(query, recipient, numberId, since);
  }

  /** One address of somebody turned out to be another's too. */
  copy(from: string, to: string): void {
    this.sql.exec(
      `INSERT INTO person_sends SELECT ?2, number_id, at FROM person_sends WHERE recipient = ?1
         ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`,
      ...[from, to],
    );
  }

  forget(recipient: string): void {
    this.sql.exec('DELETE FROM person_sends WHERE recipient = ?', recipient);
  }
}
