import { isoTime } from '../../../contract/times.ts';
import type { NewMessage } from '../../../durable/event-log/messages/logged-message.ts';
import type { MessageTimeline } from '../../../durable/event-log/messages/reading/message-timeline.ts';
import { showDelivery } from '../webhooks/delivery/shown-delivery.ts';
import type { Waiting } from './shown-message.ts';
import { messageRecord } from './shown-message.ts';

/** What is known of a message that may not stand in the log yet. */
export type Timeline = Omit<MessageTimeline, 'message'> & { message: NewMessage };

/** A timeline as `GET /v1/messages/:messageId/timeline` shows it. `waiting`: of a message that waits. */
export function shownTimeline({ message, steps, events, deliveries }: Timeline, waiting: Waiting | null) {
  const { messageId, direction, status } = message;
  return {
    messageId,
    direction,
    status,
    sender: messageRecord(message, () => null).sender,
    steps: steps.map(({ step, at }, index) => ({
      step,
      at: isoTime(at),
      afterMs: index === 0 ? 0 : at - (steps[index - 1]?.at ?? at),
    })),
    waiting: status === 'queued' ? shownWait(waiting) : null,
    events,
    deliveries: deliveries.map(({ webhookId, ...delivery }) => ({ webhookId, ...showDelivery(delivery) })),
  };
}

function shownWait(waiting: Waiting | null) {
  const { heldReason = null, expectedAt = null } = waiting ?? {};
  return { heldReason, expectedAt: expectedAt === null ? null : isoTime(expectedAt) };
}
