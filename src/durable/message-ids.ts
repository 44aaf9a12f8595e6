import { hash } from 'node:crypto';
import { v7 } from 'uuid';

/** Characters at the end of a message's id that are those of the number it was first given to. */
const tailCharacters = 8;
const tailBytes = tailCharacters / 2;
const seqMax = 0x7fff_ffff;
let last = { at: 0, seq: 0 };

/**
 * A fresh id for a message that is given to a number at `at` (milliseconds since 1970): a UUIDv7 that ends like the
 * number's, so that the number can be found again by the id, with nothing stored.
 */
export function messageIdFor(numberId: string, at: number): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  random.set(Buffer.from(numberId.slice(-tailCharacters), 'hex'), random.length - tailBytes);
  const seq = at === last.at ? last.seq + 1 : new DataView(random.buffer).getUint32(0) % (seqMax / 2);
  last = { at, seq };
  return `msg_${v7({ msecs: at, seq, random })}`;
}

/** Whether a message may have been given to this number first. */
export function mayBeFirstGivenTo(messageId: string, numberId: string): boolean {
  return messageId.slice(-tailCharacters) === numberId.slice(-tailCharacters);
}

/** When a message was accepted, by its id; milliseconds since 1970. */
export function timeOf(messageId: string): number {
  return Number.parseInt(messageId.slice(4, 17).replace('-', ''), 16);
}

/** No message of an earlier time has a higher id. */
export function firstMessageIdOf(at: number): string {
  return `msg_${Math.max(0, at)
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}`;
}

/**
 * The network's id of a message, in the form that its web clients use. It follows from the message id alone, so it is
 * fixed before the first hand-over, and no crash can make a second one.
 */
export function providerMessageIdOf(messageId: string): string {
  return `3EB0${hash('sha256', messageId).slice(0, 18).toUpperCase()}`;
}
