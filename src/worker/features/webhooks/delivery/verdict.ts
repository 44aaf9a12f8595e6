import type { Verdict } from '../../../../durable/event-log/deliveries/delivery-order.ts';

/** What a receiver did: it answered, or there was no answer. */
export type AttemptOutcome =
  | { kind: 'answered'; statusCode: number }
  | { kind: 'unreachable' }
  | { kind: 'forbidden' };

/**
 * What an attempt means for its delivery: 2xx delivered; 3xx and 4xx the receiver's no, final; 5xx and silence another
 * attempt on the ladder, until it is used up.
 *
 * @param attempt 1 for the first
 * @param ladderSeconds the waits before attempts 2, 3, …; one attempt more than it has rungs
 */
export function verdict(outcome: AttemptOutcome, attempt: number, ladderSeconds: readonly number[]): Verdict {
  // The rules for URLs have changed since it was saved: waiting will not help.
  if (outcome.kind === 'forbidden') return { kind: 'failed' };
  if (outcome.kind === 'answered') {
    if (outcome.statusCode >= 200 && outcome.statusCode < 300) return { kind: 'delivered' };
    if (outcome.statusCode >= 300 && outcome.statusCode < 500) return { kind: 'failed' };
  }
  const delaySeconds = ladderSeconds[attempt - 1];
  return delaySeconds === undefined ? { kind: 'failed' } : { kind: 'retry', delaySeconds };
}
