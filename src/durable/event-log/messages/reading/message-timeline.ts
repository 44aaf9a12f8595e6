import type { EventEnvelope } from '../../../../contract/events.ts';
import { type MessageStatus, messageStatuses } from '../../../../contract/messages/message-status.ts';
import { Tables } from '../../../storage/rows.ts';
import type { WebhookDelivery } from '../../deliveries/history/first-deliveries.ts';
import type { EventRows, StoredEvent } from '../../events/event-rows.ts';
import { type StreamEvent, streamEvent } from '../../feed/event-reader.ts';
import type { LoggedMessage, NewMessage } from '../logged-message.ts';

/** Rows that are looked at for one step: a row holds the events of one commit. */
const rowsMax = 2_000;
/** The network counts in whole seconds, and clocks differ a little. */
const earlierMs = 2_000;

type Row = { first_seq: number; bodies: string };

/** Finds the events of one message. No index leads to them: they stand close behind the time of the step that they tell. */
export class EventsOfMessage extends Tables {
  readonly #events: EventRows;

  constructor(sql: SqlStorage, events: EventRows) {
    super(sql);
    this.#events = events;
  }

  /**
   * Oldest first. What is not near the time of its step, as after a long outage of a bridge in a busy log, is left out,
   * and so is what was archived.
   */
  find(messageId: string, steps: readonly { event: string; at: number }[]): StoredEvent[] {
    const found = new Map<number, EventEnvelope>();
    let lookedTo = 0;
    for (const { event, at } of steps) {
      if ([...found.values()].some((envelope) => envelope.event === event)) continue;
      const from = Math.max(this.#events.seqAt(at - earlierMs) + 1, lookedTo + 1);
      for (const row of this.#rows(messageId, from)) {
        for (const [index, envelope] of (JSON.parse(row.bodies) as EventEnvelope[]).entries()) {
          const { data } = envelope;
          if ('messageId' in data && data.messageId === messageId) found.set(row.first_seq + index, envelope);
        }
        lookedTo = row.first_seq;
        if ([...found.values()].some((envelope) => envelope.event === event)) break;
      }
    }
    return [...found].sort(([a], [b]) => a - b).map(([seq, envelope]) => ({ seq, envelope }));
  }

  #rows(messageId: string, from: number): Iterable<Row> {
    return this.sql.exec<Row>(
      `SELECT first_seq, bodies FROM
         (SELECT first_seq, bodies FROM events WHERE first_seq >=
            coalesce((SELECT max(first_seq) FROM events WHERE first_seq <= ?1), ?1)
          ORDER BY first_seq LIMIT ?2)
       WHERE instr(bodies, ?3) > 0`,
      from,
      rowsMax,
      messageId,
    );
  }
}

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

interface TimelineParts {
  eventsOf: EventsOfMessage;
  deliveriesOf: (seq: number) => WebhookDelivery[];
  generation: string;
}

/** The steps that a message has taken, in their order. */
export function stepsOf(message: NewMessage): MessageStep[] {
  if (message.direction === 'inbound') return [{ step: 'received', at: message.receivedAt }];
  return messageStatuses.flatMap((step) => {
    const at = message[`${step}At`];
    return at === null ? [] : [{ step, at }];
  });
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
