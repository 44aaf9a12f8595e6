import { WorkerEntrypoint } from 'cloudflare:workers';
import type {
  AttemptReport,
  DeliveryOrder,
} from '../../../../durable/event-log/deliveries/delivery-order.ts';
import { logFault } from '../../../../durable/log.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { makeAttempt } from './attempt.ts';
import { withinHostBound } from './host-bound.ts';

/** Makes the callbacks that an account's log orders, all attempts of an order at the same time. Keeps nothing itself. */
export class WebhookSender extends WorkerEntrypoint<Env> {
  /** Answers when the last receiver has answered, or has had its time. Null for an attempt that could not be made. */
  deliver({ accountId, webhook, attempts }: DeliveryOrder): Promise<(AttemptReport | null)[]> {
    const ladder = settingsOf(this.env).WEBHOOK_RETRY_SECONDS;
    return Promise.all(
      attempts.map(async (order) => {
        try {
          return await withinHostBound(webhook.url, () =>
            makeAttempt(this.env, ladder, accountId, webhook, order),
          );
        } catch (error) {
          const { deliveryId } = order;
          logFault('webhook.not_attempted', error, { accountId, webhookId: webhook.id, deliveryId });
          return null;
        }
      }),
    );
  }
}
