import type { EventEnvelope } from '../../contract/events.ts';
import { derivedUuid } from '../../durable/new-ids.ts';
import type { EventsQueueMessage } from '../../durable/relayed-events.ts';
import type { DeliveryRow } from '../db/deliveries.ts';
import { beginning } from '../db/redeliveries.ts';
import type { WebhookRow } from '../db/webhooks.ts';

/**
 * Whether a webhook gets this event: it asked for it, and it is assigned to the number that the event bears. One that a
 * person has switched off gets nothing; one that the circuit breaker has switched off gets it when it is on again.
 */
export function wants(
  webhook: Pick<WebhookRow, 'events' | 'numberIds' | 'enabled' | 'disabledReason'>,
  event: EventEnvelope,
): boolean {
  if (!webhook.enabled && webhook.disabledReason !== 'circuit_open') return false;
  if (webhook.events !== null && !webhook.events.includes(event.event)) return false;
  return (
    webhook.numberIds === null ||
    !('numberId' in event.data) ||
    webhook.numberIds.includes(event.data.numberId)
  );
}

/**
 * The deliveries that a queue batch asks for, in the order of the events. An event and a webhook always give the same
 * delivery id, so a repeated queue message asks for nothing new.
 */
export function fanOut(
  batch: readonly EventsQueueMessage[],
  webhooks: readonly WebhookRow[],
  now: number,
): DeliveryRow[] {
  const rows = new Map<string, DeliveryRow>();
  for (const { accountId, events } of batch) {
    const own = webhooks.filter((webhook) => webhook.accountId === accountId);
    for (const { envelope } of events) {
      if (envelope === null) continue;
      for (const webhook of own) {
        if (!wants(webhook, envelope)) continue;
        const deliveryId = derivedUuid(Date.parse(envelope.timestamp), envelope.id, webhook.id);
        rows.set(deliveryId, {
          webhookId: webhook.id,
          deliveryId,
          accountId,
          eventId: envelope.id,
          event: envelope.event,
          body: JSON.stringify(envelope),
          attempts: [],
          ...beginning(webhook, now),
        });
      }
    }
  }
  return [...rows.values()];
}
