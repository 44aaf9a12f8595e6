import { cutText } from '../../../../contract/texts/text.ts';
import type { AlertOrder, AlertReport } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import { mayPass } from '../../../outbound-http/final-answers.ts';
import type { CallbackResult } from '../../webhooks/delivery/callback.ts';
import type { SecretTarget } from '../channels/channel-target.ts';
import type { AlertText } from '../words/alert-text.ts';

/** What came of an attempt, before it is known how long it took. */
export type AttemptResult = Pick<AlertReport, 'outcome' | 'retryAfterSeconds'> & {
  statusCode: number | null;
  /** Why it failed, for a person; null after a success. */
  error: string | null;
};

export const delivered = (statusCode: number | null = null): AttemptResult => ({
  outcome: 'delivered',
  statusCode,
  error: null,
  retryAfterSeconds: null,
});

/** Waiting will not help. */
export const givenUp = (error: string, statusCode: number | null = null): AttemptResult => ({
  outcome: 'failed',
  statusCode,
  error,
  retryAfterSeconds: null,
});

export const again = (
  error: string,
  statusCode: number | null = null,
  retryAfterSeconds: number | null = null,
): AttemptResult => ({ outcome: 'retry', statusCode, error, retryAfterSeconds });

const answerCharactersMax = 200;
/** How long a chat app has us wait stands in its answer. */
const retryAfterPattern = /"retry_after"\s*:\s*(\d+(\.\d+)?)/;

/** What the answer of `who` means. What they said of it is shown to who set the channel up. */
export function resultOf({ outcome, responseSnippet, reason }: CallbackResult, who: string): AttemptResult {
  if (outcome.kind === 'forbidden') return givenUp(reason ?? 'The URL is not allowed.');
  if (outcome.kind === 'unreachable') return again(reason ?? 'The connection failed.');
  const { statusCode } = outcome;
  if (statusCode >= 200 && statusCode < 300) return delivered(statusCode);
  const answer = responseSnippet === null ? '' : `: ${cutText(responseSnippet, answerCharactersMax).trim()}`;
  const error = `${who} answered ${statusCode}${answer}`;
  if (!mayPass(statusCode)) return givenUp(error, statusCode);
  const [, seconds] = retryAfterPattern.exec(responseSnippet ?? '') ?? [];
  return again(error, statusCode, seconds === undefined ? null : Math.ceil(Number(seconds)));
}

/** One message to one channel. */
interface Sending {
  env: Env;
  accountId: string;
  order: AlertOrder;
  secret: SecretTarget;
  text: AlertText;
  isTest: boolean;
}

/** Makes one attempt. What the receiver does is a result, never thrown. */
export type SendToChannel = (sending: Sending) => Promise<AttemptResult>;
