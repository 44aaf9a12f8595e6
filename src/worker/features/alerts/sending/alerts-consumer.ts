import type { AlertWakeUp } from '../../../../durable/event-log/wake-ups.ts';
import { handleWakeUps } from '../../../handle-wake-ups.ts';

/**
 * Consumer of the queue `alerts`: has brought what is due to its channels. What is more than one round waits for another
 * wake-up, so that an account with many alerts, or a slow channel, holds up none of the others.
 */
export function consumeAlerts(
  batch: MessageBatch<AlertWakeUp>,
  env: Env,
  { exports }: ExecutionContext,
): Promise<void> {
  return handleWakeUps(batch, 'alert.wake_up_not_handled', async (accountId) => {
    if (!(await exports.AlertSender.deliver(accountId))) await env.ALERTS.send({ accountId });
  });
}
