import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { countingFor } from '../../durable/counts/gathered-counts.ts';
import { newRequestId } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { keepRequest } from '../features/requests/keep-request.ts';
import { setAnswerHeader } from './answer/answer-headers.ts';

/**
 * Gives the request its id, returns it with the response, and writes the request's one line of the log. A flood does not fill
 * the log: most wrong credentials have no line, and a later line says how many there were (`refusedBefore`).
 */
export const requestLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now();
  const requestId = newRequestId();
  c.set('requestId', requestId);
  c.set('log', {});
  await next();
  setAnswerHeader(c, 'X-Request-Id', requestId);
  if (c.get('isUnlogged')) return;
  const route = routeOf(c);
  const { status } = c.res;
  const durationMs = Date.now() - startedAt;
  const log = c.get('log');
  countSend(c, route, status, durationMs);
  console.log(
    JSON.stringify({
      at: new Date(startedAt).toISOString(),
      event: 'request',
      requestId,
      method: c.req.method,
      route,
      status,
      durationMs,
      ...log,
    }),
  );
  const { accountId, keyId, messageId, code } = log;
  // Nobody was there any more to get the answer.
  if (typeof accountId !== 'string' || typeof keyId !== 'string' || status === 499) return;
  keepRequest(c, accountId, {
    requestId,
    keyId,
    at: startedAt,
    method: c.req.method,
    route,
    status,
    durationMs,
    code: code === undefined ? null : String(code),
    messageId: messageId === undefined ? null : String(messageId),
  });
};

/**
 * The pattern of the path, not the path: ids and whatever a stranger requests do not belong in the log. It is the pattern of
 * the handler that responded, or was to respond. Middleware, and the handler for all other paths, have none.
 */
function routeOf(c: Context<AppEnv>): string {
  const reached = matchedRoutes(c).slice(c.req.routeIndex);
  return reached.find(({ path }) => !path.endsWith('*'))?.path ?? 'none';
}

const sends = ['/v1/messages/send', '/v1/messages/send-batch'];

/** Counts a request that sends, behind its answer; `route`: its pattern. Others are not counted. */
function countSend(c: Context<AppEnv>, route: string, status: number, durationMs: number): void {
  if (!sends.includes(route) || c.req.method !== 'POST') return;
  const counting = countingFor(c.env, (work) => c.executionCtx.waitUntil(work), 'requestMs');
  counting.count('sendRequests', String(status));
  if (status === 202) counting.observe('acceptSeconds', durationMs);
}
