import { settingsOf } from '../../settings/worker-settings.ts';
import { tenantFetch } from './tenant-fetch.ts';
import { webhookUrlProblem, webhookUrlRules } from './webhook-url.ts';

const redirectsMax = 3;

export interface GuardedRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** Of the answer no more than this is read. */
  bytesMax: number;
  /** Only what reads may be led on to another address. */
  followsRedirects?: boolean;
}

export type GuardedAnswer =
  | { ok: true; status: number; url: string; contentType: string; bytes: Uint8Array; isCut: boolean }
  /** `isPassing`: it may work later. */
  | { ok: false; error: string; isPassing: boolean };

/** Asks a server that a customer has named: each address on the way is judged as a webhook's is. Never throws. */
export async function guardedFetch(env: Env, first: string, request: GuardedRequest): Promise<GuardedAnswer> {
  const { timeoutMs, bytesMax, followsRedirects = false, method = 'GET', headers = {}, body } = request;
  const rules = webhookUrlRules(settingsOf(env));
  const signal = AbortSignal.timeout(timeoutMs);
  let url = first;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const problem = webhookUrlProblem(url, rules);
    if (problem !== null) return refused(`The URL is not allowed. ${problem}`);
    try {
      const response = await tenantFetch(env, url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
      });
      const location = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        if (!followsRedirects)
          return refused(`The server answered ${response.status}: redirects are not followed.`);
        const next = URL.parse(location, url);
        if (next === null) return refused('The server redirects to something that is no URL.');
        next.hash = '';
        url = next.href;
        continue;
      }
      const { bytes, isCut } = await readAtMost(response, bytesMax);
      const contentType = response.headers.get('content-type') ?? '';
      return { ok: true, status: response.status, url, contentType, bytes, isCut };
    } catch {
      const error = signal.aborted
        ? `The server did not answer within ${timeoutMs / 1000} seconds.`
        : 'The server could not be reached.';
      return { ok: false, error, isPassing: true };
    }
  }
  return refused('The server redirects too often.');
}

const refused = (error: string): GuardedAnswer => ({ ok: false, error, isPassing: false });

async function readAtMost(
  response: Response,
  bytesMax: number,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  if (response.body === null) return { bytes: new Uint8Array(), isCut: false };
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  let isCut = false;
  while (!isCut) {
    const { done, value } = await reader.read();
    if (done) break;
    const room = bytesMax - length;
    isCut = value.byteLength > room;
    parts.push(isCut ? value.subarray(0, room) : value);
    length += Math.min(value.byteLength, room);
  }
  if (isCut) await reader.cancel().catch(() => undefined);
  return { bytes: new Uint8Array(Buffer.concat(parts)), isCut };
}
