import { expect, test } from 'vitest';
import { WakeUps } from '../../../../src/durable/event-log/wake-ups.ts';

interface Rung {
  webhookIds: string[];
  delaySeconds: number | undefined;
}

/** Wake-ups of an account, and what its queue of retries is sent. */
function wakeUps() {
  const rung: Rung[] = [];
  const sendBatch = async (
    messages: readonly { body: { webhookId: string } }[],
    options?: { delaySeconds?: number },
  ) => {
    const webhookIds = messages.map(({ body }) => body.webhookId);
    rung.push({ webhookIds, delaySeconds: options?.delaySeconds });
  };
  const queue = { sendBatch } as unknown as Queue;
  const queues = { WEBHOOK_DELIVERIES: queue, ALERTS: queue, AUTOMATIONS: queue };
  return { rung, wakeUps: new WakeUps('account', queues) };
}

const now = 1_000_000_000_000;

test('a webhook is rung for once for all that is due in a second, and each webhook by itself', async () => {
  const { rung, wakeUps: wakes } = wakeUps();
  const due = (webhookId: string, ms: number) => ({ webhookId, at: now + ms });
  await wakes.retries([due('one', 4_100), due('one', 4_900), due('other', 4_500), due('one', 5_500)], now);
  await wakes.retries([due('one', 4_300), due('other', 5_100)], now + 1_000);
  expect(rung).toEqual([
    { webhookIds: ['one', 'other'], delaySeconds: 5 },
    { webhookIds: ['one'], delaySeconds: 6 },
    { webhookIds: ['other'], delaySeconds: 5 },
  ]);
});

test('what is due already is rung for at once, and what is due in a second that is over is rung for anew', async () => {
  const { rung, wakeUps: wakes } = wakeUps();
  await wakes.retries([{ webhookId: 'one', at: now - 5_000 }], now);
  await wakes.retries([{ webhookId: 'one', at: now - 5_000 }], now + 60_000);
  expect(rung).toEqual([
    { webhookIds: ['one'], delaySeconds: 0 },
    { webhookIds: ['one'], delaySeconds: 0 },
  ]);
});
