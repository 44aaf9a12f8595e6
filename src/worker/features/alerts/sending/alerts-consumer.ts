import type { AlertWakeUp } from '../../../../durable/event-log/deliveries/attempts/wake-ups.ts';
import { logFault } from '../../../../durable/log.ts';

/**
 * Consumer of the queue `alerts`: has brought what is due to its channels. The account's log decides, so a wake-up that comes
 * twice, or for what is over, changes nothing; and where one is lost the log's own alarm rings. Each account has a call
 * of its own: one with many alerts, or a slow channel, holds up none of the others. What is more than one round waits for
 * another wake-up.
 */
export async function consumeAlerts(
  batch: MessageBatch<AlertWakeUp>,
  env: Env,
  { exports }: ExecutionContext,
): Promise<void> {
  const accounts = Map.groupBy(batch.messages, ({ body }) => body.accountId);
  await Promise.all(
    [...accounts].map(async ([accountId, messages]) => {
      try {
        if (!(await exports.AlertSender.deliver(accountId))) await env.ALERTS.send({ accountId });
        for (const message of messages) message.ack();
      } catch (error) {
        logFault('alert.wake_up_not_handled', error, { accountId, wakeUps: messages.length });
        for (const message of messages) message.retry();
      }
    }),
  );
}
