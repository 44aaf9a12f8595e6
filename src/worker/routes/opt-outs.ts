import { Hono } from 'hono';
import { z } from 'zod';
import type { OptOut } from '../../durable/account/recipients/opt-outs.ts';
import type { AppEnv } from '../app-env.ts';
import { administrator, keyOrAdministrator } from '../auth/callers.ts';
import { auditOptOut } from '../db/accounts/opt-outs.ts';
import { openDatabase } from '../db/database.ts';
import { renderRefusal } from '../http/answer/refusal-response.ts';
import { jsonBody } from '../http/request/body/json-body.ts';
import { notFound } from '../http/request/path-id.ts';
import { listQuery, page, query } from '../http/request/query.ts';
import { invalidField } from '../http/request/validation-details.ts';
import { askAccount } from '../object-calls.ts';
import type { optOutListSchema, optOutSchema } from '../openapi/schemas/settings.ts';
import { addressOf } from '../sending/known-addresses.ts';
import { readPhoneNumber } from '../sending/phone-number.ts';
import { addressField } from '../sending/recipient.ts';
import { auditOf } from './audit-context.ts';

export const optOutRoutes = new Hono<AppEnv>();

const noSuchOptOut = notFound('opt-out');

const show = ({ phoneNumber, at, numberId, word }: OptOut) => ({
  phoneNumber,
  optedOutAt: new Date(at).toISOString(),
  numberId,
  word,
});

optOutRoutes.get('/', keyOrAdministrator('contacts'), query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await askAccount(c.env, c.get('caller').accountId, (account) =>
    account.optOuts(limit + 1, cursor ?? null),
  );
  return c.json<z.infer<typeof optOutListSchema>>(page(rows, limit, ({ id }) => id, show));
});

const additionSchema = z.strictObject({ phoneNumber: addressField });

/** Puts a recipient on the list by hand; one that is on it stays as it is. */
optOutRoutes.post('/', administrator, jsonBody(additionSchema), async (c) => {
  const { phoneNumber: reading } = c.req.valid('json');
  const { accountId } = c.get('caller');
  const phoneNumber = await addressOf(c.env, accountId, reading);
  if (phoneNumber === null) return renderRefusal(c, invalidField('phoneNumber', reading.problem));
  const { isNew, optOut } = await askAccount(c.env, accountId, (account) => account.addOptOut(phoneNumber));
  if (isNew) await auditOptOut(openDatabase(c.env.DB), 'opt_out.added', phoneNumber, auditOf(c));
  return c.json<z.infer<typeof optOutSchema>>(show(optOut), isNew ? 201 : 200);
});

/** Takes a recipient off the list, who may then be written to again. */
optOutRoutes.delete('/:phoneNumber', administrator, async (c) => {
  const { accountId } = c.get('caller');
  const phoneNumber = await addressOf(c.env, accountId, readPhoneNumber(c.req.param('phoneNumber')));
  if (phoneNumber === null) return renderRefusal(c, noSuchOptOut);
  const removed = await askAccount(c.env, accountId, (account) => account.removeOptOut(phoneNumber));
  if (!removed) return renderRefusal(c, noSuchOptOut);
  await auditOptOut(openDatabase(c.env.DB), 'opt_out.removed', phoneNumber, auditOf(c));
  return c.body(null, 204);
});
