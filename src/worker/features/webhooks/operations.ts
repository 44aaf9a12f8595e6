import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { invalidField, refuse } from '../../../contract/errors.ts';
import { eventNameSchema, eventNames } from '../../../contract/events.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { isoTime } from '../../../contract/times.ts';
import type { WebhookState } from '../../../durable/event-log/deliveries/deliveries.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import { sealSecret } from '../../../durable/sealed-secret.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrAdministrator } from '../../auth/callers.ts';
import { sometimesSteppedUp, steppedUp, stepUpRefusal } from '../../auth/step-up.ts';
import { roomFor } from '../../caps.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { isConditional, overtaken, showTag, staleRefusal } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { isPlainText, nullForAll, plainTextProblem } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../outbound-http/webhook-url.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { foreignNumberRefusal } from '../numbers/own-number.ts';
import {
  changedHeaders,
  type OwnHeaders,
  openHeaders,
  ownHeaderChangesSchema,
  ownHeadersMax,
  ownHeadersSchema,
  storedHeaders,
} from './delivery/own-headers.ts';
import { newWebhookSecret, rotationMs } from './delivery/signature.ts';
import { webhookDeliveryRoutes } from './delivery-operations.ts';
import { noSuchWebhook, ownWebhook, targetCap, webhookPath, webhookStates } from './own-webhooks.ts';
import type { createdWebhookSchema, webhookListSchema, webhookSchema } from './records.ts';
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type WebhookRow,
} from './rows.ts';

export const webhookRoutes = new Hono<AppEnv>();
webhookRoutes.use(keyOrAdministrator('webhooks'));
webhookRoutes.route('/', webhookDeliveryRoutes);

/** Numbers one webhook may name. */
const numbersMax = 500;

const fields = {
  url: z.string(),
  numberIds: z.union(
    [z.literal('all'), z.array(uuidSchema).min(1).max(numbersMax)],
    'Must be an array of number IDs, or "all".',
  ),
  events: z.union(
    [z.literal('all'), z.array(eventNameSchema).min(1)],
    `Must be an array of event names, or "all". The names: ${eventNames.join(', ')}.`,
  ),
  description: z.string().max(500).refine(isPlainText, plainTextProblem).nullable(),
};
/** Body of `POST /v1/webhooks`. */
const createSchema = z.strictObject({
  ...fields,
  description: fields.description.default(null),
  enabled: z.boolean().default(true),
  headers: ownHeadersSchema.default({}),
});
const changesSchema = z
  .strictObject({ ...fields, enabled: z.boolean(), headers: ownHeaderChangesSchema })
  .partial();

/** Until when the secret before the last rotation signs too; null when none does. */
const rotationEnd = ({ previousSecretUntil }: WebhookRow): number | null =>
  (previousSecretUntil ?? 0) > Date.now() ? previousSecretUntil : null;

/** What a person has configured, and how its receiver does. */
const show = (row: WebhookRow, state: WebhookState | undefined) => ({
  id: row.id,
  url: row.url,
  numberIds: row.numberIds ?? ('all' as const),
  events: row.events ?? ('all' as const),
  description: row.description,
  headerNames: row.headerNames ?? [],
  enabled: row.enabled && !state?.isCircuitOpen,
  failureStreak: state?.failureStreak ?? 0,
  disabledReason: row.enabled && state?.isCircuitOpen ? ('circuit_open' as const) : null,
  lastDeliveryAt: isoTime(state?.lastDeliveryAt ?? null),
  previousSecretExpiresAt: isoTime(rotationEnd(row)),
  createdAt: isoTime(row.createdAt),
});

/** What a PATCH can change. */
const configuredOf = ({ url, description, numberIds, events, enabled, sealedHeaders }: WebhookRow) => [
  url,
  description,
  numberIds,
  events,
  enabled,
  ...(sealedHeaders === null ? [] : [sealedHeaders]),
];

async function showOne(c: Context<AppEnv>, row: WebhookRow) {
  showTag(c, configuredOf(row));
  return show(row, (await webhookStates(c, [row.id])).get(row.id));
}

/** What only the rules for URLs and the account's numbers can say about a webhook. */
async function fieldProblem(
  c: Context<AppEnv>,
  input: { url?: string | undefined; numberIds?: string[] | 'all' | undefined },
) {
  if (input.url !== undefined) {
    const problem = webhookUrlProblem(input.url, webhookUrlRules(settingsOf(c.env), new URL(c.req.url).host));
    if (problem !== null) return invalidField('url', problem);
  }
  return foreignNumberRefusal(c.env, c.get('caller').accountId, input.numberIds);
}

webhookRoutes.post('/', steppedUp, jsonBody(createSchema), async (c) => {
  const input = c.req.valid('json');
  const problem = await fieldProblem(c, input);
  if (problem !== null) return renderRefusal(c, problem);
  const capped = await targetCap(c, input.url);
  if (capped !== null) return renderRefusal(c, capped);
  const room = await roomFor(c, 'webhooks');
  if (!room.ok) return renderRefusal(c, room);
  const id = newUuid();
  const secret = newWebhookSecret();
  const row: WebhookRow = {
    id,
    accountId: c.get('caller').accountId,
    url: input.url,
    description: input.description,
    numberIds: nullForAll(input.numberIds),
    events: nullForAll(input.events),
    sealedSecret: await sealSecret(c.env, id, secret),
    previousSealedSecret: null,
    previousSecretUntil: null,
    ...(await storedHeaders(c.env, id, input.headers)),
    enabled: input.enabled,
    createdAt: Date.now(),
  };
  const inserted = await insertWebhook(row, auditOf(c), room.most);
  if (!inserted) return renderRefusal(c, room.refusal);
  // Others may have come in at the same moment: then none of them is too many.
  const overtaken = await targetCap(c, row.url, row.id);
  if (overtaken !== null) {
    await deleteWebhook(row, auditOf(c));
    await configurationChanged(c.env, row.accountId);
    return renderRefusal(c, overtaken);
  }
  await configurationChanged(c.env, row.accountId);
  return c.json<z.infer<typeof createdWebhookSchema>>({ ...show(row, undefined), secret }, 201);
});

/**
 * The receiver's own headers after a change; null: they stay. They belong to the host that they were given for. If the webhook
 * moves to another host, they have to be given again, so that nobody can use the move to learn them.
 */
async function headersAfter(
  env: Env,
  { id, url, sealedHeaders }: WebhookRow,
  newUrl: string,
  changes: Record<string, string | null> | undefined,
): Promise<OwnHeaders | null> {
  const isElsewhere = new URL(newUrl).origin !== new URL(url).origin;
  if (changes === undefined) return isElsewhere && sealedHeaders !== null ? {} : null;
  const before = sealedHeaders === null || isElsewhere ? {} : await openHeaders(env, id, sealedHeaders);
  return changedHeaders(before, changes);
}

webhookRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listWebhooks(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  const shown = page(c, rows, limit, (row) => row.id);
  const ids = shown.data.map(({ id }) => id);
  const states = await webhookStates(c, ids);
  return c.json<z.infer<typeof webhookListSchema>>({
    ...shown,
    data: shown.data.map((row) => show(row, states.get(row.id))),
  });
});

webhookRoutes.get('/:id', webhookPath, async (c) => {
  const row = await ownWebhook(c);
  if (row === null) return renderRefusal(c, noSuchWebhook);
  return c.json<z.infer<typeof webhookSchema>>(await showOne(c, row));
});

webhookRoutes.patch('/:id', webhookPath, sometimesSteppedUp, jsonBody(changesSchema), async (c) => {
  const row = await ownWebhook(c);
  if (row === null) return renderRefusal(c, noSuchWebhook);
  const stale = staleRefusal(c, configuredOf(row));
  if (stale !== null) return renderRefusal(c, stale);
  const { numberIds, events, url, description, enabled, headers } = c.req.valid('json');
  const problem = await fieldProblem(c, { url, numberIds });
  if (problem !== null) return renderRefusal(c, problem);
  // From then on somebody else hears everything.
  const stepUp = url === undefined || url === row.url ? null : stepUpRefusal(c);
  if (stepUp !== null) return renderRefusal(c, stepUp);
  const capped = url === undefined || url === row.url ? null : await targetCap(c, url, row.id);
  if (capped !== null) return renderRefusal(c, capped);
  const newHeaders = await headersAfter(c.env, row, url ?? row.url, headers);
  if (newHeaders !== null && Object.keys(newHeaders).length > ownHeadersMax) {
    return renderRefusal(c, invalidField('headers', `At most ${ownHeadersMax} headers.`));
  }
  const changes: Partial<WebhookRow> = {
    ...(newHeaders !== null && (await storedHeaders(c.env, row.id, newHeaders))),
    ...onlyGiven({ url, description, enabled }),
    ...(numberIds && { numberIds: nullForAll(numberIds) }),
    ...(events && { events: nullForAll(events) }),
  };
  const isExact = isConditional(c);
  const updated = await updateWebhook(row, changes, auditOf(c), isExact);
  if (updated === null) return renderRefusal(c, isExact ? overtaken : noSuchWebhook);
  await configurationChanged(c.env, updated.accountId);
  // Also where D1 had it on all the time: then its circuit was open.
  if (enabled) await askLog(c.env, updated.accountId, (log) => log.closeCircuit(updated.id));
  return c.json<z.infer<typeof webhookSchema>>(await showOne(c, updated));
});

webhookRoutes.post('/:id/rotate-secret', webhookPath, steppedUp, emptyBody, async (c) => {
  const row = await ownWebhook(c);
  if (row === null) return renderRefusal(c, noSuchWebhook);
  const secret = newWebhookSecret();
  const sealed = await sealSecret(c.env, row.id, secret);
  const until = Date.now() + rotationMs;
  const rotated = await rotateSecret(row, sealed, until, auditOf(c));
  if (rotated === null) {
    return renderRefusal(c, refuse('CONFLICT', 'Someone else rotated the secret at the same moment.'));
  }
  await configurationChanged(c.env, rotated.accountId);
  return c.json<z.infer<typeof createdWebhookSchema>>({ ...(await showOne(c, rotated)), secret });
});

webhookRoutes.delete('/:id', webhookPath, async (c) => {
  const row = await ownWebhook(c);
  if (row === null) return renderRefusal(c, noSuchWebhook);
  await deleteWebhook(row, auditOf(c));
  await configurationChanged(c.env, row.accountId);
  return c.body(null, 204);
});
