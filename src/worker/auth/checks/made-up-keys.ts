import { Hono, type MiddlewareHandler } from 'hono';
import { errorStatus } from '../../../contract/errors.ts';
import { newRequestId } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { refusalBody, retryAfter } from '../../http/refusal-response.ts';
import { dropUnread } from '../../http/request/rest-of-body.ts';
import { closedContentPolicy, notStored, securityHeaders } from '../../http/security-headers.ts';
import { accountOfApiKey, checksumSecretsOf } from '../../keys/api-key.ts';
import { forgedRefusal } from './failed-checks.ts';

/** What arrives with the head of a request, and is passed over by the runtime when nobody has read it. */
const passedOverBytesMax = 16 * 1024;

let known: Record<string, string> | null = null;

/** The headers that every refusal has. */
async function headersOfRefusals(): Promise<Record<string, string>> {
  const all = new Hono<AppEnv>();
  all.use(securityHeaders, closedContentPolicy, notStored);
  all.get('/', (c) => c.json({}));
  const { headers } = await all.request('/');
  headers.delete('Content-Length');
  return Object.fromEntries(headers);
}

/**
 * Stands in front of what all other requests go through: a made-up key from an address that waits is answered from this
 * isolate's memory. What a page asks goes the long way: that tells the browser whether the page may read the answer.
 */
export const refuseMadeUpKeys: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = c.req.header('X-API-Key') ?? '';
  if (key === '' || c.req.header('Origin') !== undefined) return next();
  const refusal = forgedRefusal(c, () => accountOfApiKey(key, checksumSecretsOf(c.env)) === null);
  if (refusal === null) return next();
  known ??= await headersOfRefusals();
  if (!(Number(c.req.header('Content-Length')) <= passedOverBytesMax)) await dropUnread(c.req.raw);
  const requestId = newRequestId();
  return new Response(JSON.stringify(refusalBody(refusal, requestId)), {
    status: errorStatus[refusal.code],
    headers: {
      ...known,
      'Retry-After': retryAfter(refusal.retryAfterSeconds ?? 0),
      'X-Request-Id': requestId,
    },
  });
};
