import type { DeliveryRow } from '../db/deliveries.ts';
import type { WebhookRow } from '../db/webhooks.ts';

/** A delivery to be attempted here and now, and its place among the attempts under way. */
export interface DueDelivery {
  delivery: DeliveryRow;
  webhook: WebhookRow;
  leave(): void;
}

/** What deliveries share that must not overtake one another: the message and the webhook. */
export function sequenceKey(delivery: DeliveryRow): string {
  const { data }: { data: { messageId?: string } } = JSON.parse(delivery.body);
  return `${delivery.webhookId} ${data.messageId ?? delivery.deliveryId}`;
}

/** The deliveries by sequence, oldest event first; the sequence with the oldest event comes first too. */
export function sequences<Due extends { delivery: DeliveryRow }>(due: readonly Due[]): Due[][] {
  // Events of one moment have delivery ids in any order; their own ids are in theirs.
  const byAge = [...due].sort((a, b) => (a.delivery.eventId < b.delivery.eventId ? -1 : 1));
  const found = new Map<string, Due[]>();
  for (const item of byAge) {
    const key = sequenceKey(item.delivery);
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return [...found.values()];
}
