import { hash } from 'node:crypto';

/** When a message was accepted, by its id; milliseconds since 1970. */
export function timeOf(messageId: string): number {
  return Number.parseInt(messageId.slice(4, 17).replace('-', ''), 16);
}

/**
 * The network's id of a message, in the form that its web clients use. It follows from the message id alone, so it is
 * fixed before the first hand-over, and no crash can make a second one.
 */
export function providerMessageIdOf(messageId: string): string {
  return `3EB0${hash('sha256', messageId).slice(0, 18).toUpperCase()}`;
}
