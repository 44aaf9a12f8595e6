import { hash } from 'node:crypto';
import { v7 } from 'uuid';

/** A fresh UUIDv7 (RFC 9562), for numbers, keys, webhooks. */
export const newUuid = (): string => v7();
export const newMessageId = (): string => `msg_${v7()}`;
export const newEventId = (): string => `evt_${v7()}`;
export const newRequestId = (): string => `req_${v7()}`;

/**
 * A UUIDv7 that depends only on this time (milliseconds) and these names. If a queue or a crash repeats a step, what is made
 * again from the same facts gets the same id.
 */
export function derivedUuid(msecs: number, ...names: string[]): string {
  const digest = hash('sha256', names.join('\n'), 'buffer');
  const seq = digest.readUInt32BE(16);
  return v7({ msecs, seq, random: digest.slice(0, 16) });
}

/** The same, so that ids of one time are in the order of `position`, a whole number. */
export function orderedUuid(msecs: number, position: number, ...names: string[]): string {
  const digest = hash('sha256', names.join('\n'), 'buffer');
  return v7({ msecs, seq: position % 2 ** 32, random: digest.slice(0, 16) });
}

/** When a message was accepted, by its id; milliseconds since 1970. */
export function timeOf(messageId: string): number {
  return Number.parseInt(messageId.slice(4, 17).replace('-', ''), 16);
}

/**
 * The network's id of a message, in the form that web clients use. It depends only on the message id. So it is fixed before
 * the first hand-over, and no crash can create a second one.
 */
export function providerMessageIdOf(messageId: string): string {
  return `3EB0${hash('sha256', messageId).slice(0, 18).toUpperCase()}`;
}
