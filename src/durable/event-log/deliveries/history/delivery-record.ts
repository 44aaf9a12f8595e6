import type { EventName } from '../../../../contract/events.ts';
import type { DeliveryRow } from '../attempts/delivery-rows.ts';
import type { EventOutcome } from '../attempts/event-outcomes.ts';
import type { DeliveryAttempt } from '../delivery-order.ts';

export type ShownStatus = 'pending' | 'held' | 'delivered' | 'failed';

/** One event on its way to one webhook, as the outside sees it. Times are milliseconds since 1970. */
export interface DeliveryRecord {
  deliveryId: string;
  eventId: string;
  event: EventName;
  status: ShownStatus;
  attempts: DeliveryAttempt[];
  nextAttemptAt: number | null;
}

/** A delivery, and the webhook that it goes to. */
export type WebhookDelivery = { webhookId: string } & DeliveryRecord;

/** What waits for a webhook that is off is held. */
export function recordOfRow(row: DeliveryRow, isOn: boolean): DeliveryRecord {
  const { deliveryId, eventId, event, attempts } = row;
  const status = row.status === 'pending' && !isOn ? 'held' : row.status;
  return {
    deliveryId,
    eventId,
    event,
    status,
    attempts,
    nextAttemptAt: status === 'pending' ? row.nextAttemptAt : null,
  };
}

/** The attempt that an event's outcome tells of. */
export const attemptOfOutcome = (outcome: EventOutcome): DeliveryAttempt => ({
  at: outcome.at,
  statusCode: outcome.statusCode,
  durationMs: outcome.durationMs,
  error: null,
  responseSnippet: outcome.responseSnippet,
});
