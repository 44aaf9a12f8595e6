import { withinDeadline } from '../../../../durable/deadline.ts';
import type { RetryWakeUp } from '../../../../durable/event-log/wake-ups.ts';
import { handleWakeUps } from '../../../handle-wake-ups.ts';
import { askLog } from '../../../object-calls.ts';

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
