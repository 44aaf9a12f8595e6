import { getPath } from 'hono/utils/url';
import type { Refusal } from '../../../contract/errors.ts';
import { readApiKey } from '../../features/account/keys/genuine-key.ts';
import { dropUnread } from '../../http/request/body/rest-of-body.ts';
import { addressIn } from '../../http/request/client-address.ts';
import { forged, noteLeftOut } from '../checks/failed-checks.ts';
import { answerAtOnce, isSend, noValidKey } from './refusal-at-once.ts';

/**
 * The answer to a made-up key, from this isolate's memory: when its address waits, and when a flood of them is to send.
 * Null for every other request. It stands in front of all routes: what those leave for the garbage collector would hold up
 * everybody's requests under a flood. What a page asks goes the long way: that tells the browser whether the page may read
 * the answer.
 */
export function refuseMadeUpKey(request: Request, env: Env): Promise<Response> | null {
  if (!forged.isAnyRefusedAtOnce) return null;
  const { headers, method } = request;
  const key = headers.get('X-API-Key') ?? '';
  if (key === '' || headers.has('Origin')) return null;
  const path = getPath(request);
  if (!path.startsWith('/v1/') || readApiKey(env, key) !== null) return null;
  const refusal = forged.refusalAtOnce(addressIn(headers, env), isSend(method, path) ? noValidKey() : null);
  return refusal && answer(request, refusal);
}

async function answer(request: Request, refusal: Refusal): Promise<Response> {
  noteLeftOut();
  await dropUnread(request);
  const { body, ...rest } = await answerAtOnce(refusal);
  return new Response(body, rest);
}
