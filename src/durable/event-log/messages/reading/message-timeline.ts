import type { MessageStatus } from '../../../../contract/messages/message-status.ts';
import type { WebhookDelivery } from '../../deliveries/history/first-deliveries.ts';
import type { EventsOfMessage } from '../../events/events-of-message.ts';
import { type StreamEvent, streamEvent } from '../../feed/event-reader.ts';
import type { LoggedMessage, NewMessage } from '../logged-message.ts';

/** A step that a message has taken; milliseconds since 1970. */
export interface MessageStep {
  step: MessageStatus | 'received';
  at: number;
}

export interface MessageTimeline {
  message: LoggedMessage;
  /** Oldest first. */
  steps: MessageStep[];
  /** Oldest first; those that the log does not have at hand any more are left out. */
  events: StreamEvent[];
  /** Event by event, and webhook by webhook. */
  deliveries: WebhookDelivery[];
}

export interface TimelineParts {
  eventsOf: EventsOfMessage;
  deliveriesOf: (seq: number) => WebhookDelivery[];
  generation: string;
}

/** The steps that a message has taken, in their order. */
export function stepsOf(message: NewMessage): MessageStep[] {
  if (message.direction === 'inbound') return [{ step: 'received', at: message.receivedAt }];
  const { queuedAt, sentAt, deliveredAt, readAt, failedAt } = message;
  const steps: { step: MessageStatus; at: number | null }[] = [
    { step: 'queued', at: queuedAt },
    { step: 'sent', at: sentAt },
    { step: 'delivered', at: deliveredAt },
    { step: 'read', at: readAt },
    { step: 'failed', at: failedAt },
  ];
  return steps.flatMap(({ step, at }) => (at === null ? [] : [{ step, at }]));
}

/** All that the log has about a message: its steps, its events, and what became of each at each webhook. */
export function timelineOf(message: LoggedMessage, parts: TimelineParts): MessageTimeline {
  const steps = stepsOf(message);
  const found = parts.eventsOf.find(
    message.messageId,
    steps.map(({ step, at }) => ({ event: `message.${step}`, at })),
  );
  return {
    message,
    steps,
    events: found.map((event) => streamEvent(parts.generation, event)),
    deliveries: found.flatMap(({ seq }) => parts.deliveriesOf(seq)),
  };
}
