import type { NetworkReceipt } from '../../contract/bridge-frames.ts';
import type { UnplacedEvent } from '../event-relay.ts';
import { type OutboundMessageState, type Sender, stepEvent } from './outbound-message.ts';
import { climb } from './status-ladder.ts';

/** What a receipt makes of a message: its new state and the events on the way there; none for a repeat. */
export function receiptEvents(
  message: OutboundMessageState,
  receipt: NetworkReceipt,
  sender: Sender,
  now: number,
): { climbed: OutboundMessageState; events: UnplacedEvent[] } {
  const { message: climbed, steps } = climb(message, receipt.kind, Date.parse(receipt.at));
  const recipient = { phoneNumber: receipt.recipient, lid: receipt.recipientLid };
  return { climbed, events: steps.map((step) => stepEvent(step, climbed, sender, now, recipient)) };
}
