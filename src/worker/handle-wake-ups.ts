import { logFault } from '../durable/log.ts';

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
