import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Refusal } from '../../contract/errors.ts';
import { groupIdSchema, uuidSchema } from '../../contract/ids.ts';
import { messageStatuses } from '../../contract/message.ts';
import type { SendRequest } from '../../durable/account/admission-types.ts';
import type { MessageProjection } from '../../durable/relayed-events.ts';
import type { AppEnv } from '../app-env.ts';
import { accountOfRequest, invalidApiKey, reader } from '../auth/callers.ts';
import { openDatabase } from '../db/database.ts';
import { findMessage, listMessages } from '../db/messages.ts';
import { readJson } from '../http/json-body.ts';
import { messagePathId, notFound } from '../http/path-id.ts';
import { listQuery, page, query } from '../http/query.ts';
import { showLimits } from '../http/rate-limit-headers.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { validationRefusal } from '../http/validation-details.ts';
import { messageRecord, waitingRecord } from '../message-record.ts';
import { askAccount, askNumber } from '../object-calls.ts';
import { normalisePhoneNumber } from '../recipient.ts';
import { parseIdempotencyKey, parseSendBody, sendQuerySchema } from '../send-request.ts';

export const messageRoutes = new Hono<AppEnv>();

/** Everything about a send that can be judged without its account. */
async function parseSend(
  c: Context<AppEnv>,
): Promise<{ ok: true; request: Omit<SendRequest, 'keyHash'>; isDryRun: boolean } | Refusal> {
  const query = sendQuerySchema.safeParse(c.req.query());
  if (!query.success) return validationRefusal(query.error);
  const idempotency = parseIdempotencyKey(c.req.header('Idempotency-Key'));
  if (!idempotency.ok) return idempotency;
  const body = await readJson(c.req.raw);
  if (!body.ok) return body;
  const parsed = parseSendBody(body.value);
  if (!parsed.ok) return parsed;
  const request = { ...parsed.request, idempotencyKey: idempotency.key };
  return { ok: true, request, isDryRun: query.data.dryRun === 'true' };
}

/** An invalid key is told in one way, whoever found it. */
const sayKeyProblem = (c: Context<AppEnv>, refusal: Refusal): Refusal =>
  refusal.code === 'INVALID_API_KEY' ? invalidApiKey(c, 'not_active') : refusal;

/** One long haul: the account verifies the key and admits the message in a single call. */
messageRoutes.post('/send', async (c) => {
  const named = accountOfRequest(c);
  if ('ok' in named) return renderRefusal(c, named);
  const { accountId, keyHash } = named;
  const log = c.get('log');
  log.accountId = accountId;
  const parsed = await parseSend(c);
  if (!parsed.ok) {
    // Whoever has no valid key learns nothing about the request but that.
    const check = await askAccount(c.env, accountId, (account) => account.checkKey(keyHash));
    showLimits(c, check.limits);
    return renderRefusal(c, check.ok ? parsed : sayKeyProblem(c, check));
  }
  const request = { ...parsed.request, keyHash };
  if (parsed.isDryRun) return answerDryRun(c, accountId, request);
  // Without an Idempotency-Key a repeat could be a second message.
  const result =
    request.idempotencyKey === null
      ? await c.env.ACCOUNT.getByName(accountId).send(request)
      : await askAccount(c.env, accountId, (account) => account.send(request));
  showLimits(c, result.limits);
  if (!result.ok) return renderRefusal(c, sayKeyProblem(c, result));
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

/** What the send would come to: 200 also when it would be refused, with every reason. */
async function answerDryRun(c: Context<AppEnv>, accountId: string, request: SendRequest) {
  const result = await askAccount(c.env, accountId, (account) => account.dryRun(request));
  showLimits(c, result.limits);
  if (!result.ok) return renderRefusal(c, sayKeyProblem(c, result));
  const { keyId, dryRun } = result;
  Object.assign(c.get('log'), { keyId, dryRun: true, numberId: dryRun.sender?.numberId ?? null });
  const { to, chatType, content } = request;
  const { accepted, expectedAt, ...rest } = dryRun;
  return c.json({
    dryRun: true,
    accepted,
    to,
    chatType,
    messageType: content.type,
    ...rest,
    expectedAt: expectedAt === null ? null : new Date(expectedAt).toISOString(),
  });
}

messageRoutes.get('/:messageId', reader, messagePathId('messageId'), async (c) => {
  const { accountId } = c.get('caller');
  const messageId = c.req.param('messageId');
  const row = await findMessage(openDatabase(c.env.DB), accountId, messageId);
  if (row !== null && (row.direction === 'inbound' || row.status !== 'queued')) {
    return c.json(waitingRecord(row, null));
  }
  const live = await findLive(c.env, accountId, messageId, row?.numberId ?? null);
  if (row === null && live === null) return renderRefusal(c, notFound('message'));
  return c.json(waitingRecord(live ?? (row as MessageProjection), live));
});

/**
 * The message as its number's object has it now: one that waits knows there why, and one that was accepted just now may
 * be nowhere else yet. It may have moved on from the number that the read model names.
 */
async function findLive(env: Env, accountId: string, messageId: string, numberId: string | null) {
  const live = numberId && (await askNumber(env, numberId, (number) => number.message(messageId)));
  if (live) return live;
  const holder = await askAccount(env, accountId, (account) => account.locate(messageId));
  return holder === null ? null : askNumber(env, holder, (number) => number.message(messageId));
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
