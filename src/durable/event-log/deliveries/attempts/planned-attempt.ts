import type { Counting } from '../../../counts/gathered-counts.ts';
import type { AttemptOrder, AttemptReport } from '../delivery-order.ts';
import type { OpenEvent, ReadRange } from '../read-range.ts';
import type { WebhookReader } from '../webhooks/webhook-reader.ts';
import type { DeliveryRow } from './delivery-rows.ts';

/** An attempt that is to be made, or is under way, and what its outcome belongs to. */
export type PlannedAttempt = {
  order: AttemptOrder;
  /** Of its message; null: it is about none. */
  orderKey: string | null;
} & ({ event: OpenEvent; range: ReadRange; row: null } | { event: null; range: null; row: DeliveryRow });

/** What came of a planned attempt. */
export interface MadeAttempt {
  reader: WebhookReader;
  planned: PlannedAttempt;
  report: AttemptReport;
}

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
