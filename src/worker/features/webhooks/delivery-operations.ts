import { Hono } from 'hono';
import { z } from 'zod';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { eventNameSchema } from '../../../contract/events.ts';
import type {
  RepetitionPlace,
  RepetitionSlice,
} from '../../../durable/event-log/deliveries/history/repetitions.ts';
import { logOf } from '../../../durable/event-log/log-of.ts';
import type { AppEnv } from '../../app-env.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { cursorBehind, listQuery, query } from '../../http/request/query.ts';
import { notFound, timeField, uuidPathId } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { showDelivery } from './delivery/shown-delivery.ts';
import { noSuchWebhook, ownWebhook, webhookPath } from './own-webhooks.ts';
import type {
  deliveryListSchema,
  deliverySchema,
  redeliveryCountSchema,
  testOutcomeSchema,
} from './records.ts';

/** Mounted among the routes of webhooks, behind their access check. */
export const webhookDeliveryRoutes = new Hono<AppEnv>();

const deliveriesQuery = z.strictObject({
  ...listQuery,
  status: z.enum(['pending', 'held', 'delivered', 'failed']).optional(),
  event: eventNameSchema.optional(),
});

webhookDeliveryRoutes.get('/:id/deliveries', webhookPath, query(deliveriesQuery), async (c) => {
  const webhook = await ownWebhook(c);
  if (webhook === null) return renderRefusal(c, noSuchWebhook);
  const { limit, cursor = null, ...filter } = c.req.valid('query');
  const page = await askLog(c.env, webhook.accountId, (log) =>
    log.webhookDeliveries(webhook.id, filter, limit, cursor),
  );
  return c.json<z.infer<typeof deliveryListSchema>>({
    data: (page?.data ?? []).map(showDelivery),
    nextCursor: page?.nextBefore ? cursorBehind(c, page.nextBefore) : null,
  });
});

// What begins a delivery is asked once: a repeat would begin another one.

webhookDeliveryRoutes.post('/:id/test', webhookPath, emptyBody, async (c) => {
  const webhook = await ownWebhook(c);
  if (webhook === null) return renderRefusal(c, noSuchWebhook);
  const outcome = await logOf(c.env, webhook.accountId).testWebhook(webhook.id);
  if (outcome === null) return renderRefusal(c, noSuchWebhook);
  const { deliveryId, status, attempt } = outcome;
  const { statusCode, durationMs, error, responseSnippet } = attempt;
  return c.json<z.infer<typeof testOutcomeSchema>>({
    deliveryId,
    status,
    statusCode,
    durationMs,
    error,
    responseSnippet,
  });
});

webhookDeliveryRoutes.post(
  '/:id/deliveries/:deliveryId/redeliver',
  webhookPath,
  uuidPathId('deliveryId', 'delivery'),
  emptyBody,
  async (c) => {
    const webhook = await ownWebhook(c);
    if (webhook === null) return renderRefusal(c, noSuchWebhook);
    const { accountId, id } = webhook;
    const delivery = await logOf(c.env, accountId).redeliver(id, c.req.param('deliveryId'));
    if (delivery === null) return renderRefusal(c, notFound('delivery'));
    if ('ok' in delivery) return renderRefusal(c, delivery);
    return c.json<z.infer<typeof deliverySchema>>(showDelivery(delivery), 202);
  },
);

/**
 * Requests one slice after the other, each in a separate call, so that the log can do other work in between. If a client
 * disconnects midway, what was done remains, and a repeat of the request does the rest.
 */
async function allSlices(
  slice: (from: RepetitionPlace | null) => Promise<RepetitionSlice | Refusal>,
): Promise<RepetitionSlice | Refusal> {
  for (let from: RepetitionPlace | null = null; ; ) {
    const done: RepetitionSlice | Refusal = await slice(from);
    if (!done.ok || done.next === null) return done;
    from = done.next;
  }
}

const redeliverSchema = z.strictObject({
  since: timeField,
  status: z.enum(['failed', 'delivered']).default('failed'),
});

webhookDeliveryRoutes.post('/:id/redeliver', webhookPath, jsonBody(redeliverSchema), async (c) => {
  const webhook = await ownWebhook(c);
  if (webhook === null) return renderRefusal(c, noSuchWebhook);
  const { since, status } = c.req.valid('json');
  const redelivered = await allSlices((from) =>
    logOf(c.env, webhook.accountId).redeliverSince(webhook.id, since, status, from),
  );
  if (!redelivered.ok) return renderRefusal(c, redelivered);
  return c.json<z.infer<typeof redeliveryCountSchema>>({ count: redelivered.count }, 202);
});

/** Longer than any cursor. */
const cursorCharactersMax = 100;

/** Exactly one of `after` and `since`. */
const replaySchema = z.strictObject({
  after: z.string().max(cursorCharactersMax).optional(),
  since: timeField.optional(),
  until: timeField.optional(),
});

webhookDeliveryRoutes.post('/:id/replay', webhookPath, jsonBody(replaySchema), async (c) => {
  const webhook = await ownWebhook(c);
  if (webhook === null) return renderRefusal(c, noSuchWebhook);
  const range = c.req.valid('json');
  if (range.after === undefined && range.since === undefined) {
    return renderRefusal(
      c,
      invalidField('since', 'Say where to start: `after` (a cursor) or `since` (a time).'),
    );
  }
  if (range.after !== undefined && range.since !== undefined) {
    return renderRefusal(c, invalidField('since', 'Either `after` or `since`, not both.'));
  }
  const replayed = await allSlices((from) => logOf(c.env, webhook.accountId).replay(webhook.id, range, from));
  if (!replayed.ok) return renderRefusal(c, replayed);
  return c.json<z.infer<typeof redeliveryCountSchema>>({ count: replayed.count }, 202);
});
