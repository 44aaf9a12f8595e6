import type { DeliveryKey } from '../db/deliveries.ts';

/** A message of a delivery queue: which row is due. All else stands in the row. */
export type DeliveryQueueMessage = DeliveryKey;

/**
 * The fast lane takes first attempts at receivers that answer; the slow lane all that may wait a moment: retries,
 * receivers that were slow just now, and whatever comes in bulk. See docs/webhook-isolation.md.
 */
export type Lane = 'fast' | 'slow';

export const fastQueue = 'webhook-deliveries';
export const slowQueue = 'webhook-deliveries-slow';

/** A queue takes 100 messages or 256 KB a call; one of these is 120 bytes. */
const messagesMax = 100;

/** Queues deliveries in this order; `delaySeconds` is at most a day. */
export async function queueDeliveries(
  env: Env,
  lane: Lane,
  deliveries: readonly DeliveryKey[],
  delaySeconds = 0,
): Promise<void> {
  const queue = lane === 'fast' ? env.WEBHOOK_DELIVERIES : env.WEBHOOK_DELIVERIES_SLOW;
  for (let start = 0; start < deliveries.length; start += messagesMax) {
    const slice = deliveries.slice(start, start + messagesMax);
    await queue.sendBatch(
      slice.map(({ webhookId, deliveryId }) => ({
        body: { webhookId, deliveryId } satisfies DeliveryQueueMessage,
      })),
      delaySeconds > 0 ? { delaySeconds } : {},
    );
  }
}

/** The lane of a first attempt. */
export const laneOf = (webhook: { slowUntil: number | null }, now: number): Lane =>
  (webhook.slowUntil ?? 0) > now ? 'slow' : 'fast';
