import { type Context, Hono } from 'hono';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import type { Refusal } from '../../../contract/errors.ts';
import type { PhoneNumber } from '../../../durable/phone-number/phone-number.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { pairingRoom } from '../../caps.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { notFound } from '../../http/request/path-id.ts';
import { askAccount, askNumber } from '../../object-calls.ts';
import { phoneNumberField } from '../messages/sending/recipient.ts';
import { noSuchNumber, numberPath, ownNumber } from './own-number.ts';
import type { pairingSchema, phoneNumberSchema } from './records.ts';
import type { NumberRow } from './rows.ts';
import { showLive } from './shown-number.ts';

export const numberSessionRoutes = new Hono<AppEnv>();

const pairSchema = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('qr') }),
  z.strictObject({
    method: z.literal('code'),
    phoneNumber: phoneNumberField,
  }),
]);

/** 202 with the device as it is now, or the object's refusal. */
async function accepted(
  c: Context<AppEnv>,
  row: NumberRow,
  result: { ok: true } | Refusal,
): Promise<Response> {
  if (!result.ok) return renderRefusal(c, result);
  return c.json<z.infer<typeof phoneNumberSchema>>(await showLive(c.env, row), 202);
}

numberSessionRoutes.post('/:id/pair', administrator, numberPath, jsonBody(pairSchema), async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  const { accountId, id } = row;
  const room = await pairingRoom(c);
  const begins = await askAccount(c.env, accountId, (account) => account.beginPairing(id, room.most));
  if (!begins) return renderRefusal(c, room.refusal);
  const result = await c.env.PHONE_NUMBER.getByName(id).pair(c.req.valid('json'));
  if (!result.ok) await askAccount(c.env, accountId, (account) => account.endPairing(id));
  return accepted(c, row, result);
});

const sessionSteps = {
  connect: (number: DurableObjectStub<PhoneNumber>) => number.connectSession(),
  disconnect: (number: DurableObjectStub<PhoneNumber>) => number.disconnectSession(),
  logout: (number: DurableObjectStub<PhoneNumber>) => number.logoutSession(),
};

for (const [step, take] of Object.entries(sessionSteps)) {
  numberSessionRoutes.post(`/:id/${step}`, administrator, numberPath, emptyBody, async (c) => {
    const row = await ownNumber(c);
    if (row === null) return renderRefusal(c, noSuchNumber);
    return accepted(c, row, await askNumber(c.env, row.id, take));
  });
}

numberSessionRoutes.get('/:id/pairing', administrator, numberPath, async (c) => {
  const row = await ownNumber(c);
  const pairing = row === null ? null : await askNumber(c.env, row.id, (number) => number.pairing());
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept');
  if (pairing === null) return renderRefusal(c, row === null ? noSuchNumber : notFound('pairing under way'));
  if (!c.req.header('Accept')?.includes('image/svg+xml'))
    return c.json<z.infer<typeof pairingSchema>>(pairing);
  if (pairing.qr === null) return renderRefusal(c, notFound('QR code at the moment'));
  return c.body(renderSVG(pairing.qr), 200, { 'Content-Type': 'image/svg+xml' });
});
