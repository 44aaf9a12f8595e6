import { type Context, Hono } from 'hono';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import type { Refusal } from '../../contract/errors.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { PhoneNumber } from '../../durable/phone-number/phone-number.ts';
import type { AppEnv } from '../app-env.ts';
import { administrator, reader } from '../auth/callers.ts';
import { openDatabase } from '../db/database.ts';
import {
  deleteNumber,
  findNumber,
  insertNumber,
  listNumbers,
  type NumberRow,
  updateNumber,
} from '../db/numbers.ts';
import { emptyBody, jsonBody } from '../http/json-body.ts';
import { notFound, uuidPathId } from '../http/path-id.ts';
import { listQuery, page, query } from '../http/query.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { nameSchema } from '../http/shared-fields.ts';
import { askAccount, askNumber } from '../object-calls.ts';
import { normalisePhoneNumber } from '../recipient.ts';
import { auditOf } from './audit-context.ts';

export const numberRoutes = new Hono<AppEnv>();

const noSuchNumber = notFound('number');
const numberPath = uuidPathId('id', 'number');
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const deviceOf = (env: Env, numberId: string) => askNumber(env, numberId, (number) => number.device());
const refreshAccount = (env: Env, accountId: string) =>
  askAccount(env, accountId, (account) => account.refresh());
const ownNumber = (c: Context<AppEnv>) =>
  findNumber(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

type Device = Pick<NumberRow, 'state' | 'phoneNumber' | 'reason' | 'connectedAt' | 'lastSeenAt'> & {
  health: 'healthy' | 'unavailable';
};

const show = (row: Pick<NumberRow, 'id' | 'label' | 'inPool'>, device: Device) => ({
  numberId: row.id,
  label: row.label,
  phoneNumber: device.phoneNumber,
  state: device.state,
  health: device.health,
  inPool: row.inPool,
  connectedAt: iso(device.connectedAt),
  lastSeenAt: iso(device.lastSeenAt),
  reason: device.reason,
});

/** The list shows what the read model knows; the objects are asked one at a time, by `GET /:id`. */
const showProjected = (row: NumberRow) =>
  show(row, { ...row, health: row.state === 'connected' ? 'healthy' : 'unavailable' });

numberRoutes.post('/', administrator, jsonBody(z.strictObject({ label: nameSchema })), async (c) => {
  const { accountId } = c.get('caller');
  const numberId = newUuid();
  const row = {
    id: numberId,
    accountId,
    label: c.req.valid('json').label,
    inPool: true,
    createdAt: Date.now(),
  };
  // The object first: a number that can be seen must work, and an object that nobody can see does no harm.
  await askNumber(c.env, numberId, (number) => number.provision({ accountId, numberId }));
  await insertNumber(openDatabase(c.env.DB), row, auditOf(c));
  await refreshAccount(c.env, accountId);
  return c.json(show(row, await deviceOf(c.env, numberId)), 201);
});

numberRoutes.get('/', reader, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listNumbers(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  return c.json(page(rows, limit, (row) => row.id, showProjected));
});

numberRoutes.get('/:id', reader, numberPath, async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  return c.json(show(row, await deviceOf(c.env, row.id)));
});

const changesSchema = z.strictObject({ label: nameSchema.optional(), inPool: z.boolean().optional() });

numberRoutes.patch('/:id', administrator, numberPath, jsonBody(changesSchema), async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  const changes = c.req.valid('json');
  await updateNumber(openDatabase(c.env.DB), row, changes, auditOf(c));
  await refreshAccount(c.env, row.accountId);
  return c.json(show({ ...row, ...changes }, await deviceOf(c.env, row.id)));
});

numberRoutes.delete('/:id', administrator, numberPath, async (c) => {
  const row = await ownNumber(c);
  const { accountId } = c.get('caller');
  if (row === null) {
    // It mends a first call that was cut off before the account heard of it.
    await refreshAccount(c.env, accountId);
    return renderRefusal(c, noSuchNumber);
  }
  await askNumber(c.env, row.id, (number) => number.remove());
  await deleteNumber(openDatabase(c.env.DB), row, auditOf(c));
  await refreshAccount(c.env, accountId);
  return c.body(null, 204);
});

const pairSchema = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('qr') }),
  z.strictObject({
    method: z.literal('code'),
    phoneNumber: z.string().transform((input, context) => {
      const digits = normalisePhoneNumber(input);
      if (digits === null)
        context.addIssue({ code: 'custom', message: 'Not a phone number with country code.' });
      return digits ?? z.NEVER;
    }),
  }),
]);

/** 202 with the device as it is now, or the object's refusal. */
async function accepted(
  c: Context<AppEnv>,
  row: NumberRow,
  result: { ok: true } | Refusal,
): Promise<Response> {
  if (!result.ok) return renderRefusal(c, result);
  return c.json(show(row, await deviceOf(c.env, row.id)), 202);
}

numberRoutes.post('/:id/pair', administrator, numberPath, jsonBody(pairSchema), async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  return accepted(c, row, await c.env.PHONE_NUMBER.getByName(row.id).pair(c.req.valid('json')));
});

const sessionSteps = {
  connect: (number: DurableObjectStub<PhoneNumber>) => number.connectSession(),
  disconnect: (number: DurableObjectStub<PhoneNumber>) => number.disconnectSession(),
  logout: (number: DurableObjectStub<PhoneNumber>) => number.logoutSession(),
};

for (const [step, take] of Object.entries(sessionSteps)) {
  numberRoutes.post(`/:id/${step}`, administrator, numberPath, emptyBody, async (c) => {
    const row = await ownNumber(c);
    if (row === null) return renderRefusal(c, noSuchNumber);
    return accepted(c, row, await askNumber(c.env, row.id, take));
  });
}

numberRoutes.get('/:id/pairing', administrator, numberPath, async (c) => {
  const row = await ownNumber(c);
  const pairing = row === null ? null : await askNumber(c.env, row.id, (number) => number.pairing());
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept');
  if (pairing === null) return renderRefusal(c, row === null ? noSuchNumber : notFound('pairing under way'));
  if (!c.req.header('Accept')?.includes('image/svg+xml')) return c.json(pairing);
  if (pairing.qr === null) return renderRefusal(c, notFound('QR code at the moment'));
  return c.body(renderSVG(pairing.qr), 200, { 'Content-Type': 'image/svg+xml' });
});
