import { logFault } from '../log.ts';

/** A queue takes so many messages a call. */
const messagesMax = 100;
/** The longest that a queue can keep a message. */
const delaySecondsMax = 86_400;

/**
 * Sends a wake-up through a queue after a delay. If the queue loses it or cannot take it, the object's alarm does the work.
 */
export async function sendWakeUps<Body>(queue: Queue, bodies: readonly Body[], waitMs = 0): Promise<void> {
  const delaySeconds = Math.min(delaySecondsMax, Math.max(0, Math.ceil(waitMs / 1000)));
  for (let start = 0; start < bodies.length; start += messagesMax) {
    const messages = bodies.slice(start, start + messagesMax).map((body) => ({ body }));
    try {
      await queue.sendBatch(messages, { delaySeconds });
    } catch (error) {
      logFault('wake_up.not_sent', error, { wakeUps: messages.length });
    }
  }
}
