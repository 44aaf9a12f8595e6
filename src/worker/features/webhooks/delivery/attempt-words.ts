import type { Verdict } from '../../../../durable/event-log/deliveries/delivery-order.ts';
import { statusMeaning } from './connection-failure.ts';
import type { AttemptOutcome } from './verdict.ts';

/** What can be done about a failure, by what has called: only a delivery can be made again. */
const remedies = {
  delivery: {
    redirected: 'Redeliver it when the webhook has the right URL.',
    refused: 'Redeliver it when the receiver is fixed.',
  },
  automation: {
    redirected: 'Give the automation the right URL.',
    refused: 'The automation calls again when it runs next.',
  },
} as const;

/**
 * What the log of deliveries, or of runs, says about an attempt, for a person: why it failed and what follows from that;
 * null after a success.
 *
 * @param reason why there was no answer, as a sentence; null when there was one
 * @param attempt 1 for the first
 * @param of what has called
 */
export function attemptWords(
  outcome: AttemptOutcome,
  reason: string | null,
  decision: Verdict,
  attempt: number,
  of: keyof typeof remedies,
): string | null {
  if (decision.kind === 'delivered') return null;
  const { redirected, refused } = remedies[of];
  const status = outcome.kind === 'answered' ? outcome.statusCode : null;
  if (status !== null && status >= 300 && status < 400) {
    return `${status} is final: redirects are not followed. ${redirected}`;
  }
  if (status !== null && status >= 400 && status < 500) {
    return `${status} is final: 4xx answers are not retried. ${refused}`;
  }
  const what = reason ?? `The receiver answered ${status}${statusMeaning(status ?? 0)}.`;
  if (outcome.kind === 'forbidden') return what;
  return decision.kind === 'retry' ? what : `${what} This was attempt ${attempt}, the last one. ${refused}`;
}
