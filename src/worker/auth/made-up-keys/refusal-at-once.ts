import { Hono } from 'hono';
import { errorStatus, type Refusal, refuse } from '../../../contract/errors.ts';
import { newRequestId } from '../../../durable/new-ids.ts';
import { closedContentPolicy, notStored, securityHeaders } from '../../http/answer/answer-headers.ts';
import { refusalBody, retryAfter } from '../../http/answer/refusal-body.ts';

/** Missing, malformed, unknown, expired and revoked keys get the very same answer. */
export const noValidKey = (): Refusal =>
  refuse('INVALID_API_KEY', 'The API key is missing, unknown or revoked.');

/** Where nothing of a request is looked at before its key. */
const sends = new Set(['/v1/messages/send', '/v1/messages/send-batch']);
export const isSend = (method: string, path: string) => method === 'POST' && sends.has(path);

type HeaderList = [name: string, value: string][];
let known: HeaderList | null = null;

/** The answer to a request that no route has seen, which looks like one of theirs. */
export async function answerAtOnce(
  refusal: Refusal,
): Promise<{ status: number; headers: HeaderList; body: string }> {
  known ??= await headersOfRefusals();
  const requestId = newRequestId();
  const headers: HeaderList = [...known, ['x-request-id', requestId]];
  const { retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) headers.push(['retry-after', retryAfter(retryAfterSeconds)]);
  return {
    status: errorStatus[refusal.code],
    headers,
    body: JSON.stringify(refusalBody(refusal, requestId)),
  };
}

/** The headers that every refusal has. */
async function headersOfRefusals(): Promise<HeaderList> {
  const all = new Hono();
  all.use(securityHeaders, closedContentPolicy, notStored);
  all.get('/', (c) => c.json({}));
  const { headers } = await all.request('/');
  return [...headers].filter(([name]) => name !== 'content-length');
}
