import { Hono } from 'hono';
import { z } from 'zod';
import { eventNameSchema } from '../../contract/events.ts';
import { logFault } from '../../durable/log.ts';
import type { AppEnv } from '../app-env.ts';
import { openDatabase } from '../db/database.ts';
import type { DeliveryKey } from '../db/deliveries.ts';
import { findDelivery, type LoggedDelivery, listDeliveries, shownStatus } from '../db/delivery-log.ts';
import { insertRedeliveriesSince, insertRedelivery } from '../db/redeliveries.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import { type Lane, laneOf, queueDeliveries } from '../delivery/lanes.ts';
import { deliverTest } from '../delivery/test-delivery.ts';
import { emptyBody, jsonBody } from '../http/json-body.ts';
import { notFound, uuidPathId } from '../http/path-id.ts';
import { listQuery, page, query } from '../http/query.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { isoTime, noSuchWebhook, ownWebhook, webhookPath } from './own-webhook.ts';

/** Mounted among the routes of webhooks, behind their access check. */
export const webhookDeliveryRoutes = new Hono<AppEnv>();

/** Deliveries that one call sends again. */
const redeliveredMax = 5000;

const showDelivery = (row: LoggedDelivery, webhook: WebhookRow) => {
  const status = shownStatus(row.status, webhook.enabled);
  return {
    deliveryId: row.deliveryId,
    eventId: row.eventId,
    event: row.event,
    status,
    attempts: row.attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
    nextAttemptAt: status === 'pending' ? isoTime(row.nextAttemptAt) : null,
  };
};

const deliveriesQuery = z.strictObject({
  ...listQuery,
  status: z.enum(['pending', 'held', 'delivered', 'failed']).optional(),
  event: eventNameSchema.optional(),
});

webhookDeliveryRoutes.get('/:id/deliveries', webhookPath, query(deliveriesQuery), async (c) => {
  const webhook = await ownWebhook(c);
  if (webhook === null) return renderRefusal(c, noSuchWebhook);
  const { limit, cursor, status, event } = c.req.valid('query');
  const rows = await listDeliveries(openDatabase(c.env.DB), webhook, { status, event }, limit, cursor);
  return c.json(
    page(
      rows,
      limit,
      (row) => row.deliveryId,
      (row) => showDelivery(row, webhook),
    ),
  );
});

webhookDeliveryRoutes.post('/:id/test', webhookPath, emptyBody, async (c) => {
  const webhook = await ownWebhook(c);
  if (webhook === null) return renderRefusal(c, noSuchWebhook);
  const test = deliverTest(c.env, webhook);
  // The outcome is stored also when nobody waits for the answer any more.
  c.executionCtx.waitUntil(test.catch(() => undefined));
  const { deliveryId, status, attempt } = await test;
  const { statusCode, durationMs, error, responseSnippet } = attempt;
  return c.json({ deliveryId, status, statusCode, durationMs, error, responseSnippet });
});

webhookDeliveryRoutes.post(
  '/:id/deliveries/:deliveryId/redeliver',
  webhookPath,
  uuidPathId('deliveryId', 'delivery'),
  emptyBody,
  async (c) => {
    const webhook = await ownWebhook(c);
    if (webhook === null) return renderRefusal(c, noSuchWebhook);
    const db = openDatabase(c.env.DB);
    const original = await findDelivery(db, webhook, c.req.param('deliveryId'));
    if (original === null) return renderRefusal(c, notFound('delivery'));
    const now = Date.now();
    const row = await insertRedelivery(db, webhook, original, now);
    await sendOff(c.env, webhook, laneOf(webhook, now), [row]);
    return c.json(showDelivery(row, webhook), 202);
  },
);

const redeliverSchema = z.strictObject({
  since: z.iso.datetime({ offset: true }).transform((time) => Date.parse(time)),
  status: z.enum(['failed', 'delivered']).default('failed'),
});

webhookDeliveryRoutes.post('/:id/redeliver', webhookPath, jsonBody(redeliverSchema), async (c) => {
  const webhook = await ownWebhook(c);
  if (webhook === null) return renderRefusal(c, noSuchWebhook);
  const { since, status } = c.req.valid('json');
  const db = openDatabase(c.env.DB);
  const keys = await insertRedeliveriesSince(db, webhook, since, status, Date.now(), redeliveredMax);
  await sendOff(c.env, webhook, 'slow', keys);
  return c.json({ count: keys.length }, 202);
});

/** Queues what was stored; what cannot be queued now the sweep finds overdue. */
async function sendOff(
  env: Env,
  webhook: WebhookRow,
  lane: Lane,
  deliveries: readonly DeliveryKey[],
): Promise<void> {
  if (!webhook.enabled || deliveries.length === 0) return;
  try {
    await queueDeliveries(env, lane, deliveries);
  } catch (error) {
    logFault('webhook.left_to_the_sweep', error, { webhookId: webhook.id, deliveries: deliveries.length });
  }
}
