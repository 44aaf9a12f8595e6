import { hash } from 'node:crypto';
import { v7 } from 'uuid';

/** A fresh UUIDv7 (RFC 9562), for numbers, keys, webhooks. */
export const newUuid = (): string => v7();
export const newMessageId = (): string => `msg_${v7()}`;
export const newEventId = (): string => `evt_${v7()}`;
export const newRequestId = (): string => `req_${v7()}`;

/**
 * The UUIDv7 that always comes out for this time (milliseconds) and these names: what is made twice from the same
 * facts, because a queue or a crash repeated the step, gets the same id.
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
