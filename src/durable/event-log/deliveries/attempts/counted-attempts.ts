import type { Counting } from '../../../counts/gathered-counts.ts';
import type { MadeAttempt } from './planned-attempt.ts';

/** Counts attempts that are recorded; how long an event has waited, where the first attempt at its first delivery succeeds. */
export function countAttempts(counting: Counting, made: readonly MadeAttempt[]): void {
  for (const { planned, report } of made) {
    const { order, event, range } = planned;
    // Somebody has asked for it: it says nothing about the traffic.
    if (order.event === 'webhook.test') continue;
    const { attempt, verdict } = report;
    counting.count('webhookAttempts', verdict.kind);
    if (order.attempt > 1) counting.count('webhookRetries');
    if (verdict.kind !== 'delivered' || range?.kind !== 'first' || event === null) continue;
    counting.observe(
      'webhookSeconds',
      attempt.at + attempt.durationMs - Date.parse(event.envelope.timestamp),
    );
  }
}
