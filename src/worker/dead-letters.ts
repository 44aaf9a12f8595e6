import { log } from '../durable/log.ts';

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
