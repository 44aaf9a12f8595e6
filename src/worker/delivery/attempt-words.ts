import type { Verdict } from '../../durable/event-log/deliveries/delivery-order.ts';
import type { AttemptOutcome } from './verdict.ts';

const mend = 'Redeliver it when the receiver is mended.';

/**
 * What the delivery log says about an attempt, for a person: why it failed and what follows from that; null after a
 * success.
 *
 * @param reason why there was no answer, as a sentence; null when there was one
 * @param attempt 1 for the first
 */
export function attemptWords(
  outcome: AttemptOutcome,
  reason: string | null,
  decision: Verdict,
  attempt: number,
): string | null {
  if (decision.kind === 'delivered') return null;
  const status = outcome.kind === 'answered' ? outcome.statusCode : null;
  if (status !== null && status >= 300 && status < 400) {
    return `${status} is final: redirects are not followed. Redeliver it when the webhook has the right URL.`;
  }
  if (status !== null && status >= 400 && status < 500) {
    return `${status} is final: 4xx answers are not retried. ${mend}`;
  }
  const what = reason ?? `The receiver answered ${status}.`;
  if (outcome.kind === 'forbidden') return what;
  return decision.kind === 'retry' ? what : `${what} This was attempt ${attempt}, the last one. ${mend}`;
}
