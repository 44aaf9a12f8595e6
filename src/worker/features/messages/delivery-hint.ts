import { dayMs } from '../../../contract/times.ts';
import type { NewMessage } from '../../../durable/event-log/messages/logged-message.ts';

const notDeliveredHint =
  'The network took it more than a day ago, and no phone has received it since: the recipient may not be registered there, or ' +
  'their phone is off. Look the number up, or turn on checkOnNetwork, which refuses such recipients before they are sent to.';

/**
 * What is to be said of a message to one person that nobody has received for a day. The network takes messages to phone numbers
 * that nobody has registered, and says nothing more. It is worked out when it is read: no timer waits for it.
 */
export function deliveryHint(message: NewMessage, now: number): string | null {
  if (message.direction === 'inbound' || message.chatType !== 'personal') return null;
  const { status, senderSource, sentAt } = message;
  // What its owner has sent on the phone may have been received without a word to this device.
  if (status !== 'sent' || senderSource === null || sentAt === null) return null;
  return now - sentAt >= dayMs ? notDeliveredHint : null;
}
