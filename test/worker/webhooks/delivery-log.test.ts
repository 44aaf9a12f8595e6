import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { DeliveryFilter } from '../../../src/durable/event-log/deliveries/history/delivery-list.ts';
import type { DeliveryRecord } from '../../../src/durable/event-log/deliveries/history/first-deliveries.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { failed, queued, record } from '../../durable/event-log/event-log-fixture.ts';
import { eventually } from '../front-door.ts';
import {
  deliveriesOf,
  evict,
  insertWebhook,
  manyEvents,
  setColumn,
  stopClock,
  type TestWebhook,
  tell,
} from './delivery-fixture.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://delivery-log.example.com/hook';

const filters: DeliveryFilter[] = [
  {},
  { status: 'delivered' },
  { status: 'failed' },
  { status: 'pending' },
  { status: 'held' },
  { event: 'message.failed' },
  { status: 'delivered', event: 'message.queued' },
];

const step = fc.record({
  /** Messages, each of which is queued and has failed, and time between them. */
  messages: fc.integer({ min: 1, max: 3 }),
  gapMs: fc.constantFrom(0, 0, 1, 1000),
  answer: fc.constantFrom(200, 404, 500),
  isOff: fc.boolean(),
});

/** All pages of a list, one after the other. */
async function pages({ id, accountId }: TestWebhook, filter: DeliveryFilter, limit: number) {
  const listed: DeliveryRecord[] = [];
  let count = 0;
  for (let before: string | null = null; ; count += 1) {
    const page = await logOf(env, accountId).webhookDeliveries(id, filter, limit, before);
    listed.push(...(page?.data ?? []));
    expect(page?.data.length).toBeLessThanOrEqual(limit);
    if (!page?.nextBefore) return { listed, count: count + 1 };
    before = page.nextBefore;
  }
}

test('the log lists deliveries with rows and those without as one: newest first, page by page, without a gap or a repeat, by every filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (steps, limit, isNewLife) => {
        vi.useFakeTimers({ toFake: ['Date'] });
        const webhook = await insertWebhook(url);
        const hook = receiver(url);
        const answers = new Map<string, number>();
        let told = 0;
        for (const { messages, gapMs, answer } of steps) {
          hook.answers(() => {
            answers.set(hook.callbacks.at(-1)?.headers['webhook-id'] ?? '', answer);
            return new Response(null, { status: answer });
          });
          for (let index = 0; index < messages; index += 1) {
            const message = record();
            await tell(webhook.accountId, queued(message), failed(message));
            told += 2;
          }
          await eventually(async () =>
            (await deliveriesOf(webhook)).every(({ attempts }) => attempts.length > 0),
          );
          vi.setSystemTime(Date.now() + gapMs);
        }
        const isOff = steps.at(-1)?.isOff ?? false;
        if (isOff) await setColumn(webhook, 'enabled', 0);
        if (isNewLife) await evict(webhook.accountId);
        const { data } = (await logOf(env, webhook.accountId).webhookDeliveries(
          webhook.id,
          {},
          200,
          null,
        )) ?? {
          data: [],
        };
        expect(data).toHaveLength(told);
        expect(data.map(({ deliveryId }) => deliveryId)).toEqual(
          data
            .map(({ deliveryId }) => deliveryId)
            .sort()
            .reverse(),
        );
        for (const { eventId, status } of data) {
          const waits = isOff ? 'held' : 'pending';
          const answer = answers.get(eventId);
          expect(status).toBe(answer === 200 ? 'delivered' : answer === 404 ? 'failed' : waits);
        }
        for (const filter of filters) {
          const expected = data.filter(
            ({ status, event }) =>
              (filter.status === undefined || status === filter.status) &&
              (filter.event === undefined || event === filter.event),
          );
          expect((await pages(webhook, filter, limit)).listed).toEqual(expected);
        }
      },
    ),
    { numRuns: 15 },
  );
  vi.useRealTimers();
});

test('a page reads a bounded part of the log: it may be short, and yet there is more', async () => {
  const webhook = await insertWebhook(url);
  receiver(url);
  const rare = record();
  await tell(webhook.accountId, queued(rare), failed(rare));
  for (let index = 0; index < 25; index += 1) {
    await tell(webhook.accountId, ...manyEvents(100));
    await eventually(async () => {
      const page = await logOf(env, webhook.accountId).webhookDeliveries(webhook.id, {}, 100, null);
      return page?.data.every(({ status }) => status === 'delivered');
    });
  }
  const { listed, count } = await pages(webhook, { event: 'message.failed' }, 10);
  expect(listed).toHaveLength(1);
  expect(count).toBe(2);
});

test('what waits for its first attempt stands in the list, as pending or held', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  let isOver = false;
  receiver(url, async () => {
    while (!isOver) await scheduler.wait(5);
    return new Response();
  });
  await tell(webhook.accountId, ...manyEvents(3));
  const statuses = async () => (await deliveriesOf(webhook)).map(({ status }) => status);
  expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
  await setColumn(webhook, 'enabled', 0);
  clock.pass(1);
  await tell(webhook.accountId, ...manyEvents(1));
  expect(await statuses()).toEqual(['held', 'held', 'held']);
  isOver = true;
  await eventually(async () => (await statuses()).every((status) => status === 'delivered'));
});
