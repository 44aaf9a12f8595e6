import { log, logFault } from '../durable/log.ts';

interface WakeUp {
  accountId: string;
}

/**
 * Handles the wake-ups of a queue, those of each account in a separate call. So a failed call is repeated and delays no other
 * account. Rows decide what is due, so a wake-up that comes twice or too late changes nothing. If one is lost, the object's
 * own alarm does the work. `fault`: the name of a failure in the log.
 */
export async function handleWakeUps<Body extends WakeUp>(
  { messages }: MessageBatch<Body>,
  fault: string,
  handle: (accountId: string, wakeUps: Body[]) => Promise<void>,
): Promise<void> {
  const accounts = Map.groupBy(messages, ({ body }) => body.accountId);
  await Promise.all(
    [...accounts].map(async ([accountId, ofAccount]) => {
      try {
        await handle(
          accountId,
          ofAccount.map(({ body }) => body),
        );
        for (const message of ofAccount) message.ack();
      } catch (error) {
        logFault(fault, error, { accountId, wakeUps: ofAccount.length });
        for (const message of ofAccount) message.retry();
      }
    }),
  );
}

/**
 * Consumer of the dead-letter queues: logs the wake-ups whose retries all failed. Nothing is lost: the work is stored in an
 * account's log, whose alarm finds it.
 */
export async function consumeDeadLetters(
  batch: MessageBatch<{ accountId?: string; webhookId?: string; alertId?: string }>,
): Promise<void> {
  for (const { id, attempts, body } of batch.messages) {
    const { accountId, webhookId, alertId } = body;
    log('queue.dead_letter', { queue: batch.queue, messageId: id, attempts, accountId, webhookId, alertId });
  }
}
