import type { DeliveryKey } from '../db/deliveries.ts';

/** A message of the queue `webhook-deliveries`: which row is due. All else stands in the row. */
export type DeliveryQueueMessage = DeliveryKey;

/** A queue takes 100 messages or 256 KB a call; one of these is 120 bytes. */
const messagesMax = 100;

/** Queues deliveries in this order. */
export async function queueDeliveries(env: Env, deliveries: readonly DeliveryKey[]): Promise<void> {
  for (let start = 0; start < deliveries.length; start += messagesMax) {
    const slice = deliveries.slice(start, start + messagesMax);
    await env.WEBHOOK_DELIVERIES.sendBatch(
      slice.map(({ webhookId, deliveryId }) => ({
        body: { webhookId, deliveryId } satisfies DeliveryQueueMessage,
      })),
    );
  }
}
