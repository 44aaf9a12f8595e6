import { type Refusal, refuse } from '../../../../contract/errors.ts';
import { dayMs, utcDay } from '../../../../contract/times.ts';
import { newUuid } from '../../../new-ids.ts';
import { Tables } from '../../../storage/rows.ts';
import type { EventRows } from '../../events/event-rows.ts';
import { streamStart } from '../../feed/cursor.ts';
import type { DeliveryRow, DeliveryRows } from '../attempts/delivery-rows.ts';
import { deliveryIdsFrom } from '../webhooks/webhook-configuration.ts';
import type { WebhookReader } from '../webhooks/webhook-reader.ts';
import type { WebhookReaders } from '../webhooks/webhook-readers.ts';
import { type DeliveryRecord, type FirstDeliveries, recordOfRow } from './first-deliveries.ts';

/** How many deliveries the account may have sent again a day (UTC), and how many of them it has. */
export class RepetitionBudget extends Tables {
  readonly #most: number;

  constructor(sql: SqlStorage, most: number) {
    super(sql);
    this.#most = most;
  }

  left(now: number): number {
    const query = 'SELECT used FROM repetitions WHERE day = ?';
    const used = this.queryValue<number>(query, utcDay(now)) ?? 0;
    return Math.max(0, this.#most - used);
  }

  /** Call inside the transaction that plans them. */
  use(deliveries: number, now: number): void {
    this.sql.exec('DELETE FROM repetitions WHERE day <> ?', utcDay(now));
    this.sql.exec(
      'INSERT INTO repetitions (day, used) VALUES (?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used',
      utcDay(now),
      deliveries,
    );
  }

  /** So many cannot be sent again today. */
  refusal(now: number): Refusal {
    const left = this.left(now);
    const message = `An account can have ${this.#most} deliveries sent again a day (UTC): ${left} are left today.`;
    const retryAfterSeconds = Math.ceil((dayMs - (now % dayMs)) / 1000);
    return refuse('RATE_LIMITED', message, { retryAfterSeconds, details: [{ limit: this.#most, left }] });
  }
}

/** Deliveries that one call sends again. */
const redeliveredMax = 5_000;
/** How long a repeated delivery that arrived is not repeated again by a bulk request. */
const repeatedMs = 24 * 3600 * 1000;
/** Replays of one webhook at a time. */
const replaysMax = 5;
/**
 * Events that one call looks at: some tens of milliseconds. Whoever wants more calls again, and others have their turn. Tests
 * make it smaller.
 */
export const repetitionLimits = { eventsAtOnce: 5_000 };

/** How far something is that many events are looked at for. `first`: where it began. */
export interface RepetitionPlace {
  seq: number;
  until: number;
  count: number;
  first?: number;
}

/** What came of a slice; `next`: where the next one begins, null: it is done. */
export interface RepetitionSlice {
  ok: true;
  count: number;
  next: RepetitionPlace | null;
}

/** Where a replay begins: behind a cursor of the event stream, or at a time; and where it ends. */
export interface ReplayRange {
  after?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

interface Parts {
  storage: DurableObjectStorage;
  events: EventRows;
  generation: string;
  rows: DeliveryRows;
  firsts: FirstDeliveries;
  readers: WebhookReaders;
  budget: RepetitionBudget;
}

/** The same events to the same webhook once more, as new deliveries. */
export class Repetitions {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** One delivery, whatever became of it; null when there is none with this id. */
  redeliver(reader: WebhookReader, deliveryId: string, now: number): DeliveryRecord | Refusal | null {
    const { storage, rows, firsts, budget } = this.#parts;
    const original = rows.find(reader.id, deliveryId);
    const known = original ?? firsts.find(reader, deliveryId);
    if (known === null) return null;
    const { seq, eventId, event } = known;
    // Its event is no longer kept, and it will follow.
    if (original?.body === null && seq < this.#parts.events.oldest) return null;
    const row = this.#repetition(reader, { seq, eventId, event, body: original?.body ?? null }, now);
    if (budget.left(now) === 0) return budget.refusal(now);
    storage.transactionSync(() => {
      budget.use(1, now);
      rows.insert(row, false);
    });
    reader.nextRetryAt = rows.earliestDue(reader.id);
    return recordOfRow({ ...row, n: 0 }, reader.isOn);
  }

  /**
   * A slice of the events whose last delivery ended with this outcome, since a time, oldest event first. Left out are
   * deliveries that are in progress or have another outcome by now, and those that were repeated within a day and arrived. It
   * returns no more than the day's budget has left. `from`: where the previous slice ended.
   */
  redeliverSince(
    reader: WebhookReader,
    since: number,
    status: 'failed' | 'delivered',
    from: RepetitionPlace | null,
    now: number,
  ): RepetitionSlice | Refusal {
    const { storage, events, rows, budget } = this.#parts;
    const left = budget.left(now);
    if (left === 0 && from === null) return budget.refusal(now);
    const start = from ?? { seq: events.seqAt(since), until: events.head, count: 0 };
    const after = Math.max(start.seq, events.oldest - 1);
    const end = Math.min(start.until, after + repetitionLimits.eventsAtOnce);
    const found = [
      // Few, and found by an index: with the first slice all of them.
      ...(from === null ? this.#lastRows(reader, since, status, now) : []),
      ...(status === 'delivered' ? this.#takenAtOnce(reader, after, end) : []),
    ]
      .filter(({ seq }) => seq >= events.oldest)
      .sort((a, b) => a.seq - b.seq)
      .slice(0, Math.min(redeliveredMax - start.count, left));
    if (found.length > 0) {
      storage.transactionSync(() => {
        budget.use(found.length, now);
        for (const known of found)
          rows.insert(this.#repetition(reader, { ...known, body: null }, now), false);
      });
      reader.nextRetryAt = rows.earliestDue(reader.id);
    }
    const count = start.count + found.length;
    const isOver =
      status === 'failed' || end >= start.until || count >= redeliveredMax || found.length >= left;
    return { ok: true, count, next: isOver ? null : { seq: end, until: start.until, count } };
  }

  /**
   * Replays a part of the sequence; returns how many deliveries that makes. It counts one slice at a time, `from` where the
   * previous one ended. The replay begins with the last slice, and nothing is sent before that.
   */
  replay(
    reader: WebhookReader,
    range: ReplayRange,
    from: RepetitionPlace | null,
    now: number,
  ): RepetitionSlice | Refusal {
    const { readers, budget } = this.#parts;
    const begun = from ?? this.#beginCount(range);
    if ('code' in begun) return begun;
    if (begun.until <= begun.seq) return { ok: true, count: 0, next: null };
    if (reader.replays.length >= replaysMax) {
      return refuse('CONFLICT', `${replaysMax} replays of this webhook are running: wait for one to finish.`);
    }
    const first = begun.first ?? begun.seq;
    const end = this.#countsAll(reader)
      ? begun.until
      : Math.min(begun.until, begun.seq + repetitionLimits.eventsAtOnce);
    const count = begun.count + this.#count(reader, begun.seq, end);
    if (count > budget.left(now)) return budget.refusal(now);
    if (end < begun.until) return { ok: true, count, next: { seq: end, until: begun.until, count, first } };
    if (count > 0) {
      budget.use(count, now);
      readers.addReplay(reader, first, begun.until, now);
    }
    return { ok: true, count, next: null };
  }

  #beginCount(range: ReplayRange): RepetitionPlace | Refusal {
    const { events, generation } = this.#parts;
    const { oldest, head, earlier } = events;
    const start =
      range.since === undefined
        ? streamStart(range.after ?? null, { generation, oldest, head, earlier })
        : { ok: true as const, seq: Math.max(events.seqAt(range.since), oldest - 1) };
    if (!start.ok) return start;
    const until = range.until === undefined ? head : Math.min(head, events.seqAt(range.until + 1));
    return { seq: start.seq, until, count: 0 };
  }

  #repetition(
    reader: WebhookReader,
    { seq, eventId, event, body }: Pick<DeliveryRow, 'seq' | 'eventId' | 'event' | 'body'>,
    now: number,
  ): Omit<DeliveryRow, 'n'> {
    return {
      webhookId: reader.id,
      seq,
      deliveryId: newUuid(),
      eventId,
      event,
      status: 'pending',
      attempts: [],
      nextAttemptAt: now,
      body,
    };
  }

  #lastRows(
    reader: WebhookReader,
    since: number,
    status: 'failed' | 'delivered',
    now: number,
  ): Pick<DeliveryRow, 'seq' | 'eventId' | 'event'>[] {
    return this.#parts.rows.select(
      `webhook_id = ?1 AND delivery_id >= ?2 AND status = ?3 AND seq > 0
         AND NOT (status = 'delivered' AND n > 1 AND delivery_id >= ?5)
         AND NOT EXISTS (SELECT 1 FROM deliveries AS later
           WHERE later.webhook_id = ?1 AND later.seq = deliveries.seq AND later.n > deliveries.n)
       ORDER BY seq LIMIT ?4`,
      reader.id,
      deliveryIdsFrom(since),
      status,
      redeliveredMax,
      deliveryIdsFrom(now - repeatedMs),
    );
  }

  /** What the first attempt ended, and nobody has sent again since. */
  #takenAtOnce(
    reader: WebhookReader,
    after: number,
    end: number,
  ): Pick<DeliveryRow, 'seq' | 'eventId' | 'event'>[] {
    const { firsts, rows } = this.#parts;
    const repeated = new Set(rows.seqsBetween(reader.id, after + 1, end));
    const found = firsts.between(reader, after + 1, end);
    return found.filter(({ seq, status }) => status === 'delivered' && !repeated.has(seq));
  }

  #countsAll({ configuration: { events, numberIds } }: WebhookReader): boolean {
    return events === null && numberIds === null;
  }

  /** How many of the events behind `after`, up to `until`, the webhook wants. */
  #count(reader: WebhookReader, after: number, until: number): number {
    if (this.#countsAll(reader)) return until - after;
    const { events, numberIds } = reader.configuration;
    return this.#parts.storage.sql
      .exec<{ wanted: number }>(
        `SELECT count(*) AS wanted FROM events, json_each(events.bodies) AS body
           WHERE first_seq >= coalesce((SELECT max(first_seq) FROM events WHERE first_seq <= ?1), ?1)
             AND first_seq <= ?2 AND first_seq + body.key BETWEEN ?1 AND ?2
             AND (?3 IS NULL OR body.value ->> '$.event' IN (SELECT value FROM json_each(?3)))
             AND (?4 IS NULL OR body.value ->> '$.data.numberId' IS NULL
               OR body.value ->> '$.data.numberId' IN (SELECT value FROM json_each(?4)))`,
        after + 1,
        until,
        events === null ? null : JSON.stringify(events),
        numberIds === null ? null : JSON.stringify(numberIds),
      )
      .one().wanted;
  }
}
