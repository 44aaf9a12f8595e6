import type { EventEnvelope } from '../../../../contract/events.ts';
import { orderedUuid } from '../../../new-ids.ts';
import type { StoredEvent } from '../../events/event-rows.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

/** Whether a webhook gets this event: it asked for it, and it is assigned to the number that the event bears. */
export function wants(
  webhook: Pick<WebhookConfiguration, 'events' | 'numberIds'>,
  { event, data }: EventEnvelope,
): boolean {
  if (webhook.events !== null && !webhook.events.includes(event)) return false;
  return webhook.numberIds === null || !('numberId' in data) || webhook.numberIds.includes(data.numberId);
}

/** Events with the same key must not overtake one another: those of one message. Null: it waits for nobody. */
export const orderKeyOf = ({ data }: EventEnvelope): string | null =>
  'messageId' in data ? data.messageId : null;

/** The first delivery of an event to a webhook has this id, however often it is planned. Ids are in the order of events. */
export const firstDeliveryIdOf = (webhookId: string, { seq, envelope }: StoredEvent): string =>
  orderedUuid(Date.parse(envelope.timestamp), seq, envelope.id, webhookId);

/** The same for the delivery that a replay makes of it. */
export const replayDeliveryIdOf = (
  webhookId: string,
  replay: { id: string; begunAt: number },
  { seq, envelope }: StoredEvent,
): string => orderedUuid(replay.begunAt, seq, envelope.id, webhookId, replay.id);

/** Below every delivery id of this time: ids are UUIDv7, which begin with their milliseconds. */
export function deliveryIdsFrom(at: number): string {
  const hex = Math.max(0, at).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When a delivery with this id was planned; milliseconds since 1970. */
export const timeOfDeliveryId = (deliveryId: string): number =>
  Number.parseInt(deliveryId.slice(0, 8) + deliveryId.slice(9, 13), 16);
