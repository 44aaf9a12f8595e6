import type { EventEnvelope } from '../../../../contract/events.ts';
import type { StoredEvent } from '../../events/event-rows.ts';
import type { AttemptOrder } from '../delivery-order.ts';
import { nextAttempts, type ReadRange } from '../read-range.ts';
import type { RecentEvents } from '../recent-events.ts';
import {
  firstDeliveryIdOf,
  orderKeyOf,
  replayDeliveryIdOf,
  wants,
} from '../webhooks/webhook-configuration.ts';
import type { AttemptKind, WebhookReader } from '../webhooks/webhook-reader.ts';
import type { DeliveryRow, DeliveryRows } from './delivery-rows.ts';
import type { EventOutcomes } from './event-outcomes.ts';
import type { PlannedAttempt } from './planned-attempt.ts';

/** Events of one part of the sequence that are open in memory: what all calls together can take, and some more. */
const openMax = 200;
/** Due deliveries looked at for one call: some may have to wait for an attempt at their message. */
const dueLookedAtMax = 50;

interface Parts {
  events: RecentEvents;
  rows: DeliveryRows;
  outcomes: EventOutcomes;
  traceOf: (messageId: string) => string | undefined;
}

/** Looked at as far as it is needed: a few are chosen of many. */
function* openOf(ranges: readonly ReadRange[]) {
  for (const { open } of ranges) yield* open.values();
}

const withinRoom = <Item>(items: Item[], roomFor: (wanted: number) => number): Item[] =>
  items.length === 0 ? items : items.slice(0, roomFor(items.length));

/** Decides what may be attempted next, from what is open and what is under way. */
export class Planner {
  readonly #parts: Parts;
  /** What came later in this life cannot have an outcome that memory does not know. */
  readonly #bornHead: number;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#bornHead = parts.events.head;
  }

  /**
   * The attempts of the next call of one kind; none: there is nothing to do, or no room. `roomFor`: how many of so many
   * may be made.
   */
  next(
    reader: WebhookReader,
    kind: AttemptKind,
    now: number,
    roomFor: (wanted: number) => number,
  ): PlannedAttempt[] {
    if (!reader.isOn || !reader.mayCall(kind)) return [];
    if (kind === 'retry') return withinRoom(this.#dueRows(reader, now), roomFor);
    for (const range of kind === 'first' ? [] : reader.replays) {
      const found = this.#ofRanges(reader, [range], now, roomFor);
      if (found.length > 0) return found;
    }
    return kind === 'first' ? this.#ofRanges(reader, reader.firsts, now, roomFor) : [];
  }

  /** Looks at events until enough are open. A part is begun when the ones before it are read, since order counts. */
  read(reader: WebhookReader): void {
    this.#readInOrder(reader, reader.firsts);
    for (const replay of reader.replays) this.#readInOrder(reader, [replay]);
  }

  #readInOrder(reader: WebhookReader, ranges: readonly ReadRange[]): void {
    const { events } = this.#parts;
    for (const range of ranges) {
      while (!range.isReadUpTo(events.head)) {
        if (range.open.size >= openMax) return;
        // What is no longer kept cannot be delivered.
        range.readTo = Math.max(range.readTo, events.oldest - 1);
        const end = range.until ?? events.head;
        const read = events.read(range.readTo).filter(({ seq }) => seq <= end);
        this.#look(reader, range, read);
        range.readTo = Math.max(range.readTo, read.at(-1)?.seq ?? end);
      }
    }
  }

  #look(reader: WebhookReader, range: ReadRange, read: readonly StoredEvent[]): void {
    const wanted = read.filter(({ envelope }) => wants(reader.configuration, envelope));
    const settled = this.#settledAmong(reader, range, wanted);
    for (const event of wanted) {
      if (settled.has(event.seq)) continue;
      range.add(event, event.seq <= this.#bornHead ? reader.leasedUntil : 0);
    }
  }

  /** Those that an earlier life has delivered, or has given a row. */
  #settledAmong(
    reader: WebhookReader,
    range: ReadRange,
    wanted: readonly StoredEvent[],
  ): ReadonlySet<number> {
    const { rows, outcomes } = this.#parts;
    const [from, to] = [wanted[0]?.seq ?? 0, wanted.at(-1)?.seq ?? 0];
    if (range.kind === 'replay') {
      const isStored = (event: StoredEvent) =>
        rows.has(reader.id, replayDeliveryIdOf(reader.id, range, event));
      return new Set(wanted.filter(isStored).map(({ seq }) => seq));
    }
    if (wanted.length === 0 || from > this.#bornHead) return new Set();
    return new Set([
      ...outcomes.between(from, to).flatMap(({ webhookId, seq }) => (webhookId === reader.id ? seq : [])),
      ...rows.firstsBetween(reader.id, from, to),
    ]);
  }

  #ofRanges(
    reader: WebhookReader,
    ranges: readonly ReadRange[],
    now: number,
    roomFor: (wanted: number) => number,
  ): PlannedAttempt[] {
    const chosen = nextAttempts(openOf(ranges), reader.busy, reader.attemptsACall, now);
    return withinRoom(chosen, roomFor).flatMap((event) => {
      const range = ranges.find((it) => it.open.get(event.seq) === event);
      if (range === undefined) return [];
      const { envelope, orderKey } = event;
      const deliveryId =
        range.kind === 'first'
          ? firstDeliveryIdOf(reader.id, event)
          : replayDeliveryIdOf(reader.id, range, event);
      return [{ order: this.#orderOf(deliveryId, envelope, 1), orderKey, event, range, row: null }];
    });
  }

  #dueRows(reader: WebhookReader, now: number): PlannedAttempt[] {
    if (reader.nextRetryAt === null || reader.nextRetryAt > now) return [];
    const rows = this.#parts.rows.due(reader.id, now, dueLookedAtMax + reader.rowsUnderWay.size);
    const chosen: PlannedAttempt[] = [];
    const keys = new Set(reader.busy);
    for (const row of rows) {
      if (chosen.length === reader.attemptsACall || reader.rowsUnderWay.has(row.deliveryId)) continue;
      const planned = this.#ofRow(row);
      if (planned === null || (planned.orderKey !== null && keys.has(planned.orderKey))) continue;
      if (planned.orderKey !== null) keys.add(planned.orderKey);
      chosen.push(planned);
    }
    return chosen;
  }

  /** Null: its event is gone, and its row will follow. */
  #ofRow(row: DeliveryRow): PlannedAttempt | null {
    const envelope = row.body === null ? this.#parts.events.find(row.seq)?.envelope : JSON.parse(row.body);
    if (envelope === undefined) return null;
    const order = this.#orderOf(row.deliveryId, envelope, row.attempts.length + 1);
    return { order, orderKey: orderKeyOf(envelope), event: null, range: null, row };
  }

  #orderOf(deliveryId: string, envelope: EventEnvelope, attempt: number): AttemptOrder {
    const { id: eventId, event } = envelope;
    const messageId = orderKeyOf(envelope);
    const traceparent = messageId === null ? undefined : this.#parts.traceOf(messageId);
    const body = JSON.stringify(envelope);
    return { deliveryId, eventId, event, body, attempt, ...(traceparent !== undefined && { traceparent }) };
  }
}
