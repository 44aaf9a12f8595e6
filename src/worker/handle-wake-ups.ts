import { log, logFault } from '../durable/log.ts';

interface WakeUp {
  accountId: string;
}

/**
 * Handles the wake-ups of a queue, those of each account in a call of their own: one that fails comes again, and holds up none of
 * the others. Rows decide what is due, so a wake-up that comes twice or too late changes nothing. If one is lost, the object's
 * own alarm goes off. `fault`: how a failure is called in the log.
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
 * Consumer of the dead-letter queues: says what could not be told for all its repetitions. Nothing is lost with it: the
 * queues carry wake-ups, and what they are for stands in an account's log, whose alarm finds it.
 */
export async function consumeDeadLetters(
  batch: MessageBatch<{ accountId?: string; webhookId?: string; alertId?: string }>,
): Promise<void> {
  for (const { id, attempts, body } of batch.messages) {
    const { accountId, webhookId, alertId } = body;
    log('queue.dead_letter', { queue: batch.queue, messageId: id, attempts, accountId, webhookId, alertId });
  }
}
