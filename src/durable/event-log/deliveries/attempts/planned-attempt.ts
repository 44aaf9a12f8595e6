import type { AttemptOrder, AttemptReport } from '../delivery-order.ts';
import type { OpenEvent, ReadRange } from '../reading/read-range.ts';
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
