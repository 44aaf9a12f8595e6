import type { Context } from 'hono';
import { errorStatus, type Refusal, refuse } from '../../../contract/errors.ts';
import { newRequestId } from '../../../durable/new-ids.ts';
import { SettingsProblem } from '../../../settings/setting.ts';
import type { AppEnv } from '../../app-env.ts';
import { faultMessage } from '../../db/database.ts';
import { ClientGone } from '../request/body/rest-of-body.ts';
import { refusalBody, retryAfter } from './refusal-body.ts';

/** The one place where an error becomes a response; every error of the API goes through it. */
export function renderRefusal(c: Context<AppEnv>, refusal: Refusal): Response {
  // Routes before the request log (upgrades) have no id yet.
  const requestId = c.get('requestId') ?? newRequestId();
  const log = c.get('log');
  if (log !== undefined) log.code = refusal.code;
  c.set('refusal', refusal);
  c.header('X-Request-Id', requestId);
  if (refusal.retryAfterSeconds !== undefined) c.header('Retry-After', retryAfter(refusal.retryAfterSeconds));
  return c.json(refusalBody(refusal, requestId), errorStatus[refusal.code]);
}

/** A route or method that is not there. */
export function renderNoRoute(c: Context<AppEnv>): Response {
  return renderRefusal(c, refuse('NOT_FOUND', 'There is no such route.'));
}

/** What has failed, failed because nobody waits for it any more. Nobody sees this answer either. */
function hungUp(c: Context<AppEnv>): Response {
  const log = c.get('log');
  if (log !== undefined) log.code = 'CLIENT_GONE';
  return new Response(null, { status: 499 });
}

/** A fault or a bug: told by its request id alone; what happened stands in the log under that id. */
export function renderFault(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof ClientGone || c.req.raw.signal?.aborted) return hungUp(c);
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
  const isUnset = error instanceof SettingsProblem;
  const message = isUnset
    ? 'A setting of this gateway is wrong. Its log names the variable.'
    : 'Something went wrong on our side.';
  return renderRefusal(c, refuse('INTERNAL', message));
}
