import type { Context } from 'hono';
import { z } from 'zod';
import type { Refusal } from '../../../../contract/errors.ts';
import type { Accepted, BatchRequest } from '../../../../durable/account/admission/send-request.ts';
import type { PresentedKey } from '../../../../durable/account/configuration/key-ring.ts';
import type { AppEnv } from '../../../app-env.ts';
import { checkedKey, keyAnswer } from '../../../auth/checks/api-key-check.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { readJson } from '../../../http/request/body/json-body.ts';
import { readQuery } from '../../../http/request/query.ts';
import { askAccount } from '../../../object-calls.ts';
import { withSentFile } from '../../media/sent-file.ts';
import { withQuoted } from '../find-message.ts';
import type { acceptedBatchSchema } from '../records.ts';
import { foundFor } from './known-addresses.ts';
import { requestTrace } from './request-trace.ts';
import { askedInBatch, parseBatchBody } from './send-batch-request.ts';
import type { FileInput } from './send-content.ts';
import { parseIdempotencyKey } from './send-request.ts';

/** `POST /v1/messages/send-batch`: many messages in a single call of the account, and in one transaction there. */
export async function sendBatch(c: Context<AppEnv>): Promise<Response> {
  const named = c.get('namedKey');
  const { accountId, presented } = named;
  const log = c.get('log');
  const parsed = await parseBatch(c, accountId);
  if (!parsed.ok || parsed.files.some((file) => file !== null)) {
    // Whoever has no valid key learns nothing about the request but that, and stores nothing.
    const check = await checkedKey(c, named);
    if (!check.ok || !parsed.ok) return renderRefusal(c, check.ok ? (parsed as Refusal) : check);
  }
  const batch = { ...parsed.batch, ...presented, items: await withFiles(c.env, accountId, parsed) };
  // Without an Idempotency-Key a repeat could be a second batch.
  const answered =
    batch.idempotencyKey === null
      ? await c.env.ACCOUNT.getByName(accountId).sendBatch(batch)
      : await askAccount(c.env, accountId, (account) => account.sendBatch(batch));
  const result = await keyAnswer(c, named, answered);
  if (!result.ok) return renderRefusal(c, result);
  const { keyId, items, replayed } = result;
  const accepted = items.filter(({ ok }) => ok).length;
  const refused = items.length - accepted;
  Object.assign(log, { keyId, accepted, refused, replayed });
  if (replayed) c.header('Idempotent-Replayed', 'true');
  return c.json<z.infer<typeof acceptedBatchSchema>>({ accepted, refused, data: items.map(itemAnswer) }, 202);
}

interface GoodBatch {
  ok: true;
  batch: Omit<BatchRequest, keyof PresentedKey>;
  files: (FileInput | null)[];
}

/** The messages with their files, or each one's refusal. One after another: each may hold some megabytes. */
async function withFiles(
  env: Env,
  accountId: string,
  { batch, files }: GoodBatch,
): Promise<BatchRequest['items']> {
  const items = [...batch.items];
  for (const [index, file] of files.entries()) {
    const item = items[index];
    if (file === null || item === undefined || 'ok' in item) continue;
    const found = await withSentFile(env, accountId, item.content, file, item.sendAt ?? Date.now());
    if (!found.ok) {
      items[index] = found;
      continue;
    }
    const { ok: _, ...sent } = found;
    items[index] = { ...item, ...sent };
  }
  return items;
}

/** A batch cannot be tried: `?dryRun=true` is refused, as every parameter. */
const noQuery = z.strictObject({});

async function parseBatch(c: Context<AppEnv>, accountId: string): Promise<GoodBatch | Refusal> {
  const query = readQuery(c.req.queries(), noQuery);
  if (!query.ok) return query;
  const idempotency = parseIdempotencyKey(c.req.header('Idempotency-Key'));
  if (!idempotency.ok) return idempotency;
  const body = await readJson(c.req.raw);
  if (!body.ok) return body;
  const found = await foundFor(c.env, accountId, askedInBatch(body.value));
  const parsed = parseBatchBody(body.value, found);
  if (!parsed.ok) return parsed;
  const trace = requestTrace(c);
  const items = await Promise.all(
    parsed.batch.items.map(async (asked) => {
      if ('ok' in asked) return asked;
      const item = { ...asked, ...trace };
      if (item.quotedMessageId === undefined) return item;
      const quoted = await withQuoted(c.env, accountId, item);
      return quoted.ok ? quoted.request : quoted;
    }),
  );
  const batch = { ...parsed.batch, items, idempotencyKey: idempotency.key };
  return { ok: true, batch, files: parsed.files };
}

function itemAnswer(item: Accepted | Refusal, index: number) {
  if (item.ok) return { index, ...item.answer };
  const { code, message } = item;
  // In a batch the key of a message is a field of it, and no header.
  const details = item.details?.map((detail) =>
    detail.path === 'Idempotency-Key' ? { ...detail, path: 'idempotencyKey' } : detail,
  );
  return { index, error: { code, message, ...(details?.length ? { details } : {}) } };
}
