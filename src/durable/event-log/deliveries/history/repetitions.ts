import { type Refusal, refuse } from '../../../../contract/errors.ts';
import { newUuid } from '../../../new-ids.ts';
import type { EventRows } from '../../events/event-rows.ts';
import { streamStart } from '../../feed/stream-start.ts';
import type { DeliveryRow, DeliveryRows } from '../attempts/delivery-rows.ts';
import type { EventOutcome } from '../attempts/event-outcomes.ts';
import { deliveryIdsFrom } from '../webhooks/wanted-events.ts';
import type { WebhookReader } from '../webhooks/webhook-reader.ts';
import type { WebhookReaders } from '../webhooks/webhook-readers.ts';
import { type DeliveryRecord, recordOfRow } from './delivery-record.ts';
import type { EventDeliveries } from './event-deliveries.ts';
import type { RepetitionBudget } from './repetition-budget.ts';

/** Deliveries that one call sends again. */
const redeliveredMax = 5_000;
/** What was sent again and arrived is not sent once more for so long, where many are asked for. */
const repeatedMs = 24 * 3600 * 1000;
/** Replays of one webhook at a time. */
const replaysMax = 5;
/** Rows of events that are counted before others have their turn. */
const countedAtOnceMax = 2_000;

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
  eventDeliveries: EventDeliveries;
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
    const { storage, rows, eventDeliveries, budget } = this.#parts;
    const original = rows.find(reader.id, deliveryId);
    const known = original ?? eventDeliveries.find(reader, deliveryId);
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
   * The events whose last delivery ended so, since a time, oldest event first. One that is on its way, or has another
   * end by now, is left alone, and so is one that was sent again within a day and arrived. As many as the day has left.
   */
  redeliverSince(
    reader: WebhookReader,
    since: number,
    status: 'failed' | 'delivered',
    now: number,
  ): { ok: true; count: number } | Refusal {
    const { storage, rows, budget } = this.#parts;
    const left = budget.left(now);
    if (left === 0) return budget.refusal(now);
    const found = [
      ...this.#lastRows(reader, since, status, now),
      ...(status === 'delivered' ? this.#takenAtOnce(reader, since) : []),
    ]
      .filter(({ seq }) => seq >= this.#parts.events.oldest)
      .sort((a, b) => a.seq - b.seq)
      .slice(0, Math.min(redeliveredMax, left));
    storage.transactionSync(() => {
      budget.use(found.length, now);
      for (const known of found) rows.insert(this.#repetition(reader, { ...known, body: null }, now), false);
    });
    reader.nextRetryAt = rows.earliestDue(reader.id);
    return { ok: true, count: found.length };
  }

  /** Reads a part of the sequence once more; how many deliveries that makes. */
  async replay(
    reader: WebhookReader,
    range: ReplayRange,
    now: number,
  ): Promise<{ ok: true; count: number } | Refusal> {
    const { events, generation, readers, budget } = this.#parts;
    const { oldest, head } = events;
    const start =
      range.since === undefined
        ? streamStart(range.after ?? null, { generation, oldest, head })
        : { ok: true as const, seq: Math.max(events.seqAt(range.since), oldest - 1) };
    if (!start.ok) return start;
    const until = range.until === undefined ? head : Math.min(head, events.seqAt(range.until + 1));
    if (until <= start.seq) return { ok: true, count: 0 };
    if (reader.replays.length >= replaysMax) {
      return refuse('CONFLICT', `${replaysMax} replays of this webhook are under way: wait for one to end.`);
    }
    const count = await this.#count(reader, start.seq, until);
    // It was deleted while we counted.
    if (readers.get(reader.id) !== reader) return refuse('NOT_FOUND', 'There is no such webhook.');
    if (count > budget.left(now)) return budget.refusal(now);
    if (count > 0) {
      budget.use(count, now);
      readers.addReplay(reader, start.seq, until, now);
    }
    return { ok: true, count };
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
  #takenAtOnce(reader: WebhookReader, since: number): Pick<DeliveryRow, 'seq' | 'eventId' | 'event'>[] {
    const { storage, events, rows } = this.#parts;
    const found: Pick<DeliveryRow, 'seq' | 'eventId' | 'event'>[] = [];
    const from = events.seqAt(since) + 1;
    const stored = storage.sql.exec<{ first_seq: number; count: number; bodies: string; outcomes: string }>(
      `SELECT first_seq, count, bodies, outcomes FROM events
       WHERE first_seq >= coalesce((SELECT max(first_seq) FROM events WHERE first_seq <= ?1), ?1)
         AND outcomes IS NOT NULL ORDER BY first_seq`,
      from,
    );
    for (const { first_seq, count, bodies, outcomes } of stored) {
      const taken = (JSON.parse(outcomes) as EventOutcome[]).filter(
        ({ webhookId, seq }) => webhookId === reader.id && seq >= from,
      );
      if (taken.length === 0) continue;
      const repeated = new Set(rows.seqsBetween(reader.id, first_seq, first_seq + count - 1));
      const envelopes: { id: string; event: DeliveryRow['event'] }[] = JSON.parse(bodies);
      for (const { seq } of taken) {
        const envelope = envelopes[seq - first_seq];
        if (envelope === undefined || repeated.has(seq)) continue;
        found.push({ seq, eventId: envelope.id, event: envelope.event });
      }
      if (found.length >= redeliveredMax) break;
    }
    return found;
  }

  async #count(reader: WebhookReader, after: number, until: number): Promise<number> {
    const { events, numberIds } = reader.configuration;
    if (events === null && numberIds === null) return until - after;
    const { sql } = this.#parts.storage;
    let count = 0;
    for (let from = after; from < until; from += countedAtOnceMax) {
      const to = Math.min(until, from + countedAtOnceMax);
      count += sql
        .exec<{ wanted: number }>(
          `SELECT count(*) AS wanted FROM events, json_each(events.bodies) AS body
           WHERE first_seq >= coalesce((SELECT max(first_seq) FROM events WHERE first_seq <= ?1), ?1)
             AND first_seq <= ?2 AND first_seq + body.key BETWEEN ?1 AND ?2
             AND (?3 IS NULL OR body.value ->> '$.event' IN (SELECT value FROM json_each(?3)))
             AND (?4 IS NULL OR body.value ->> '$.data.numberId' IS NULL
               OR body.value ->> '$.data.numberId' IN (SELECT value FROM json_each(?4)))`,
          from + 1,
          to,
          events === null ? null : JSON.stringify(events),
          numberIds === null ? null : JSON.stringify(numberIds),
        )
        .one().wanted;
      await scheduler.wait(0);
    }
    return count;
  }
}
