import { getPath } from 'hono/utils/url';
import type { Refusal } from '../../../contract/errors.ts';
import { readApiKey } from '../../features/account/keys/genuine-key.ts';
import { dropUnread } from '../../http/request/body/rest-of-body.ts';
import { addressIn } from '../../http/request/client-address.ts';
import { forged, noteLeftOut } from '../checks/failed-checks.ts';
import { answerAtOnce, isSend, noValidKey } from './refusal-at-once.ts';

/**
 * The response to a made-up key, from this isolate's memory: if its address has to wait, and in a flood. Null for every other
 * request. It runs before all routes: in a flood, the garbage that routes leave for the collector would slow everybody's
 * requests. Requests of a page are not handled here, since only the routes tell the browser whether the page may read the
 * response.
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
