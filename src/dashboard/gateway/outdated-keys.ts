import type { StreamEvent } from '../../sdk/index.ts';

/** What an event makes untrue of what was asked, by the first part of its key. Messages are moved on without asking. */
export function outdatedBy({ event }: Pick<StreamEvent, 'event'>): string[] {
  // Attempts at webhooks are told by no event of their own, and any event makes some.
  const keys = ['webhooks'];
  if (event.startsWith('message.')) keys.push('usage', 'traffic');
  if (event === 'contact.updated') keys.push('contacts');
  // A pairing tells the number itself how it goes: see movePairing.
  if (event.startsWith('device.') && event !== 'device.pairing') keys.push('numbers');
  return keys;
}
