import type { DeliveryAttempt } from '../../database/schema.ts';
import { newEventId, newUuid } from '../../durable/new-ids.ts';
import { batch, openDatabase } from '../db/database.ts';
import { type DeliveryRow, insertDeliveries } from '../db/deliveries.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import { attemptDelivery, attemptLeaseMs } from './attempt.ts';

export interface TestOutcome {
  deliveryId: string;
  status: 'delivered' | 'failed';
  attempt: DeliveryAttempt;
}

/**
 * Sends `webhook.test`, as any delivery is sent and into the same log, also to a webhook that is off. It is one attempt,
 * made here and now, and takes no longer than a receiver may take for its answer. A failure does not count towards the
 * streak; a success ends it.
 */
export async function deliverTest(env: Env, webhook: WebhookRow): Promise<TestOutcome> {
  const now = Date.now();
  const eventId = newEventId();
  const envelope = {
    id: eventId,
    event: 'webhook.test' as const,
    timestamp: new Date(now).toISOString(),
    data: { message: 'A test of this webhook, sent on request.' },
  };
  const delivery: DeliveryRow = {
    webhookId: webhook.id,
    deliveryId: newUuid(),
    accountId: webhook.accountId,
    eventId,
    event: 'webhook.test',
    body: JSON.stringify(envelope),
    status: 'pending',
    attempts: [],
    // The sweep makes the attempt when this process does not live to do it.
    nextAttemptAt: now + attemptLeaseMs,
  };
  await batch(openDatabase(env.DB), insertDeliveries(openDatabase(env.DB), [delivery]));
  const { verdict, attempt } = await attemptDelivery(env, [], delivery, webhook);
  return {
    deliveryId: delivery.deliveryId,
    status: verdict.kind === 'delivered' ? 'delivered' : 'failed',
    attempt,
  };
}
