import type { EventEnvelope } from '../../../../contract/events.ts';
import type { DeliveryRows } from '../attempts/delivery-rows.ts';
import type { EventOutcome } from '../attempts/event-outcomes.ts';
import { deliveryIdsFrom, firstDeliveryIdOf, timeOfDeliveryId, wants } from '../webhooks/wanted-events.ts';
import type { WebhookReader } from '../webhooks/webhook-reader.ts';
import { attemptOfOutcome, type DeliveryRecord } from './delivery-record.ts';

/** What one look may read: a page that finds little is short, and says where to go on. */
const eventsMax = 2_000;
const charactersMax = 2_000_000;

type Row = { first_seq: number; count: number; at: number; bodies: string; outcomes: string | null };
type EventsRow = Omit<Row, 'bodies'> & { envelopes: EventEnvelope[]; characters: number };

/** When the first event of a row happened; its own time is that of its last one. */
const beginOf = ({ envelopes, at }: EventsRow): number =>
  envelopes[0] === undefined ? at : Date.parse(envelopes[0].timestamp);

/** Deliveries that have no row, and up to which delivery id the look has come; null: to the end. */
export interface Look {
  found: (DeliveryRecord & { seq: number })[];
  downTo: string | null;
}

/** First deliveries as they stand with their events: those that the receiver took at once, and those that wait. */
export class EventDeliveries {
  readonly #sql: SqlStorage;
  readonly #rows: DeliveryRows;
  readonly #head: () => number;

  constructor(sql: SqlStorage, rows: DeliveryRows, head: () => number) {
    this.#sql = sql;
    this.#rows = rows;
    this.#head = head;
  }

  /** The newest with an id below `before`, at least `wantedMax` that fit where there are so many. */
  newest(
    reader: WebhookReader,
    before: string | null,
    wantedMax: number,
    fits: (record: DeliveryRecord) => boolean,
  ): Look {
    const found: Look['found'] = [];
    let [events, characters] = [0, 0];
    let begunAt: number | null = null;
    for (const row of this.#rowsUpTo(before === null ? null : timeOfDeliveryId(before))) {
      // Rows of one time belong together: the ids of that time are in any order.
      const isEnough = found.length >= wantedMax || events >= eventsMax || characters >= charactersMax;
      if (isEnough && begunAt !== null && row.at < begunAt)
        return { found, downTo: deliveryIdsFrom(begunAt) };
      const records = this.#recordsOf(reader, row);
      events += row.count;
      characters += row.characters;
      begunAt = beginOf(row);
      found.push(...records.filter((it) => (before === null || it.deliveryId < before) && fits(it)));
    }
    return { found, downTo: null };
  }

  find(reader: WebhookReader, deliveryId: string): (DeliveryRecord & { seq: number }) | null {
    const at = timeOfDeliveryId(deliveryId);
    for (const row of this.#rowsUpTo(at)) {
      if (row.at < at) return null;
      const record = this.#recordsOf(reader, row).find((it) => it.deliveryId === deliveryId);
      if (record !== undefined) return record;
    }
    return null;
  }

  /** The first delivery of an event, where it has no row; null: it has one, or goes nowhere. */
  ofEvent(reader: WebhookReader, seq: number): (DeliveryRecord & { seq: number }) | null {
    const [row] = this.#rowsFrom(seq);
    const records = row === undefined ? [] : this.#recordsOf(reader, row);
    return records.find((record) => record.seq === seq) ?? null;
  }

  /** The rows of events, newest first, from those on that may hold one of a time: a row has the time of its last event. */
  *#rowsUpTo(at: number | null): Generator<EventsRow> {
    const last = at === null ? this.#head() : this.#lastSeqAt(at) + 1;
    for (const row of this.#rowsFrom(last)) if (at === null || beginOf(row) <= at) yield row;
  }

  /** The row of an event, and all before it, newest first. */
  *#rowsFrom(seq: number): Generator<EventsRow> {
    const rows = this.#sql.exec<Row>(
      'SELECT first_seq, count, at, bodies, outcomes FROM events WHERE first_seq <= ? ORDER BY first_seq DESC',
      seq,
    );
    for (const { bodies, ...row } of rows) {
      yield { ...row, characters: bodies.length, envelopes: JSON.parse(bodies) };
    }
  }

  /** The last sequence of the last row at or before a time. Times never fall, so it is halved. */
  #lastSeqAt(at: number): number {
    let [low, high] = [0, this.#head()];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const row = this.#sql
        .exec<Row>(
          'SELECT first_seq, at FROM events WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1',
          middle,
        )
        .toArray()[0];
      if (row === undefined || row.at <= at) low = middle;
      else high = row.first_seq - 1;
    }
    return low;
  }

  #recordsOf(reader: WebhookReader, row: EventsRow): (DeliveryRecord & { seq: number })[] {
    const { envelopes } = row;
    const outcomes: EventOutcome[] = row.outcomes === null ? [] : JSON.parse(row.outcomes);
    const taken = new Map(
      outcomes.filter(({ webhookId }) => webhookId === reader.id).map((it) => [it.seq, it] as const),
    );
    const last = row.first_seq + row.count - 1;
    const withRow = new Set(this.#rows.firstsBetween(reader.id, row.first_seq, last));
    return envelopes.flatMap((envelope, index) => {
      const seq = row.first_seq + index;
      if (withRow.has(seq)) return [];
      const outcome = taken.get(seq);
      if (outcome === undefined && !this.#isAwaited(reader, seq, envelope)) return [];
      const status =
        outcome !== undefined
          ? ('delivered' as const)
          : reader.isOn
            ? ('pending' as const)
            : ('held' as const);
      return [
        {
          seq,
          deliveryId: firstDeliveryIdOf(reader.id, { seq, envelope }),
          eventId: envelope.id,
          event: envelope.event,
          status,
          attempts: outcome === undefined ? [] : [attemptOfOutcome(outcome)],
          nextAttemptAt: null,
        },
      ];
    });
  }

  #isAwaited(reader: WebhookReader, seq: number, envelope: EventEnvelope): boolean {
    const head = this.#head();
    return wants(reader.configuration, envelope) && reader.firsts.some((range) => range.awaits(seq, head));
  }
}
