import { WorkerEntrypoint } from 'cloudflare:workers';
import { withinDeadline } from '../../../../durable/deadline.ts';
import type {
  AttemptReport,
  DeliveryOrder,
} from '../../../../durable/event-log/deliveries/delivery-order.ts';
import type { RetryWakeUp } from '../../../../durable/event-log/wake-ups.ts';
import { logFault } from '../../../../durable/log.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { handleWakeUps } from '../../../handle-wake-ups.ts';
import { askLog } from '../../../object-calls.ts';
import { makeAttempt, withinHostBound } from './attempt.ts';

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

/** One account's log that does not answer holds up the wake-ups of the others no longer than this. */
const answerMsMax = 10_000;

/** Consumer of the queue `webhook-deliveries`: tells the accounts' logs that retries are due. */
export function consumeRetryWakeUps(batch: MessageBatch<RetryWakeUp>, env: Env): Promise<void> {
  return handleWakeUps(batch, 'webhook.wake_up_not_handled', async (accountId, wakeUps) => {
    const webhookIds = [...new Set(wakeUps.map(({ webhookId }) => webhookId))];
    await withinDeadline(
      askLog(env, accountId, (log) => log.retryDue(webhookIds)),
      answerMsMax,
    );
  });
}
