import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { eventNameSchema } from '../../contract/events.ts';
import { uuidSchema } from '../../contract/ids.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { administrator } from '../auth/callers.ts';
import { openDatabase } from '../db/database.ts';
import { type DeliveryRow, listDeliveries } from '../db/deliveries.ts';
import { foreignNumbers } from '../db/numbers.ts';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookChanges,
  type WebhookRow,
} from '../db/webhooks.ts';
import { sealSecret } from '../delivery/sealed-secret.ts';
import { newWebhookSecret } from '../delivery/signature.ts';
import { jsonBody } from '../http/json-body.ts';
import { notFound, uuidPathId } from '../http/path-id.ts';
import { listQuery, page, query } from '../http/query.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { isPlainText, plainTextProblem } from '../http/shared-fields.ts';
import { invalidField } from '../http/validation-details.ts';
import { overdueBefore, requeueOverdueDeliveries } from '../sweep.ts';
import { webhookUrlProblem } from '../webhook-url.ts';
import { auditOf } from './audit-context.ts';

export const webhookRoutes = new Hono<AppEnv>();
webhookRoutes.use(administrator);

const noSuchWebhook = notFound('webhook');
const webhookPath = uuidPathId('id', 'webhook');
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const ownWebhook = (c: Context<AppEnv>) =>
  findWebhook(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

/** Numbers one webhook may name. */
const numbersMax = 500;

const fields = {
  url: z.string(),
  numberIds: z.union(
    [z.literal('all'), z.array(uuidSchema.toLowerCase()).min(1).max(numbersMax)],
    'An array of number ids, or "all".',
  ),
  events: z.union([z.literal('all'), z.array(eventNameSchema).min(1)], 'An array of event names, or "all".'),
  description: z.string().max(500).refine(isPlainText, plainTextProblem).nullable(),
};
const createSchema = z.strictObject({ ...fields, description: fields.description.default(null) });
const changesSchema = z.strictObject({ ...fields, enabled: z.boolean() }).partial();

const show = (row: WebhookRow) => ({
  id: row.id,
  url: row.url,
  numberIds: row.numberIds ?? ('all' as const),
  events: row.events ?? ('all' as const),
  description: row.description,
  enabled: row.enabled,
  failureStreak: row.failureStreak,
  disabledReason: row.disabledReason,
  lastDeliveryAt: iso(row.lastDeliveryAt),
  createdAt: iso(row.createdAt),
});

/** "all" is stored as null: also what comes later. */
const stored = <Item>(items: Item[] | 'all'): Item[] | null => (items === 'all' ? null : [...new Set(items)]);

/** What only the rules for URLs and the account's numbers can say about a webhook. */
async function fieldProblem(
  c: Context<AppEnv>,
  input: { url?: string | undefined; numberIds?: string[] | 'all' | undefined },
) {
  if (input.url !== undefined) {
    const problem = webhookUrlProblem(input.url, c.env.WEBHOOK_TARGETS === 'loopback');
    if (problem !== null) return invalidField('url', problem);
  }
  if (Array.isArray(input.numberIds)) {
    const foreign = await foreignNumbers(openDatabase(c.env.DB), c.get('caller').accountId, input.numberIds);
    const index = input.numberIds.findIndex((id) => foreign.includes(id));
    if (index >= 0) return invalidField(`numberIds.${index}`, 'The account has no such number.');
  }
  return null;
}

webhookRoutes.post('/', jsonBody(createSchema), async (c) => {
  const input = c.req.valid('json');
  const problem = await fieldProblem(c, input);
  if (problem !== null) return renderRefusal(c, problem);
  const id = newUuid();
  const secret = newWebhookSecret();
  const row: WebhookRow = {
    id,
    accountId: c.get('caller').accountId,
    url: input.url,
    description: input.description,
    numberIds: stored(input.numberIds),
    events: stored(input.events),
    sealedSecret: await sealSecret(c.env.WEBHOOK_SEALING_KEY, id, secret),
    enabled: true,
    failureStreak: 0,
    disabledReason: null,
    lastDeliveryAt: null,
    createdAt: Date.now(),
  };
  await insertWebhook(openDatabase(c.env.DB), row, auditOf(c));
  return c.json({ ...show(row), secret }, 201);
});

webhookRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listWebhooks(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  return c.json(page(rows, limit, (row) => row.id, show));
});

webhookRoutes.get('/:id', webhookPath, async (c) => {
  const row = await ownWebhook(c);
  return row === null ? renderRefusal(c, noSuchWebhook) : c.json(show(row));
});

webhookRoutes.patch('/:id', webhookPath, jsonBody(changesSchema), async (c) => {
  const row = await ownWebhook(c);
  if (row === null) return renderRefusal(c, noSuchWebhook);
  const { numberIds, events, url, description, enabled } = c.req.valid('json');
  const problem = await fieldProblem(c, { url, numberIds });
  if (problem !== null) return renderRefusal(c, problem);
  const isSwitchedOn = enabled === true && !row.enabled;
  const changes: WebhookChanges = {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(numberIds === undefined ? {} : { numberIds: stored(numberIds) }),
    ...(events === undefined ? {} : { events: stored(events) }),
    ...(enabled === undefined ? {} : { enabled }),
    // Switching it on is a fresh start.
    ...(isSwitchedOn ? { disabledReason: null, failureStreak: 0 } : {}),
  };
  const now = Date.now();
  await updateWebhook(openDatabase(c.env.DB), row, changes, overdueBefore(c.env, now) - 1, auditOf(c));
  // What waited is overdue: the first of it goes out at once, and the cron brings the rest.
  if (isSwitchedOn) await requeueOverdueDeliveries(c.env, now);
  return c.json(show({ ...row, ...changes }));
});

webhookRoutes.delete('/:id', webhookPath, async (c) => {
  const row = await ownWebhook(c);
  if (row === null) return renderRefusal(c, noSuchWebhook);
  await deleteWebhook(openDatabase(c.env.DB), row, auditOf(c));
  return c.body(null, 204);
});

const showDelivery = (row: DeliveryRow) => ({
  deliveryId: row.deliveryId,
  eventId: row.eventId,
  event: row.event,
  status: row.status,
  attempts: row.attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
  nextAttemptAt: iso(row.nextAttemptAt),
});

const deliveriesQuery = z.strictObject({
  ...listQuery,
  status: z.enum(['pending', 'delivered', 'failed']).optional(),
  event: eventNameSchema.optional(),
});

webhookRoutes.get('/:id/deliveries', webhookPath, query(deliveriesQuery), async (c) => {
  const row = await ownWebhook(c);
  if (row === null) return renderRefusal(c, noSuchWebhook);
  const { limit, cursor, status, event } = c.req.valid('query');
  const rows = await listDeliveries(openDatabase(c.env.DB), row.id, { status, event }, limit, cursor);
  return c.json(page(rows, limit, (it) => it.deliveryId, showDelivery));
});
