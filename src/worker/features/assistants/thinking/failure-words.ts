import { APICallError } from 'ai';
import { cutText } from '../../../../contract/texts/text.ts';
import type { Ending } from '../../../../durable/event-log/assistants/turns/turn-orders.ts';
import { mayPass } from '../../../outbound-http/final-answers.ts';
import { ModelProblem } from './model.ts';

const saidCharactersMax = 300;

/** Why a model gave no answer, for the owner: what the server answered, nothing of what was sent to it. */
export function failureWords(error: unknown): string {
  const cause = rootOf(error);
  if (cause instanceof ModelProblem) return cause.message;
  if (APICallError.isInstance(error)) {
    const { statusCode } = error;
    if (statusCode === undefined) return 'The provider could not be reached.';
    if (statusCode === 401 || statusCode === 403) return `The provider refuses the API key (${statusCode}).`;
    if (statusCode === 404) return 'The provider knows no such model, or the address is wrong (404).';
    if (statusCode === 429)
      return 'The provider says that it is asked too often, or that the credit is used up (429).';
    if (statusCode >= 500) return `The provider failed (${statusCode}).`;
    return statusCode === 200
      ? 'The provider answered with something that is no answer of a model.'
      : `The provider answered ${statusCode}.`;
  }
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return 'The model took too long.';
  }
  if (error instanceof Error && /refused|failed within/.test(error.message)) return error.message;
  return 'The model gave no answer that could be used.';
}

/** Whether another try would bring the same: the provider refuses, or cannot be asked at all. */
export function isFinal(error: unknown): boolean {
  const cause = rootOf(error);
  if (cause instanceof ModelProblem) return cause.isFinal;
  const { statusCode = 0 } = APICallError.isInstance(error) ? error : {};
  return statusCode >= 400 && !mayPass(statusCode);
}

/** What comes of a turn whose model gave no answer. */
export function failureOf(error: unknown): Extract<Ending, { outcome: 'failed' }> {
  if (isFinal(error)) return { outcome: 'failed', isFinal: true };
  // How long a provider asks to be left alone.
  const seconds = APICallError.isInstance(error) ? Number(error.responseHeaders?.['retry-after']) : 0;
  return { outcome: 'failed', ...(seconds > 0 && { retryAfterMs: seconds * 1000 }) };
}

/** The same with what the provider says itself, without the key that it may repeat: for who tries it, and for no log. */
export function failureDetail(error: unknown, apiKey: string | null): string {
  const words = failureWords(error);
  if (!APICallError.isInstance(error) || error.data === undefined) return words;
  const said = apiKey ? error.message.replaceAll(apiKey, '…') : error.message;
  return `${words} It says: ${cutText(said, saidCharactersMax)}`;
}

function rootOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && !(cause instanceof ModelProblem) && cause.cause instanceof Error)
    cause = cause.cause;
  return cause;
}
