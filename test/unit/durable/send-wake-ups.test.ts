import { expect, test } from 'vitest';
import { sendWakeUps } from '../../../src/durable/hand-over/send-wake-ups.ts';

/** A queue that notes what it is sent, and takes none of the first so many batches. */
function queueThatRefuses(refused: number) {
  const sent: { count: number; delaySeconds: number | undefined }[] = [];
  const sendBatch = async (messages: readonly object[], options?: { delaySeconds?: number }) => {
    sent.push({ count: messages.length, delaySeconds: options?.delaySeconds });
    if (sent.length <= refused) throw new Error('the queue takes nothing');
  };
  return { sent, queue: { sendBatch } as unknown as Queue };
}

test('wake-ups come to the second, at once or within a day, a hundred to a call', async () => {
  const { sent, queue } = queueThatRefuses(0);
  await sendWakeUps(queue, Array(150).fill('account'), 1_001);
  for (const waitMs of [-5_000, 30 * 86_400_000]) await sendWakeUps(queue, ['account'], waitMs);
  expect(sent).toEqual([
    { count: 100, delaySeconds: 2 },
    { count: 50, delaySeconds: 2 },
    { count: 1, delaySeconds: 0 },
    { count: 1, delaySeconds: 86_400 },
  ]);
});

test('a queue that takes nothing stops neither what asked for the wake-ups nor the others of them', async () => {
  const { sent, queue } = queueThatRefuses(1);
  await sendWakeUps(queue, Array(150).fill('account'));
  expect(sent.map(({ count }) => count)).toEqual([100, 50]);
});
