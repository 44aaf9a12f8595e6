import type { AlertReport } from './alert-order.ts';

/** The longest that a receiver can have us wait. */
const waitSecondsMax = 86_400;

/**
 * When a message is tried again after this attempt; null: it is over, delivered or given up.
 *
 * @param attempt 1 for the first
 * @param ladderSeconds the waits before attempts 2, 3, …
 */
export function nextAttemptAt(
  { outcome, retryAfterSeconds }: Pick<AlertReport, 'outcome' | 'retryAfterSeconds'>,
  attempt: number,
  ladderSeconds: readonly number[],
  now: number,
): number | null {
  const rung = ladderSeconds[attempt - 1];
  if (outcome !== 'retry' || rung === undefined) return null;
  const seconds = Math.min(waitSecondsMax, Math.max(rung, retryAfterSeconds ?? 0));
  return now + seconds * 1000;
}
