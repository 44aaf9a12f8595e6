import { withinDeadline } from '../../../../durable/deadline.ts';
import type { RetryWakeUp } from '../../../../durable/event-log/deliveries/attempts/wake-ups.ts';
import { logFault } from '../../../../durable/log.ts';
import { askLog } from '../../../object-calls.ts';

/** One account's log that does not answer holds up the wake-ups of the others no longer than this. */
const answerMsMax = 10_000;

/**
 * Consumer of the queue `webhook-deliveries`: tells the accounts' logs that retries are due. The logs' rows decide, so a
 * wake-up that comes twice, or for what is over, changes nothing; and where one is lost the log's own alarm rings.
 */
export async function consumeRetryWakeUps(batch: MessageBatch<RetryWakeUp>, env: Env): Promise<void> {
  const accounts = Map.groupBy(batch.messages, ({ body }) => body.accountId);
  await Promise.all(
    [...accounts].map(async ([accountId, messages]) => {
      const webhookIds = [...new Set(messages.map(({ body }) => body.webhookId))];
      try {
        const asked = askLog(env, accountId, (log) => log.retryDue(webhookIds));
        await withinDeadline(asked, answerMsMax);
        for (const message of messages) message.ack();
      } catch (error) {
        logFault('webhook.wake_up_not_handled', error, { accountId, wakeUps: messages.length });
        for (const message of messages) message.retry();
      }
    }),
  );
}
