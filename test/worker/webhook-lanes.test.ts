import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../src/durable/new-ids.ts';
import { InFlight } from '../../src/worker/delivery/in-flight.ts';
import worker from '../../src/worker/index.ts';
import { requeueOverdueDeliveries } from '../../src/worker/sweep.ts';
import {
  attempt,
  deliverBatch,
  deliveriesOf,
  handBatch,
  insertWebhook,
  makeDue,
  pending,
  stepOf,
  webhookRow,
} from './direct-queues.ts';
import { eventually } from './front-door.ts';
import { hangingReceiver, interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';
const slowLane = 'webhook-deliveries-slow';
const bodies = (count: number) => Array.from({ length: count }, () => ({ data: {} }));

/** One batch, and the moment when its handler hands it back: its attempts may go on behind it. */
const handedBack = (queue: string, items: { webhook: { id: string }; ids: readonly string[] }[]) =>
  handBatch(
    queue,
    items.flatMap(({ webhook, ids }) => ids.map((deliveryId) => ({ webhookId: webhook.id, deliveryId }))),
  );

test('a batch is handed back while a receiver hangs, the others are delivered, and the attempt is stored when it ends', async () => {
  const [hanging, healthy] = [await insertWebhook(`${url}/hangs`), await insertWebhook(`${url}/well`)];
  const hook = hangingReceiver(`${url}/hangs`);
  const { callbacks } = receiver(`${url}/well`);
  const { finished } = await handedBack('webhook-deliveries', [
    { webhook: hanging, ids: await pending(hanging, bodies(1)) },
    { webhook: healthy, ids: await pending(healthy, bodies(5)) },
  ]);
  await eventually(() => callbacks.length === 5);
  expect((await deliveriesOf(hanging.id))[0]).toMatchObject({ status: 'pending', attempts: '[]' });
  hook.answerAll();
  await finished();
  expect((await deliveriesOf(hanging.id))[0]).toMatchObject({ status: 'delivered' });
  expect(hook.callbacks).toHaveLength(1);
});

test('a repeated queue message makes no second POST while the first is under way, nor after it', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const ids = await pending(webhook, bodies(1));
  const { finished } = await handedBack('webhook-deliveries', [{ webhook, ids }]);
  await attempt(webhook, ids);
  await attempt(webhook, ids, slowLane);
  hook.answerAll();
  await finished();
  await attempt(webhook, ids);
  await attempt(webhook, ids, slowLane);
  expect(hook.callbacks).toHaveLength(1);
  expect((await deliveriesOf(webhook.id))[0]).toMatchObject({ status: 'delivered' });
});

test('of two slow-lane messages about one delivery, in two isolates, one makes the attempt', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url);
  const [id = ''] = await pending(webhook, bodies(1));
  // Another isolate has taken it a moment ago.
  await env.DB.prepare('update deliveries set next_attempt_at = ? where delivery_id = ?')
    .bind(Date.now() + 20_000, id)
    .run();
  await attempt(webhook, [id], slowLane);
  expect(hook.callbacks).toEqual([]);
  await makeDue(webhook.id);
  await attempt(webhook, [id, id], slowLane);
  expect(hook.callbacks).toHaveLength(1);
});

test('a receiver that has not answered for a second is slow: its next deliveries take the slow lane', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const [first = '', second = ''] = await pending(webhook, bodies(2), Date.now() - 3_600_000);
  const { finished } = await handedBack('webhook-deliveries', [{ webhook, ids: [first] }]);
  await eventually(async () => Number((await webhookRow(webhook.id))?.slow_until ?? 0) > Date.now());
  // The sweep does not take the attempt that is under way for lost.
  expect((await deliveriesOf(webhook.id))[0]?.next_attempt_at).toBeGreaterThan(Date.now());
  hook.answers(() => new Response());
  await attempt(webhook, [second]);
  // It goes on to the slow lane, whose consumer attempts it.
  await eventually(() => hook.callbacks.length === 2);
  hook.answerAll();
  await finished();
  await eventually(async () =>
    (await deliveriesOf(webhook.id)).every(({ status }) => status === 'delivered'),
  );
  expect(hook.callbacks).toHaveLength(2);
});

test('an event for a webhook that was slow a moment ago does not touch the fast lane', async () => {
  const webhook = await insertWebhook(url);
  receiver(url);
  await env.DB.prepare('update webhooks set slow_until = ? where id = ?')
    .bind(Date.now() + 60_000, webhook.id)
    .run();
  const sent: string[] = [];
  const queue = (lane: string) => ({
    sendBatch: async () => void sent.push(lane),
    send: async () => void sent.push(lane),
  });
  const watched = { ...env, WEBHOOK_DELIVERIES: queue('fast'), WEBHOOK_DELIVERIES_SLOW: queue('slow') };
  const batch = createMessageBatch('events', [
    { id: '0', timestamp: new Date(), attempts: 1, body: stepOf(webhook.accountId).body },
  ]);
  await worker.queue(batch, watched as unknown as Env, createExecutionContext());
  expect(sent).toEqual(['slow']);
});

test('a slow webhook has ten attempts under way at most, and the others come back later', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  await env.DB.prepare('update webhooks set slow_until = ? where id = ?')
    .bind(Date.now() + 60_000, webhook.id)
    .run();
  const ids = await pending(webhook, bodies(12));
  const before = Date.now();
  const batches = [ids.slice(0, 6), ids.slice(6)].map((slice) =>
    handedBack(slowLane, [{ webhook, ids: slice }]),
  );
  const handed = await Promise.all(batches);
  await eventually(() => hook.callbacks.length === 10);
  const later = (await deliveriesOf(webhook.id)).filter(
    ({ next_attempt_at: at }) => at !== null && at >= before + 5000 && at < before + 11_000,
  );
  expect(later).toHaveLength(2);
  expect(hook.callbacks).toHaveLength(10);
  hook.answerAll();
  await Promise.all(handed.map(({ finished }) => finished()));
});

test('the steps of a message wait behind an earlier one that is under way in another batch, and go in order', async () => {
  const webhook = await insertWebhook(url);
  const order: string[] = [];
  let answerFirst: (response: Response) => void = () => undefined;
  const hook = receiver(url, () => {
    const { step } = JSON.parse(hook.callbacks.at(-1)?.body ?? '{}');
    order.push(step);
    return step === 'a1' ? new Promise((resolve) => (answerFirst = resolve)) : new Response();
  });
  const [a1 = '', a2 = '', a3 = '', a4 = '', b1 = ''] = await pending(webhook, [
    { step: 'a1', data: { messageId: 'a' } },
    { step: 'a2', data: { messageId: 'a' } },
    { step: 'a3', data: { messageId: 'a' } },
    { step: 'a4', data: { messageId: 'a' } },
    { step: 'b1', data: { messageId: 'b' } },
  ]);
  const first = await handedBack('webhook-deliveries', [{ webhook, ids: [a1] }]);
  const later = [];
  for (const ids of [[a4], [a2, b1], [a3]])
    later.push(await handedBack('webhook-deliveries', [{ webhook, ids }]));
  await eventually(() => order.length === 2);
  expect(order).toEqual(['a1', 'b1']);
  answerFirst(new Response());
  await first.finished();
  await Promise.all(later.map(({ finished }) => finished()));
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});

test('what a runtime takes with it when it dies, the sweep queues again', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 500 }));
  const ids = await pending(webhook, bodies(1));
  const lost = {
    ...env,
    WEBHOOK_DELIVERIES_SLOW: { sendBatch: () => Promise.reject(new Error('the queue is gone')) },
  };
  const messages = ids.map((deliveryId) => ({
    id: newUuid(),
    timestamp: new Date(),
    attempts: 1,
    body: { webhookId: webhook.id, deliveryId },
  }));
  for (let rung = 1; rung <= 4; rung += 1) {
    const context = createExecutionContext();
    if (rung === 1)
      await worker.queue(createMessageBatch('webhook-deliveries', messages), lost as unknown as Env, context);
    await waitOnExecutionContext(context);
    await eventually(() => hook.callbacks.length === rung);
    await eventually(
      async () => JSON.parse((await deliveriesOf(webhook.id))[0]?.attempts ?? '[]').length === rung,
    );
    if (rung === 4) hook.answers(() => new Response());
    // Its time has come, and no queue knows of it.
    await makeDue(webhook.id);
    await requeueOverdueDeliveries(env, Date.now());
  }
  await eventually(async () => (await deliveriesOf(webhook.id))[0]?.status === 'delivered');
  expect(hook.callbacks.map(({ headers }) => headers['x-service-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
  ]);
  expect(new Set(hook.callbacks.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(1);
});

test('the brake lets go of what has left', () => {
  const inFlight = new InFlight();
  const places = Array.from({ length: 10 }, (_, index) => inFlight.enter('webhook', `${index}`, true));
  expect(places.every((leave) => leave !== null)).toBe(true);
  expect(inFlight.enter('webhook', '10', true)).toBeNull();
  expect(inFlight.enter('webhook', '10', false)).not.toBeNull();
  expect(inFlight.enter('another', '11', true)).not.toBeNull();
  expect(inFlight.enter('another', '0', true)).toBeNull();
  for (const leave of places) leave?.();
  expect(inFlight.has('0')).toBe(false);
  expect(inFlight.enter('webhook', '0', true)).not.toBeNull();
  const [third, first, second] = ['3', '1', '2'].map((id) => inFlight.lineUp('a', id));
  expect([third?.begin(), first?.begin(), second?.begin()]).toEqual([false, true, false]);
  first?.leave();
  expect([third?.begin(), second?.begin()]).toEqual([false, true]);
  expect(inFlight.lineUp('b', '0').begin()).toBe(true);
  second?.leave();
  expect(third?.begin()).toBe(true);
  inFlight.markSlow('webhook', 100);
  expect([
    inFlight.isSlow('webhook', 99),
    inFlight.isSlow('webhook', 100),
    inFlight.isSlow('webhook', 99),
  ]).toEqual([true, false, false]);
});

test('a deleted webhook and its deliveries leave nothing in either lane', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const ids = await pending(webhook, bodies(2));
  await env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id).run();
  await deliverBatch(
    slowLane,
    ids.map((deliveryId) => ({ webhookId: webhook.id, deliveryId })),
  );
  expect(callbacks).toEqual([]);
  expect(await deliveriesOf(webhook.id)).toEqual([]);
});
