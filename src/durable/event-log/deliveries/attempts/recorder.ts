import { log } from '../../../log.ts';
import { inTransaction } from '../../../storage/in-transaction.ts';
import type { AlertRows, Trouble } from '../../alerts/alert-rows.ts';
import type { AttemptReport } from '../delivery-order.ts';
import type { ReadRows } from '../read-range.ts';
import { afterFailure, afterSuccess, openingFailures, type Streak } from '../webhooks/breaker.ts';
import type { ReaderRows, WebhookReader } from '../webhooks/webhook-reader.ts';
import type { DeliveryRow, DeliveryRows } from './delivery-rows.ts';
import type { EventOutcomes } from './event-outcomes.ts';
import type { MadeAttempt } from './planned-attempt.ts';

/** How often `lastDeliveryAt` is stored: a new life of the object looks at the last outcomes too. */
const lastDeliveryMs = 24 * 60 * 60 * 1000;

interface RecorderParts {
  storage: DurableObjectStorage;
  rows: DeliveryRows;
  outcomes: EventOutcomes;
  readers: ReaderRows;
  reads: ReadRows;
  alerts: AlertRows;
  /** How long a receiver must have been failing before its circuit may open. */
  circuitAfterMs: number;
}

/** What follows from outcomes once they are stored. */
interface Recorded {
  troubles: Trouble[];
  /** When deliveries of a webhook are to be tried again. */
  retries: { webhookId: string; at: number }[];
}

/** What a first attempt has ended. */
type Taken = Parameters<EventOutcomes['add']>[0][number];

/** A webhook's counts while a batch of outcomes is looked at. */
interface Count {
  streak: Streak;
  lastDeliveryAt: number | null;
}

/**
 * Stores the outcomes of attempts, all that have arrived at once in one transaction. Memory changes only after it. An outcome
 * counts only if the attempt before it is the last one known; "delivered" always counts.
 */
export class Recorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  record(made: readonly MadeAttempt[]): Recorded {
    const counts = new Map<WebhookReader, Count>();
    const recorded: Recorded = { troubles: [], retries: [] };
    const taken: Taken[] = [];
    const settled: MadeAttempt[] = [];
    const proven = provenBy(made);
    const store = () => {
      for (const one of made) {
        if (!this.#store(one, taken, recorded)) continue;
        settled.push(one);
        this.#count(one, counts, recorded);
      }
      this.#parts.outcomes.add(taken);
      this.#tellOwner(recorded.troubles, counts);
      for (const [reader, count] of counts) this.#storeCount(reader, count);
      for (const reader of proven) this.#parts.readers.storeProvenUrl(reader.id, reader.configuration.url);
    };
    inTransaction(this.#parts.storage, store, () => this.#parts.alerts.reload());
    for (const reader of proven) reader.provenUrl = reader.configuration.url;
    for (const { planned } of settled) if (planned.range) planned.range.open.delete(planned.event.seq);
    for (const [reader, count] of counts) {
      if (count.streak.isOpen && !reader.streak.isOpen) {
        log('webhook.circuit_opened', { webhookId: reader.id, failures: count.streak.failures });
      }
      if (isCountStored(reader, count)) reader.storedDeliveryAt = count.lastDeliveryAt;
      Object.assign(reader, count);
    }
    for (const reader of new Set(settled.map((one) => one.reader))) {
      reader.nextRetryAt = this.#parts.rows.earliestDue(reader.id);
    }
    return recorded;
  }

  /**
   * Stores the positions of readers that have advanced by this many events, and deletes ranges that are read to their end. A
   * stored position may be behind: after a restart, reading continues from it and finds the outcomes of what was settled.
   */
  storePositions(readers: readonly WebhookReader[], movedMin: number): void {
    const { storage, reads } = this.#parts;
    const ranges = readers.flatMap((reader) => reader.ranges.map((range) => ({ reader, range })));
    const over = ranges.filter(({ range }) => range.isOver);
    const moved = ranges.filter(
      ({ range }) => !range.isOver && range.position - range.storedPosition >= movedMin,
    );
    if (over.length === 0 && moved.length === 0) return;
    storage.transactionSync(() => {
      for (const { range } of over) reads.delete(range.id);
      for (const { range } of moved) reads.move(range.id, range.position);
    });
    for (const { reader, range } of over) reader.forget(range);
    for (const { range } of moved) range.storedPosition = range.position;
  }

  /** False when the outcome came too late to count. */
  #store({ reader, planned, report }: MadeAttempt, taken: Taken[], recorded: Recorded): boolean {
    const { rows } = this.#parts;
    const { attempt, verdict } = report;
    const after = stateAfter(report);
    if (after.nextAttemptAt !== null) {
      recorded.retries.push({ webhookId: reader.id, at: after.nextAttemptAt });
    }
    if (planned.row !== null) {
      const row = rows.find(reader.id, planned.row.deliveryId);
      if (row === null || row.status === 'delivered') return false;
      const isNext = row.status === 'pending' && row.attempts.length === planned.order.attempt - 1;
      if (!isNext && verdict.kind !== 'delivered') return false;
      rows.update({ ...row, ...after, attempts: isNext ? [...row.attempts, attempt] : row.attempts });
      return true;
    }
    if (planned.range.kind === 'first' && verdict.kind === 'delivered') {
      const { event } = planned;
      const { error: _, ...taking } = attempt;
      taken.push({ event, outcome: { webhookId: reader.id, seq: event.seq, ...taking } });
    } else {
      rows.insert(rowOf(planned, report, reader.id), planned.range.kind === 'first');
    }
    return true;
  }

  #count(one: MadeAttempt, counts: Map<WebhookReader, Count>, recorded: Recorded): void {
    const { reader, planned, report } = one;
    const { streak, lastDeliveryAt } = counts.get(reader) ?? reader;
    const endedAt = report.attempt.at + report.attempt.durationMs;
    if (report.verdict.kind === 'delivered') {
      const latest = Math.max(lastDeliveryAt ?? 0, endedAt);
      counts.set(reader, { streak: afterSuccess(streak), lastDeliveryAt: latest });
      return;
    }
    // A test that fails says nothing about the traffic.
    if (planned.order.event === 'webhook.test') return;
    const after = afterFailure(streak, endedAt, this.#parts.circuitAfterMs);
    counts.set(reader, { streak: after.streak, lastDeliveryAt });
    if (after.alert === null) return;
    const { failures } = after.streak;
    recorded.troubles.push({
      kind: after.alert,
      subject: `webhook:${reader.id}`,
      at: endedAt,
      detail: {
        failureStreak: failures,
        disabledAtStreak: openingFailures,
        lastError: report.attempt.error ?? '',
      },
    });
  }

  /** One that is disabled is no longer failing, and one that has been reached again neither. */
  #tellOwner(troubles: readonly Trouble[], counts: ReadonlyMap<WebhookReader, Count>): void {
    const { alerts } = this.#parts;
    for (const trouble of troubles) {
      alerts.raise(trouble);
      if (trouble.kind === 'webhook.disabled') alerts.end(['webhook.failing'], trouble.subject, trouble.at);
    }
    for (const [reader, { streak, lastDeliveryAt }] of counts) {
      if (streak.failures > 0) continue;
      alerts.end(['webhook.failing'], `webhook:${reader.id}`, lastDeliveryAt ?? 0);
    }
  }

  #storeCount(reader: WebhookReader, count: Count): void {
    if (isCountStored(reader, count)) {
      this.#parts.readers.storeStreak(reader.id, count.streak, count.lastDeliveryAt);
    }
  }
}

/** Webhooks whose URL has answered 2xx now for the first time. What was under way when the URL changed says nothing. */
function provenBy(made: readonly MadeAttempt[]): ReadonlySet<WebhookReader> {
  const delivered = made.filter(({ report }) => report.verdict.kind === 'delivered');
  const fresh = delivered.filter(({ reader, report }) => report.attempt.at >= reader.urlSince);
  return new Set(fresh.flatMap(({ reader }) => (reader.isProven ? [] : [reader])));
}

/** Whether counts are written: when the streak is another one, and of successes now and then. */
function isCountStored(reader: WebhookReader, { streak, lastDeliveryAt }: Count): boolean {
  const isSame =
    streak.failures === reader.streak.failures &&
    streak.since === reader.streak.since &&
    streak.isOpen === reader.streak.isOpen;
  return !isSame || (lastDeliveryAt ?? 0) - (reader.storedDeliveryAt ?? 0) >= lastDeliveryMs;
}

function stateAfter({ attempt, verdict }: AttemptReport): Pick<DeliveryRow, 'status' | 'nextAttemptAt'> {
  if (verdict.kind !== 'retry') return { status: verdict.kind, nextAttemptAt: null };
  const endedAt = attempt.at + attempt.durationMs;
  return { status: 'pending', nextAttemptAt: endedAt + verdict.delaySeconds * 1000 };
}

function rowOf(
  planned: Extract<MadeAttempt['planned'], { row: null }>,
  report: AttemptReport,
  webhookId: string,
): Omit<DeliveryRow, 'n'> {
  const { deliveryId, eventId, event } = planned.order;
  const { seq } = planned.event;
  const attempts = [report.attempt];
  return { webhookId, seq, deliveryId, eventId, event, attempts, body: null, ...stateAfter(report) };
}
