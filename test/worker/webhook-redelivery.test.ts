import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/worker/db/database.ts';
import { firstDeliveryId } from '../../src/worker/db/deliveries.ts';
import { deleteOldDeliveries } from '../../src/worker/db/delivery-sweeps.ts';
import { sweep } from '../../src/worker/sweep.ts';
import {
  attempt,
  deliverBatch,
  deliveriesOf,
  insertWebhook,
  pending,
  stepOf,
  storedOf,
  webhookRow,
} from './direct-queues.ts';
import { ask, eventually, openAccount } from './front-door.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';

async function ownedWebhook(fields: { enabled?: boolean } = {}) {
  const account = await openAccount();
  const webhook = await insertWebhook(url, { accountId: account.accountId, ...fields });
  const post = (path: string, json?: unknown) =>
    ask('POST', `/v1/webhooks/${webhook.id}${path}`, { headers: account.owner, json });
  return { account, webhook, post };
}

test('a failed delivery is redelivered: the same event with the same body under a new delivery id', async () => {
  const { webhook, post } = await ownedWebhook();
  const hook = receiver(url, () => new Response('no', { status: 410 }));
  const [id = ''] = await pending(webhook, [{ data: { text: 'exact  bytes' } }]);
  await attempt(webhook, [id]);
  hook.answers(() => new Response());
  const answer = await post(`/deliveries/${id}/redeliver`);
  expect(answer).toMatchObject({
    status: 202,
    body: { event: 'message.sent', status: 'pending', attempts: [], nextAttemptAt: expect.any(String) },
  });
  await eventually(async () => (await deliveriesOf(webhook.id))[1]?.status === 'delivered');
  const [first, second] = await deliveriesOf(webhook.id);
  expect(second).toMatchObject({
    delivery_id: answer.body.deliveryId,
    event_id: first?.event_id,
    body: first?.body,
  });
  expect(answer.body.eventId).toBe(first?.event_id);
  expect(second?.delivery_id).not.toBe(first?.delivery_id);
  const [failed, redelivered] = hook.callbacks;
  expect(redelivered?.body).toBe(failed?.body);
  expect(redelivered?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
  expect(redelivered?.headers['x-service-attempt']).toBe('1');
});

test('everything that failed since a time is redelivered once, oldest event first, and a repeat finds nothing', async () => {
  const { webhook, post } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  const before = await pending(webhook, [{ name: 'before', data: {} }]);
  await attempt(webhook, before);
  const minuteAgo = firstDeliveryId(Date.now() - 60_000);
  await env.DB.prepare('update deliveries set delivery_id = ? where webhook_id = ?')
    .bind(minuteAgo, webhook.id)
    .run();
  const since = new Date(Date.now() - 30_000).toISOString();
  const failed = await pending(webhook, [
    { name: 'a', data: {} },
    { name: 'b', data: {} },
    { name: 'c', data: {} },
  ]);
  await attempt(webhook, failed);
  hook.answers(() => new Response());
  await attempt(webhook, await pending(webhook, [{ name: 'went well', data: {} }]));
  await pending(webhook, [{ name: 'on its way', data: {} }], Date.now() + 60_000);
  // One of them was mended by hand already, and one test failed.
  await post(`/deliveries/${failed[1]}/redeliver`);
  const isThere = async (name: string) =>
    (await deliveriesOf(webhook.id)).filter(
      ({ body, status }) => JSON.parse(body).name === name && status === 'delivered',
    ).length === 1;
  await eventually(() => isThere('b'));
  hook.callbacks.length = 0;

  const answer = await post('/redeliver', { since });
  expect(answer).toMatchObject({ status: 202, body: { count: 2 } });
  await eventually(async () => (await isThere('a')) && (await isThere('c')));
  expect(hook.callbacks.map(({ body }) => JSON.parse(body).name)).toEqual(['a', 'c']);
  expect((await post('/redeliver', { since })).body).toEqual({ count: 0 });
  expect((await post('/redeliver', { since, status: 'delivered' })).body).toEqual({ count: 4 });
});

test('what was delivered at once is redelivered with the same body, and another delivery stands in the log', async () => {
  const { account, webhook, post } = await ownedWebhook();
  const hook = receiver(url);
  const texts = ['exact  bytes', 'a "b" \\ é 😀 \u2028 \u0000', 'plain'];
  const since = new Date(Date.now() - 30_000).toISOString();
  for (const errorMessage of texts) {
    const { body } = stepOf(webhook.accountId);
    const envelope = body.events[0]?.envelope;
    if (envelope?.event === 'message.failed') envelope.data.errorMessage = errorMessage;
    await deliverBatch('events', [body]);
  }
  expect(await storedOf(webhook.id)).toEqual({ packs: 3, rows: 0 });
  const originals = hook.callbacks.splice(0);
  const ids = originals.map(({ headers }) => headers['x-service-delivery-id'] ?? '');

  const one = await post(`/deliveries/${ids[1]}/redeliver`);
  expect(one).toMatchObject({
    status: 202,
    body: { status: 'pending', event: 'message.failed', attempts: [] },
  });
  expect(ids).not.toContain(one.body.deliveryId);
  await eventually(() => hook.callbacks.length === 1);
  expect(hook.callbacks[0]?.body).toBe(originals[1]?.body);
  await eventually(async () =>
    (await deliveriesOf(webhook.id)).every(({ status }) => status === 'delivered'),
  );
  hook.callbacks.length = 0;

  expect((await post('/redeliver', { since })).body).toEqual({ count: 0 });
  expect((await post('/redeliver', { since, status: 'delivered' })).body).toEqual({ count: 3 });
  await eventually(() => hook.callbacks.length === 3);
  // Each event once, and those in the queue in any order.
  const bodies = (callbacks: typeof originals) => callbacks.map(({ body }) => body).sort();
  expect(bodies(hook.callbacks)).toEqual(bodies(originals));
  await eventually(async () =>
    (await deliveriesOf(webhook.id)).every(({ status }) => status === 'delivered'),
  );
  const list = await ask(
    'GET',
    `/v1/webhooks/${webhook.id}/deliveries?status=delivered&event=message.failed`,
    {
      headers: account.owner,
    },
  );
  expect(list.body.data).toHaveLength(7);
  expect(list.body.data.slice(-3).map((it: { deliveryId: string }) => it.deliveryId)).toEqual(
    ids.toReversed(),
  );
  const gone = await ask('DELETE', `/v1/webhooks/${webhook.id}`, { headers: account.owner });
  expect(gone.status).toBe(204);
  expect(await storedOf(webhook.id)).toEqual({ packs: 0, rows: 0 });
});

test('a failed test is not among what is redelivered', async () => {
  const { post } = await ownedWebhook();
  receiver(url, () => new Response(null, { status: 500 }));
  const since = new Date(Date.now() - 30_000).toISOString();
  expect((await post('/test')).body).toMatchObject({ status: 'failed' });
  expect((await post('/redeliver', { since })).body).toEqual({ count: 0 });
});

test('what is redelivered to a webhook that is off is held', async () => {
  const { account, webhook, post } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  const [id = ''] = await pending(webhook, [{ data: {} }]);
  await attempt(webhook, [id]);
  const patch = (json: unknown) =>
    ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json });
  await patch({ enabled: false });
  hook.answers(() => new Response());
  expect((await post(`/deliveries/${id}/redeliver`)).body).toMatchObject({
    status: 'held',
    nextAttemptAt: null,
  });
  await patch({ enabled: true });
  await eventually(async () => (await deliveriesOf(webhook.id))[1]?.status === 'delivered');
  expect(hook.callbacks).toHaveLength(2);
});

test('a test answers with what happened, stands in the log, and comes to a webhook that is off too', async () => {
  const { account, webhook, post } = await ownedWebhook({ enabled: false });
  const hook = receiver(url, () => new Response('welcome', { status: 201 }));
  const answer = await post('/test');
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    deliveryId: expect.any(String),
    status: 'delivered',
    statusCode: 201,
    durationMs: expect.any(Number),
    error: null,
    responseSnippet: 'welcome',
  });
  const [callback] = hook.callbacks;
  expect(callback?.headers).toMatchObject({
    'x-service-event': 'webhook.test',
    'x-service-delivery-id': answer.body.deliveryId,
    'x-service-attempt': '1',
  });
  expect(JSON.parse(callback?.body ?? '{}')).toEqual({
    id: callback?.headers['webhook-id'],
    event: 'webhook.test',
    timestamp: expect.any(String),
    data: { message: expect.any(String) },
  });
  const list = await ask('GET', `/v1/webhooks/${webhook.id}/deliveries?event=webhook.test`, {
    headers: account.owner,
  });
  expect(list.body.data).toMatchObject([
    { deliveryId: answer.body.deliveryId, status: 'delivered', attempts: [{ statusCode: 201 }] },
  ]);
  expect(await webhookRow(webhook.id)).toMatchObject({ enabled: 0 });
});

test('a test that fails is one attempt, and does not count towards the streak; one that succeeds ends it', async () => {
  const { webhook, post } = await ownedWebhook();
  const hook = receiver(url, () => Promise.reject(new Error('ECONNREFUSED')));
  expect((await post('/test')).body).toMatchObject({
    status: 'failed',
    statusCode: null,
    error: expect.stringMatching(/^The connection failed\./),
    responseSnippet: null,
  });
  hook.answers(() => new Response('maintenance', { status: 503 }));
  expect((await post('/test')).body).toMatchObject({
    status: 'failed',
    statusCode: 503,
    responseSnippet: 'maintenance',
  });
  expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 0 });
  expect((await deliveriesOf(webhook.id)).map(({ next_attempt_at }) => next_attempt_at)).toEqual([
    null,
    null,
  ]);
  await env.DB.prepare('update webhooks set failure_streak = 9 where id = ?').bind(webhook.id).run();
  hook.answers(() => new Response());
  await post('/test');
  expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 0 });
});

test('a delivery stays in the log for 30 days, and a day later the sweep forgets it, so many at a time', async () => {
  const { webhook } = await ownedWebhook();
  const day = 24 * 60 * 60 * 1000;
  const now = Date.now();
  const insert = async (at: number) => {
    const id = firstDeliveryId(at).replace('-0000-0000-', '-7000-8000-');
    await env.DB.prepare(
      `insert into deliveries values (?, ?, ?, 'evt_1', 'message.sent', '{}', 'failed', '[]', null)`,
    )
      .bind(webhook.id, id, webhook.accountId)
      .run();
    return id;
  };
  const insertPack = async (from: number, to: number) => {
    const [first, last] = [from, to].map(firstDeliveryId);
    await env.DB.prepare(`insert into delivery_packs values (?, ?, 'pack', ?, '[]', '[{}]')`)
      .bind(webhook.id, last, first)
      .run();
  };
  await insert(now - 33 * day);
  await insert(now - 32 * day);
  await insert(now - 31 * day - 1000);
  const kept = await insert(now - 31 * day + 60_000);
  expect(await deleteOldDeliveries(openDatabase(env.DB), now - 31 * day, 2)).toBe(2);
  expect(await deliveriesOf(webhook.id)).toHaveLength(2);
  await insertPack(now - 31 * day - 60_000, now - 31 * day - 1000);
  await insertPack(now - 31 * day - 1000, now - 31 * day + 60_000);
  await sweep(env, now);
  expect(await storedOf(webhook.id)).toEqual({ packs: 1, rows: 1 });
  await env.DB.prepare('delete from delivery_packs where webhook_id = ?').bind(webhook.id).run();
  expect((await deliveriesOf(webhook.id)).map(({ delivery_id }) => delivery_id)).toEqual([kept]);
});
