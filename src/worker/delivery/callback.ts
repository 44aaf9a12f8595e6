import { cutText } from '../../contract/texts/cut-text.ts';
import { answerMsMax } from '../../durable/event-log/deliveries/delivery-order.ts';
import { tenantFetch } from '../outbound-http/tenant-fetch.ts';
import { connectionFailure } from './connection-failure.ts';
import type { AttemptOutcome } from './verdict.ts';

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
  } catch (error) {
    const reason = signal.aborted
      ? `No answer within ${answerMsMax / 1000} seconds.`
      : connectionFailure(error, url);
    return { outcome: { kind: 'unreachable' }, responseSnippet: null, reason };
  }
  const responseSnippet = await readSnippet(response);
  return { outcome: { kind: 'answered', statusCode: response.status }, responseSnippet, reason: null };
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
