import type { Context } from 'hono';
import { errorStatus, type Refusal, refuse } from '../../contract/errors.ts';
import { newRequestId } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { faultMessage } from '../db/fault-message.ts';

/** The one place where an error becomes a response; every error of the API goes through it. */
export function renderRefusal(c: Context<AppEnv>, refusal: Refusal): Response {
  // Routes before the request log (upgrades) have no id yet.
  const requestId = c.get('requestId') ?? newRequestId();
  const log = c.get('log');
  if (log !== undefined) log.code = refusal.code;
  c.header('X-Request-Id', requestId);
  if (refusal.retryAfterSeconds !== undefined) {
    c.header('Retry-After', String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))));
  }
  if (refusal.code === 'RATE_LIMITED') rateLimitHeaders(c, refusal);
  const { code, message, details } = refusal;
  return c.json(
    { error: { code, message, requestId, ...(details?.length ? { details } : {}) } },
    errorStatus[code],
  );
}

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) of the one limit there is: sends by key. */
function rateLimitHeaders(c: Context<AppEnv>, { retryAfterSeconds = 1 }: Refusal): void {
  c.header('RateLimit', `"key";r=0;t=${Math.max(1, Math.ceil(retryAfterSeconds))}`);
  c.header('RateLimit-Policy', `"key";q=${c.env.KEY_RATE_PER_SECOND};w=1`);
}

/** A route or method that is not there. */
export function renderNoRoute(c: Context<AppEnv>): Response {
  return renderRefusal(c, refuse('NOT_FOUND', 'There is no such route.'));
}

/** A fault or a bug: told by its request id alone; what happened stands in the log under that id. */
export function renderFault(error: Error, c: Context<AppEnv>): Response {
  const requestId = c.get('requestId') ?? newRequestId();
  c.set('requestId', requestId);
  console.error(
    JSON.stringify({
      at: new Date().toISOString(),
      level: 'error',
      event: 'request.failed',
      requestId,
      ...faultMessage(error),
    }),
  );
  return renderRefusal(c, refuse('INTERNAL', 'Something went wrong on our side.'));
}
