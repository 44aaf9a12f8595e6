import { withinDeadline } from '../../../deadline.ts';
import { logFault } from '../../../log.ts';
import { type AttemptReport, type Deliver, leaseMs, targetOf } from '../delivery-order.ts';
import type { AttemptKind, WebhookReader } from '../webhooks/webhook-reader.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { MadeAttempt, PlannedAttempt } from './planned-attempt.ts';

/** Outcomes that come in within this time are stored together. */
const gatherMs = 4;

interface Parts {
  accountId: string;
  storage: DurableObjectStorage;
  rows: DeliveryRows;
  deliver: Deliver;
  /** Stores what has come in. */
  record: (made: readonly MadeAttempt[]) => void;
}

/**
 * Calls of the sender in progress; each makes a few attempts at one webhook. They are only in memory. After a restart the
 * attempts are made again, under the same ids, once their lease has ended.
 */
export class SenderCalls {
  readonly #parts: Parts;
  #made: MadeAttempt[] = [];
  #stored: Promise<void> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes the attempts. Resolves when the sender has answered; the outcomes are stored a moment later. Never throws. */
  async make(reader: WebhookReader, kind: AttemptKind, attempts: readonly PlannedAttempt[]): Promise<void> {
    const until = Date.now() + leaseMs;
    this.#begin(reader, kind, attempts, until);
    const reports = await this.#ask(reader, attempts);
    this.#end(reader, kind, attempts);
    for (const [index, planned] of attempts.entries()) {
      const report = reports?.[index] ?? null;
      if (report !== null) this.#made.push({ reader, planned, report });
      else this.#leave(reader, planned, until);
    }
    this.#storeSoon();
  }

  #begin(reader: WebhookReader, kind: AttemptKind, attempts: readonly PlannedAttempt[], until: number): void {
    const { storage, rows } = this.#parts;
    const leased = attempts.flatMap(({ row }) => row ?? []);
    if (leased.length > 0) {
      storage.transactionSync(() => {
        for (const row of leased) rows.lease(row, until);
      });
      reader.nextRetryAt = rows.earliestDue(reader.id);
    }
    reader.callsUnderWay[kind] += 1;
    for (const { event, orderKey, row } of attempts) {
      if (event !== null) event.isUnderWay = true;
      if (row !== null) reader.rowsUnderWay.add(row.deliveryId);
      if (orderKey !== null) reader.busy.add(orderKey);
    }
  }

  #end(reader: WebhookReader, kind: AttemptKind, attempts: readonly PlannedAttempt[]): void {
    reader.callsUnderWay[kind] -= 1;
    for (const { orderKey } of attempts) if (orderKey !== null) reader.busy.delete(orderKey);
  }

  /** Null: no answer came, so nobody knows what became of the attempts. */
  async #ask(
    reader: WebhookReader,
    attempts: readonly PlannedAttempt[],
  ): Promise<(AttemptReport | null)[] | null> {
    const { accountId, deliver } = this.#parts;
    const webhook = targetOf(reader.configuration);
    try {
      const order = { accountId, webhook, attempts: attempts.map((attempt) => attempt.order) };
      return await withinDeadline(deliver(order), leaseMs);
    } catch (error) {
      logFault('webhook.call_lost', error, { webhookId: webhook.id, attempts: attempts.length });
      return null;
    }
  }

  /** The attempt is made again after its lease. That of a row stands in the row. */
  #leave(reader: WebhookReader, { event, row }: PlannedAttempt, until: number): void {
    if (event !== null) {
      event.isUnderWay = false;
      event.notBefore = until;
    }
    if (row !== null) reader.rowsUnderWay.delete(row.deliveryId);
  }

  #storeSoon(): void {
    this.#stored ??= scheduler.wait(gatherMs).then(() => {
      this.#stored = null;
      this.#store();
    });
  }

  #store(): void {
    const made = this.#made;
    this.#made = [];
    try {
      this.#parts.record(made);
    } catch (error) {
      logFault('webhook.not_recorded', error, { attempts: made.length });
      for (const { reader, planned } of made) this.#leave(reader, planned, Date.now() + leaseMs);
    }
    for (const { reader, planned } of made) {
      if (planned.row !== null) reader.rowsUnderWay.delete(planned.row.deliveryId);
    }
  }
}
