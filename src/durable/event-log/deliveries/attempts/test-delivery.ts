import { newEventId, newUuid } from '../../../new-ids.ts';
import {
  type AttemptReport,
  answerMsMax,
  type Deliver,
  type DeliveryAttempt,
  leaseMs,
  targetOf,
} from '../delivery-order.ts';
import type { WebhookReader } from '../webhooks/webhook-reader.ts';
import type { DeliveryRow, DeliveryRows } from './delivery-rows.ts';
import type { MadeAttempt, PlannedAttempt } from './planned-attempt.ts';

export interface TestOutcome {
  deliveryId: string;
  status: 'delivered' | 'failed';
  attempt: DeliveryAttempt;
}

/** A test is over after that: the time of the receiver is, and the attempt is not repeated yet. */
export const testMsMax = (answerMsMax + leaseMs) / 2;

/** The attempt that nobody has reported by the end of its time. */
function unanswered(startedAt: number): AttemptReport {
  const attempt = {
    at: startedAt,
    statusCode: null,
    durationMs: Date.now() - startedAt,
    error: 'There was no answer in time. Send the test again when the receiver is fixed.',
    responseSnippet: null,
  };
  return { attempt, verdict: { kind: 'failed' } };
}

/**
 * Sends `webhook.test` like any delivery, and logs it with the others, even if the webhook is disabled. It makes one attempt,
 * immediately. A failure does not count towards the streak; a success ends it.
 */
export class TestDelivery {
  readonly #accountId: string;
  readonly #storage: DurableObjectStorage;
  readonly #rows: DeliveryRows;
  readonly #deliver: Deliver;
  readonly #record: (made: readonly MadeAttempt[]) => void;

  constructor(
    accountId: string,
    storage: DurableObjectStorage,
    rows: DeliveryRows,
    deliver: Deliver,
    record: (made: readonly MadeAttempt[]) => void,
  ) {
    this.#accountId = accountId;
    this.#storage = storage;
    this.#rows = rows;
    this.#deliver = deliver;
    this.#record = record;
  }

  async make(reader: WebhookReader): Promise<TestOutcome> {
    const planned = this.#plan(reader);
    const webhook = targetOf(reader.configuration);
    const startedAt = Date.now();
    const order = { accountId: this.#accountId, webhook, attempts: [planned.order] };
    const { promise: late, resolve } = Promise.withResolvers<(AttemptReport | null)[]>();
    const timer = setTimeout(() => resolve([unanswered(startedAt)]), testMsMax);
    const [report] = await Promise.race([this.#deliver(order), late]).finally(() => clearTimeout(timer));
    if (!report) throw new Error('the test could not be made');
    this.#record([{ reader, planned, report }]);
    const status = report.verdict.kind === 'delivered' ? 'delivered' : 'failed';
    return { deliveryId: planned.order.deliveryId, status, attempt: report.attempt };
  }

  #plan(reader: WebhookReader): PlannedAttempt {
    const now = Date.now();
    const [eventId, event] = [newEventId(), 'webhook.test' as const];
    const data = { message: 'A test of this webhook, sent on request.' };
    const body = JSON.stringify({ id: eventId, event, timestamp: new Date(now).toISOString(), data });
    const deliveryId = newUuid();
    const row: Omit<DeliveryRow, 'n'> = {
      webhookId: reader.id,
      seq: 0,
      deliveryId,
      eventId,
      event,
      status: 'pending',
      attempts: [],
      // When this life ends before the answer, the next one makes the attempt.
      nextAttemptAt: now + leaseMs,
      body,
    };
    this.#storage.transactionSync(() => this.#rows.insert(row, false));
    reader.nextRetryAt = this.#rows.earliestDue(reader.id);
    const order = { deliveryId, eventId, event, body, attempt: 1 };
    return { order, orderKey: null, event: null, range: null, row: { ...row, n: 0 } };
  }
}
