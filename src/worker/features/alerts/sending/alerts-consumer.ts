import type { AlertBell } from '../../../../durable/event-log/deliveries/attempts/bells.ts';
import { logFault } from '../../../../durable/log.ts';

/**
 * Consumer of the queue `alerts`: has brought what is due to its channels. The account's log decides, so a bell that rings
 * twice, or for what is over, changes nothing; and for one that is lost the log's own alarm rings. Each account has a call
 * of its own: one with many alerts, or a slow channel, holds up none of the others. What is more than one round waits for
 * another bell.
 */
export async function consumeAlerts(
  batch: MessageBatch<AlertBell>,
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
        logFault('alert.bell_not_heard', error, { accountId, bells: messages.length });
        for (const message of messages) message.retry();
      }
    }),
  );
}
