import type { EventRows, StoredEvent } from '../../events/event-rows.ts';
import type { DeliveryRow, DeliveryRows } from '../attempts/delivery-rows.ts';
import type { EventOutcome, EventOutcomes } from '../attempts/event-outcomes.ts';
import type { DeliveryAttempt } from '../delivery-order.ts';
import { firstDeliveryIdOf, timeOfDeliveryId, wants } from '../webhooks/webhook-configuration.ts';
import type { WebhookReader } from '../webhooks/webhook-reader.ts';

export type ShownStatus = 'pending' | 'held' | 'delivered' | 'failed';

/** One event on its way to one webhook, as the outside sees it. Times are milliseconds since 1970. */
export interface DeliveryRecord
  extends Pick<DeliveryRow, 'deliveryId' | 'eventId' | 'event' | 'attempts' | 'nextAttemptAt'> {
  status: ShownStatus;
}

/** A delivery, and the webhook that it goes to. */
export type WebhookDelivery = { webhookId: string } & DeliveryRecord;

/** What waits for a webhook that is off is held. */
export function recordOfRow(row: DeliveryRow, isOn: boolean): DeliveryRecord {
  const { deliveryId, eventId, event, attempts } = row;
  const status = row.status === 'pending' && !isOn ? 'held' : row.status;
  const nextAttemptAt = status === 'pending' ? row.nextAttemptAt : null;
  return { deliveryId, eventId, event, status, attempts, nextAttemptAt };
}

/** The attempt that an event's outcome tells of. */
const attemptOfOutcome = ({ webhookId: _, seq: _seq, ...attempt }: EventOutcome): DeliveryAttempt => ({
  ...attempt,
  error: null,
});

/** What one look may read: a page that finds little is short, and says where to go on. */
const eventsMax = 2_000;
/** Events that are looked at together. */
const eventsAtOnce = 200;

type FirstDelivery = DeliveryRecord & { seq: number };

/** Deliveries that have no row of `deliveries`, and up to which delivery id the look has come; null: to the end. */
export interface Look {
  found: FirstDelivery[];
  downTo: string | null;
}

/** First deliveries that were never in trouble: those that the receiver took at once, and those that wait for their attempt. */
export class FirstDeliveries {
  readonly #outcomes: EventOutcomes;
  readonly #rows: DeliveryRows;
  readonly #events: EventRows;

  constructor(outcomes: EventOutcomes, rows: DeliveryRows, events: EventRows) {
    this.#outcomes = outcomes;
    this.#rows = rows;
    this.#events = events;
  }

  /** The newest with an id below `before`, at least `wantedMax` that fit where there are so many. */
  newest(
    reader: WebhookReader,
    before: string | null,
    wantedMax: number,
    fits: (record: DeliveryRecord) => boolean,
  ): Look {
    const { head, oldest } = this.#events;
    const found: FirstDelivery[] = [];
    const last = before === null ? head : this.#events.seqAt(timeOfDeliveryId(before) + 1);
    for (let to = last; to >= oldest; to -= eventsAtOnce) {
      if (found.length >= wantedMax || last - to >= eventsMax)
        return { found, downTo: this.#firstIdAt(reader, to + 1) };
      const some = this.between(reader, to - eventsAtOnce + 1, to);
      found.push(...some.filter((it) => (before === null || it.deliveryId < before) && fits(it)));
    }
    return { found, downTo: null };
  }

  find(reader: WebhookReader, deliveryId: string): FirstDelivery | null {
    const at = timeOfDeliveryId(deliveryId);
    const some = this.between(reader, this.#events.seqAt(at) + 1, this.#events.seqAt(at + 1));
    return some.find((it) => it.deliveryId === deliveryId) ?? null;
  }

  /** Those of these events, newest first. */
  between(reader: WebhookReader, from: number, to: number): FirstDelivery[] {
    const outcomes = this.#outcomes.between(from, to).filter(({ webhookId }) => webhookId === reader.id);
    const taken = new Map(outcomes.map((outcome) => [outcome.seq, outcome] as const));
    const withRow = new Set(this.#rows.firstsBetween(reader.id, from, to));
    const waits = reader.isOn ? ('pending' as const) : ('held' as const);
    const found: FirstDelivery[] = [];
    for (const event of this.#events.readTo(from - 1, to)) {
      const { seq, envelope } = event;
      const outcome = taken.get(seq);
      if (withRow.has(seq) || (outcome === undefined && !this.#isAwaited(reader, event))) continue;
      found.push({
        seq,
        deliveryId: firstDeliveryIdOf(reader.id, event),
        eventId: envelope.id,
        event: envelope.event,
        status: outcome === undefined ? waits : 'delivered',
        attempts: outcome === undefined ? [] : [attemptOfOutcome(outcome)],
        nextAttemptAt: null,
      });
    }
    return found.reverse();
  }

  #isAwaited({ configuration, firsts }: WebhookReader, { seq, envelope }: StoredEvent): boolean {
    const { head } = this.#events;
    return wants(configuration, envelope) && firsts.some((range) => range.awaits(seq, head));
  }

  /** The id of the first delivery of an event to the webhook, whether or not it wants it: none of earlier events is above it. */
  #firstIdAt(reader: WebhookReader, seq: number): string | null {
    const [event] = this.#events.read(seq - 1, 1);
    return event === undefined ? null : firstDeliveryIdOf(reader.id, event);
  }
}
