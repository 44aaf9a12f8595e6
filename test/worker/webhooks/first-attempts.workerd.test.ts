import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { EventRows } from '../../../src/durable/event-log/events/event-rows.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { deviceChanged, queued, receipt, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { eventually } from '../front-door.ts';
import {
  deliveriesOf,
  evict,
  insertWebhook,
  kill,
  manyEvents,
  oneEvent,
  onlyOf,
  ring,
  rowsOf,
  setColumn,
  stateOf,
  stopClock,
  type TestWebhook,
  tell,
} from './delivery-fixture.ts';
import { hangingReceiver, interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';

const allDelivered = async (webhook: TestWebhook, count: number) => {
  const deliveries = await deliveriesOf(webhook);
  return deliveries.length === count && deliveries.every(({ status }) => status === 'delivered');
};

test('an event is called back once it is in the log, whatever number of times it is told', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const fact = oneEvent();
  await tell(webhook.accountId, fact, fact);
  await eventually(() => allDelivered(webhook, 1));
  await tell(webhook.accountId, fact);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => allDelivered(webhook, 2));
  expect(callbacks).toHaveLength(2);
  const [newest] = await deliveriesOf(webhook);
  expect(callbacks[1]?.headers['x-service-delivery-id']).toBe(newest?.deliveryId);
  // What is taken at once has no row of its own.
  expect(await rowsOf(webhook)).toBe(0);
  expect(await stateOf(webhook)).toMatchObject({ lastDeliveryAt: expect.any(Number) });
});

test('when a webhook was last reached is known to a new life of the log, though it is stored once a day', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  receiver(url);
  const began = Date.now();
  await tell(webhook.accountId, oneEvent());
  await eventually(() => allDelivered(webhook, 1));
  clock.pass(3600);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => allDelivered(webhook, 2));
  await evict(webhook.accountId);
  expect(await stateOf(webhook)).toMatchObject({ lastDeliveryAt: began + 3_600_000 });
  const storedAt = await runInDurableObject(
    logOf(env, webhook.accountId),
    (_, { storage }) =>
      storage.sql.exec<{ at: number }>('SELECT last_delivery_at AS at FROM webhook_readers').one().at,
  );
  expect(storedAt).toBe(began);
});

test('a receiver that hangs does not keep the others waiting; its attempt is stored when it ends', async () => {
  const hanging = await insertWebhook(`${url}/hangs`);
  const healthy = await insertWebhook(`${url}/well`, { accountId: hanging.accountId });
  const hook = hangingReceiver(`${url}/hangs`);
  const { callbacks } = receiver(`${url}/well`);
  await tell(hanging.accountId, ...manyEvents(300));
  await eventually(() => allDelivered(healthy, 300));
  expect(callbacks).toHaveLength(300);
  // What one webhook may have under way: so many calls of the sender, of so many callbacks at most.
  const underWayMax = 24 * 6;
  expect(hook.callbacks.length).toBeGreaterThan(0);
  expect(hook.callbacks.length).toBeLessThanOrEqual(underWayMax);
  expect((await deliveriesOf(hanging)).every(({ status }) => status === 'pending')).toBe(true);
  await tell(hanging.accountId, oneEvent());
  await eventually(() => allDelivered(healthy, 301));
  expect(hook.callbacks.length).toBeLessThanOrEqual(underWayMax);
  hook.answers(() => new Response());
  hook.answerAll();
  await eventually(() => allDelivered(hanging, 301));
  expect(hook.callbacks).toHaveLength(301);
});

test('a first attempt that fails goes onto the ladder and counts towards the streak', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response('sorry', { status: 500 }));
  const before = Date.now();
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await onlyOf(webhook)).attempts.length === 1);
  const waiting = await onlyOf(webhook);
  expect(waiting).toMatchObject({ status: 'pending', attempts: [{ statusCode: 500 }] });
  expect(waiting.nextAttemptAt).toBeGreaterThanOrEqual(before + 30_000);
  expect(await stateOf(webhook)).toMatchObject({ failureStreak: 1 });
  hook.answers(() => new Response(null, { status: 410 }));
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await deliveriesOf(webhook))[0]?.attempts.length === 1);
  expect((await deliveriesOf(webhook)).map(({ status }) => status)).toEqual(['failed', 'pending']);
});

test('a receiver that fails gets fewer attempts at a time', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 500 }));
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await stateOf(webhook))?.failureStreak === 1);
  hook.callbacks.length = 0;
  let isOver = false;
  hook.answers(async () => {
    while (!isOver) await scheduler.wait(5);
    return new Response();
  });
  await tell(webhook.accountId, ...manyEvents(60));
  await eventually(() => hook.callbacks.length === 24);
  await tell(webhook.accountId, oneEvent());
  expect(hook.callbacks).toHaveLength(24);
  isOver = true;
  await eventually(() => hook.callbacks.length === 61);
});

test('a later step of a message does not overtake the one that is under way, and a failed one is not waited for', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const message = record();
  for (const fact of [
    queued(message),
    sent(message),
    receipt(message, 'delivered'),
    receipt(message, 'read'),
  ]) {
    await tell(webhook.accountId, fact);
  }
  const names = () => hook.callbacks.map(({ headers }) => headers['x-service-event']);
  const order = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];
  for (const [index, status] of [200, 500, 404, 200].entries()) {
    await eventually(() => hook.callbacks.length === index + 1);
    hook.answerAll(status);
  }
  await eventually(async () => (await deliveriesOf(webhook)).every(({ attempts }) => attempts.length === 1));
  expect(names()).toEqual(order);
});

test('what one call of the log tells of the same message goes out in order', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url);
  const message = record();
  // `sent` comes first, and is told of after `queued` all the same.
  await tell(webhook.accountId, sent(message), receipt(message, 'read'));
  await eventually(() => allDelivered(webhook, 4));
  expect(hook.callbacks.map(({ headers }) => headers['x-service-event'])).toEqual([
    'message.queued',
    'message.sent',
    'message.delivered',
    'message.read',
  ]);
});

test('events of numbers that a webhook is not assigned to are not called back, and those of the account are', async () => {
  const [own, other] = [record(), record()];
  const webhook = await insertWebhook(url, { numberIds: [own.numberId] });
  const { callbacks } = receiver(url);
  const quota: Fact = {
    kind: 'quota.exceeded',
    at: 1,
    used: 5,
    limit: 5,
    resetAt: '2026-02-01T00:00:00.000Z',
  };
  await tell(webhook.accountId, queued(other), queued(own), quota, deviceChanged());
  await eventually(() => allDelivered(webhook, 2));
  expect(callbacks.map(({ headers }) => headers['x-service-event'])).toEqual([
    'message.queued',
    'quota.exceeded',
  ]);
});

test('a webhook gets what happens from its creation on, and not what was before', async () => {
  const first = await insertWebhook(`${url}/first`);
  const [before, after] = [receiver(`${url}/first`), receiver(`${url}/second`)];
  await tell(first.accountId, oneEvent());
  const second = await insertWebhook(`${url}/second`, { accountId: first.accountId });
  await tell(first.accountId, oneEvent());
  await eventually(() => allDelivered(second, 1));
  await eventually(() => allDelivered(first, 2));
  expect([before.callbacks.length, after.callbacks.length]).toEqual([2, 1]);
});

test('a change of what a webhook wants is in force for the next event', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  await setColumn(webhook, 'events', '["message.sent"]');
  const message = record();
  await tell(webhook.accountId, queued(message), sent(message));
  await eventually(() => allDelivered(webhook, 1));
  expect(callbacks.map(({ headers }) => headers['x-service-event'])).toEqual(['message.sent']);
});

test('an attempt that was under way when the log died is made again after its lease, under the same id and number', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const message = record();
  await tell(webhook.accountId, queued(message), sent(message));
  await eventually(() => hook.callbacks.length === 1);
  await kill(webhook.accountId);
  hook.answers(() => new Response());
  // Nobody knows what became of it, so neither it nor what comes after it goes out yet.
  await ring(webhook);
  expect(hook.callbacks).toHaveLength(1);
  const other = oneEvent();
  await tell(webhook.accountId, other);
  await eventually(() => hook.callbacks.length === 2);
  clock.pass(16);
  await runDurableObjectAlarm(logOf(env, webhook.accountId));
  await eventually(() => allDelivered(webhook, 3));
  const [first, , again, ...rest] = hook.callbacks.map(({ headers, body }) => ({
    id: headers['x-service-delivery-id'],
    attempt: headers['x-service-attempt'],
    body,
  }));
  expect(again).toEqual(first);
  expect(rest).toHaveLength(1);
});

test('what a receiver took while the log died before it could store that is sent again, and stands in the list once', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => hook.callbacks.length === 1);
  await kill(webhook.accountId);
  hook.answerAll(200);
  await ring(webhook);
  expect(await onlyOf(webhook)).toMatchObject({ status: 'pending', attempts: [] });
  hook.answers(() => new Response());
  clock.pass(16);
  await runDurableObjectAlarm(logOf(env, webhook.accountId));
  await eventually(() => allDelivered(webhook, 1));
  await evict(webhook.accountId);
  const { deliveryId, attempts } = await onlyOf(webhook);
  expect(attempts).toHaveLength(1);
  const ids = hook.callbacks.map(({ headers }) => headers['x-service-delivery-id']);
  expect(ids).toEqual([deliveryId, deliveryId]);
});

test('a log that sleeps while it waits for what was under way in an earlier life goes on when that is over', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => hook.callbacks.length === 1);
  await kill(webhook.accountId);
  hook.answers(() => new Response());
  await ring(webhook);
  for (let pause = 0; pause < 3; pause += 1) {
    await evict(webhook.accountId);
    clock.pass(6);
    await runDurableObjectAlarm(logOf(env, webhook.accountId));
  }
  await eventually(() => allDelivered(webhook, 1));
  expect(hook.callbacks).toHaveLength(2);
});

test('a retry that was under way when the log died is made again after its lease, under the same id and number', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 500 }));
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await onlyOf(webhook)).attempts.length === 1);
  const hanging = hangingReceiver(url);
  clock.pass(30);
  await ring(webhook);
  await eventually(() => hanging.callbacks.length === 1);
  await kill(webhook.accountId);
  await ring(webhook);
  expect(hanging.callbacks).toHaveLength(1);
  hanging.answers(() => new Response());
  clock.pass(16 + 30);
  await runDurableObjectAlarm(logOf(env, webhook.accountId));
  await eventually(() => allDelivered(webhook, 1));
  expect((await onlyOf(webhook)).attempts.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
  const sentIds = [...hook.callbacks, ...hanging.callbacks].map(({ headers }) => [
    headers['x-service-delivery-id'],
    headers['x-service-attempt'],
  ]);
  const [id] = sentIds[0] ?? [];
  expect(sentIds).toEqual([
    [id, '1'],
    [id, '2'],
    [id, '2'],
  ]);
});

test('what was delivered before the log died is not delivered again, and what is new goes out at once', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await onlyOf(webhook)).status === 'failed');
  hook.answers(() => new Response());
  await tell(webhook.accountId, ...manyEvents(30));
  await eventually(async () =>
    (await deliveriesOf(webhook)).slice(0, 30).every((it) => it.status === 'delivered'),
  );
  await evict(webhook.accountId);
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await deliveriesOf(webhook))[0]?.status === 'delivered');
  expect(hook.callbacks).toHaveLength(32);
});

test('however much receivers answer, what was taken at once is kept, in a few rows', async () => {
  const webhook = await insertWebhook(url);
  // As it is stored each of these is six characters long.
  receiver(url, () => new Response('\u0001'.repeat(512)));
  await tell(webhook.accountId, ...manyEvents(300));
  await eventually(() => allDelivered(webhook, 300));
  expect(await rowsOf(webhook)).toBe(0);
  const deliveries = await deliveriesOf(webhook);
  expect(deliveries.every(({ attempts }) => attempts[0]?.responseSnippet?.length === 512)).toBe(true);
});

test('a webhook that is deleted while its attempt hangs leaves no delivery behind', async () => {
  const webhook = await insertWebhook(url);
  const other = await insertWebhook(`${url}/other`, { accountId: webhook.accountId });
  receiver(`${url}/other`);
  const hook = hangingReceiver(url);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => hook.callbacks.length === 1);
  await env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id).run();
  await logOf(env, webhook.accountId).refresh();
  hook.answerAll(500);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => allDelivered(other, 2));
  expect(hook.callbacks).toHaveLength(1);
  expect(await rowsOf(webhook)).toBe(0);
  expect(await stateOf(webhook)).toBeUndefined();
});

test('an account that D1 does not name changes nothing: its webhooks stay', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  await env.DB.batch([
    env.DB.prepare('delete from accounts where id = ?').bind(webhook.accountId),
    env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id),
  ]);
  await logOf(env, webhook.accountId).refresh();
  await tell(webhook.accountId, oneEvent());
  await eventually(() => callbacks.length === 1);
});

test('a long log costs the next delivery nothing: what is stored of earlier ones is not read', async () => {
  const webhook = await insertWebhook(url);
  receiver(url);
  for (let index = 0; index < 20; index += 1) await tell(webhook.accountId, ...manyEvents(20));
  await eventually(() => allDelivered(webhook, 400));
  await evict(webhook.accountId);
  const read = await runInDurableObject(logOf(env, webhook.accountId), (_, { storage }) => {
    const { position } = storage.sql.exec<{ position: number }>('SELECT position FROM webhook_reads').one();
    return new EventRows(storage.sql).read(position, 1000).length;
  });
  expect(read).toBeLessThan(32);
});
