import { cutText } from '../../../../contract/texts/text.ts';
import { answerMsMax, type Verdict } from '../../../../durable/event-log/deliveries/delivery-order.ts';
import { isBroken } from '../../../outbound-http/final-answers.ts';
import { tenantFetch } from '../../../outbound-http/tenant-fetch.ts';

/** What a receiver did: it answered, or there was no answer. */
export type AttemptOutcome =
  | { kind: 'answered'; statusCode: number }
  | { kind: 'unreachable' }
  | { kind: 'forbidden' };

/**
 * What an attempt means for its delivery: 2xx delivered; 3xx and 4xx finally failed; after 5xx or no response another attempt,
 * until the ladder is used up.
 * @param attempt 1 for the first
 * @param ladderSeconds the waits before attempts 2, 3, …; there is one attempt more than waits
 */
export function verdict(outcome: AttemptOutcome, attempt: number, ladderSeconds: readonly number[]): Verdict {
  // The rules for URLs have changed since it was saved: waiting will not help.
  if (outcome.kind === 'forbidden') return { kind: 'failed' };
  if (outcome.kind === 'answered') {
    if (outcome.statusCode >= 200 && outcome.statusCode < 300) return { kind: 'delivered' };
    if (!isBroken(outcome.statusCode)) return { kind: 'failed' };
  }
  const delaySeconds = ladderSeconds[attempt - 1];
  return delaySeconds === undefined ? { kind: 'failed' } : { kind: 'retry', delaySeconds };
}

/**
 * Why there was no response, for a person, as far as the runtime says. With workerd 1.20260918, a host that refuses or ends
 * the connection is "Network connection lost.". An unknown name and an untrusted certificate are both "internal error;
 * reference = …", and only its log has the details. The platform responds with a status of its own instead: {@link
 * statusMeaning}.
 */
export function connectionFailure(error: unknown, url: string): string {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Network connection lost'))
    return 'The connection failed: nothing listens there, or it broke off before an answer.';
  if (!message.startsWith('internal error')) return 'The connection failed.';
  return url.startsWith('https:')
    ? 'The connection failed: the name of the host is not known, or its certificate is not trusted (self-signed, expired or for another name).'
    : 'The connection failed: the name of the host is not known.';
}

/** Statuses with which Cloudflare says what hindered it on the way to a host, in its own or in the receiver's place. */
const meanings: Record<number, string> = {
  520: 'what came was no answer',
  521: 'the connection was refused',
  522: 'the connection took too long',
  523: 'the host cannot be reached',
  524: 'there was no answer in time',
  525: 'the TLS handshake failed',
  526: 'the certificate is not trusted',
  530: 'the name of the host is not known',
};

/** `: <what it means>`, for a status that says what failed on the way; else nothing. */
export const statusMeaning = (status: number): string =>
  meanings[status] === undefined ? '' : `: ${meanings[status]}`;

/** Of the answer no more than this is read, and no more than so many characters are kept. */
const answerBytesMax = 4096;
const snippetCharactersMax = 512;

export interface CallbackResult {
  outcome: AttemptOutcome;
  /** The start of the answer's body, or null when there was none. */
  responseSnippet: string | null;
  /** Why there was no answer, as a sentence; null when there was one. */
  reason: string | null;
}

/** Makes one POST. A receiver's failure is a result, never thrown; redirects are not followed. */
export async function postCallback(
  env: Env,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<CallbackResult> {
  const signal = AbortSignal.timeout(answerMsMax);
  let response: Response;
  try {
    response = await tenantFetch(env, url, { method: 'POST', headers, body, redirect: 'manual', signal });
    if (response.status < 200) return await behindInterim(response);
  } catch (error) {
    const reason = signal.aborted
      ? `No answer within ${answerMsMax / 1000} seconds.`
      : connectionFailure(error, url);
    return { outcome: { kind: 'unreachable' }, responseSnippet: null, reason };
  }
  const responseSnippet = await readSnippet(response);
  return { outcome: { kind: 'answered', statusCode: response.status }, responseSnippet, reason: null };
}

/**
 * The response after `100 Continue`, `103 Early Hints` and the like (RFC 9110, 15.2), which nobody requested. workerd treats
 * the first of them as the response, and everything after it as its body. Throws if no response follows in time.
 */
async function behindInterim(response: Response): Promise<CallbackResult> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const answer = finalAnswer(text);
      if (answer !== null) return answer;
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || text.length > answerBytesMax) throw new Error('Network connection lost.');
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/** The first answer in a text of HTTP/1.1 that is no interim one; null where its head is not there as a whole. */
function finalAnswer(text: string): CallbackResult | null {
  for (let rest = text; ; ) {
    const head = /^HTTP\/1\.\d (\d{3})[\s\S]*?\r\n\r\n/.exec(rest);
    if (head === null) return null;
    rest = rest.slice(head[0].length);
    const statusCode = Number(head[1]);
    if (statusCode < 200) continue;
    const responseSnippet = rest === '' ? null : cutText(rest, snippetCharactersMax);
    return { outcome: { kind: 'answered', statusCode }, responseSnippet, reason: null };
  }
}

/** The verdict rests on the status alone, so a body that breaks off or is slow costs only its snippet. */
async function readSnippet(response: Response): Promise<string | null> {
  if (response.body === null) return null;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    while (bytes < answerBytesMax && text.length < snippetCharactersMax) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // What came before the end is shown.
  }
  await reader.cancel().catch(() => undefined);
  return text === '' ? null : cutText(text, snippetCharactersMax);
}
