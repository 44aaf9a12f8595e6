import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Refusal } from '../../contract/errors.ts';
import { groupIdSchema, uuidSchema } from '../../contract/ids.ts';
import { messageStatuses } from '../../contract/message.ts';
import type { SendRequest } from '../../durable/account/admission-types.ts';
import type { MessageProjection } from '../../durable/relayed-events.ts';
import type { AppEnv } from '../app-env.ts';
import { invalidApiKey, reader } from '../auth/callers.ts';
import { openDatabase } from '../db/database.ts';
import { findMessage, listMessages } from '../db/messages.ts';
import { readJson } from '../http/json-body.ts';
import { messagePathId, notFound } from '../http/path-id.ts';
import { listQuery, page, query } from '../http/query.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { accountOfApiKey, hashApiKey } from '../keys/api-key.ts';
import { messageRecord } from '../message-record.ts';
import { askAccount, askNumber } from '../object-calls.ts';
import { normalisePhoneNumber } from '../recipient.ts';
import { parseIdempotencyKey, parseSendBody } from '../send-request.ts';

export const messageRoutes = new Hono<AppEnv>();

/** Everything about a send that can be judged without its account. */
async function parseSend(
  c: Context<AppEnv>,
): Promise<{ ok: true; request: Omit<SendRequest, 'keyHash'> } | Refusal> {
  const idempotency = parseIdempotencyKey(c.req.header('Idempotency-Key'));
  if (!idempotency.ok) return idempotency;
  const body = await readJson(c.req.raw);
  if (!body.ok) return body;
  const parsed = parseSendBody(body.value);
  return parsed.ok ? { ok: true, request: { ...parsed.request, idempotencyKey: idempotency.key } } : parsed;
}

/** One long haul: the account verifies the key and admits the message in a single call. */
messageRoutes.post('/send', async (c) => {
  const key = c.req.header('X-API-Key') ?? '';
  const accountId = accountOfApiKey(key);
  if (accountId === null) return renderRefusal(c, invalidApiKey());
  const log = c.get('log');
  log.accountId = accountId;
  const keyHash = hashApiKey(key);
  const parsed = await parseSend(c);
  if (!parsed.ok) {
    // Whoever has no valid key learns nothing about the request but that.
    const check = await askAccount(c.env, accountId, (account) => account.checkKey(keyHash));
    return renderRefusal(c, check.ok ? parsed : invalidApiKey());
  }
  const request = { ...parsed.request, keyHash };
  // Without an Idempotency-Key a repeat could be a second message.
  const result =
    request.idempotencyKey === null
      ? await c.env.ACCOUNT.getByName(accountId).send(request)
      : await askAccount(c.env, accountId, (account) => account.send(request));
  if (!result.ok) return renderRefusal(c, result.code === 'INVALID_API_KEY' ? invalidApiKey() : result);
  const { answer, sender, replayed } = result;
  Object.assign(log, {
    keyId: sender.keyId,
    messageId: answer.messageId,
    numberId: sender.numberId,
    source: sender.source,
    replayed,
  });
  if (replayed) c.header('Idempotent-Replayed', 'true');
  return c.json(answer, 202);
});

messageRoutes.get('/:messageId', reader, messagePathId('messageId'), async (c) => {
  const row = await findAnywhere(c.env, c.get('caller').accountId, c.req.param('messageId'));
  return row === null ? renderRefusal(c, notFound('message')) : c.json(messageRecord(row));
});

/** The read model; and for a message accepted so lately that it is not there yet, the object that holds it. */
async function findAnywhere(
  env: Env,
  accountId: string,
  messageId: string,
): Promise<MessageProjection | null> {
  const row = await findMessage(openDatabase(env.DB), accountId, messageId);
  if (row !== null) return row;
  const numberId = await askAccount(env, accountId, (account) => account.locate(messageId));
  return numberId === null ? null : askNumber(env, numberId, (number) => number.message(messageId));
}

const timeSchema = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));

/** Whom a message came from or went to: a phone number in any usual writing, a group, or an alias's digits. */
const partySchema = z.string().transform((input, context) => {
  const party = groupIdSchema.safeParse(input).success ? input : (normalisePhoneNumber(input) ?? input);
  if (/^\d{5,25}$/.test(party) || party.endsWith('@g.us')) return party;
  context.addIssue({ code: 'custom', message: 'Not a phone number with country code, and not a group id.' });
  return z.NEVER;
});

const messagesQuery = z.strictObject({
  ...listQuery,
  status: z.enum([...messageStatuses, 'received']).optional(),
  direction: z.enum(['outbound', 'inbound']).optional(),
  numberId: uuidSchema.toLowerCase().optional(),
  to: partySchema.optional(),
  from: partySchema.optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
});

messageRoutes.get('/', reader, query(messagesQuery), async (c) => {
  const { limit, cursor, ...filter } = c.req.valid('query');
  const rows = await listMessages(openDatabase(c.env.DB), c.get('caller').accountId, filter, limit, cursor);
  return c.json(page(rows, limit, (row) => row.messageId, messageRecord));
});
