import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test } from 'vitest';
import { DeliveryRows } from '../../../src/durable/event-log/deliveries/attempts/delivery-rows.ts';
import { repetitionLimits } from '../../../src/durable/event-log/deliveries/history/repetitions.ts';
import { deliveryIdsFrom } from '../../../src/durable/event-log/deliveries/webhooks/webhook-configuration.ts';
import { EventRows } from '../../../src/durable/event-log/events/event-rows.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { failed, queued, record } from '../../durable/event-log/event-log-fixture.ts';
import { doorWith } from '../configured-door.ts';
import { ask, eventually, openAccount } from '../front-door.ts';
import {
  deliveriesOf,
  evict,
  insertWebhook,
  manyEvents,
  oneEvent,
  ring,
  rowsOf,
  stateOf,
  stopClock,
  type TestWebhook,
  tell,
} from './delivery-fixture.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://redelivery.example.com/hook';

async function ownedWebhook(fields: { enabled?: boolean; events?: string[]; numberIds?: string[] } = {}) {
  const account = await openAccount();
  const webhook = await insertWebhook(url, { accountId: account.accountId, ...fields });
  const post = (path: string, json?: unknown) =>
    ask('POST', `/v1/webhooks/${webhook.id}${path}`, { headers: account.owner, json });
  return { account, webhook, post };
}

/** Tells of one event, and waits until its first attempt is over. */
async function attempted(webhook: TestWebhook, fact: Fact = oneEvent()): Promise<string> {
  const before = (await deliveriesOf(webhook)).length;
  await tell(webhook.accountId, fact);
  await eventually(async () => {
    const list = await deliveriesOf(webhook);
    return list.length > before && list.every(({ attempts }) => attempts.length > 0);
  });
  return (await deliveriesOf(webhook))[0]?.deliveryId ?? '';
}

const allDelivered = async (webhook: TestWebhook, count: number) => {
  const deliveries = await deliveriesOf(webhook);
  return deliveries.filter(({ status }) => status === 'delivered').length === count;
};

/** Replays that are not over. */
const replaysOf = ({ accountId }: TestWebhook) =>
  runInDurableObject(
    logOf(env, accountId),
    (_, { storage }) =>
      storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhook_reads WHERE kind = 'replay'").one()
        .n,
  );

test('a failed delivery is redelivered: the same event with the same body under a new delivery id', async () => {
  const { webhook, post } = await ownedWebhook();
  const hook = receiver(url, () => new Response('no', { status: 410 }));
  const id = await attempted(webhook);
  hook.answers(() => new Response());
  const answer = await post(`/deliveries/${id}/redeliver`);
  expect(answer).toMatchObject({
    status: 202,
    body: { event: 'message.queued', status: 'pending', attempts: [], nextAttemptAt: expect.any(String) },
  });
  await eventually(async () => (await deliveriesOf(webhook))[0]?.status === 'delivered');
  const [second, first] = await deliveriesOf(webhook);
  expect(second).toMatchObject({ deliveryId: answer.body.deliveryId, eventId: first?.eventId });
  expect(answer.body.eventId).toBe(first?.eventId);
  expect(second?.deliveryId).not.toBe(first?.deliveryId);
  const [failing, redelivered] = hook.callbacks;
  expect(redelivered?.body).toBe(failing?.body);
  expect(redelivered?.headers['webhook-id']).toBe(failing?.headers['webhook-id']);
  expect(redelivered?.headers['x-service-attempt']).toBe('1');
});

test('everything that failed since a time is redelivered once, oldest event first, and a repeat finds nothing', async () => {
  const clock = stopClock();
  const { webhook, post } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await attempted(webhook);
  clock.pass(60);
  const since = new Date().toISOString();
  const ids = [];
  for (let index = 0; index < 3; index += 1) {
    ids.push(await attempted(webhook));
    clock.pass(1);
  }
  hook.answers(() => new Response());
  await attempted(webhook);
  hook.answers(() => new Response(null, { status: 500 }));
  await attempted(webhook);
  hook.answers(() => new Response());
  // One of them was mended by hand already, and one test failed.
  await post(`/deliveries/${ids[1]}/redeliver`);
  await eventually(() => allDelivered(webhook, 2));
  const eventsOf = (list: typeof hook.callbacks) => list.map(({ headers }) => headers['webhook-id']);
  const [, a, , c] = eventsOf(hook.callbacks);
  hook.callbacks.length = 0;

  expect(await post('/redeliver', { since })).toMatchObject({ status: 202, body: { count: 2 } });
  await eventually(() => allDelivered(webhook, 4));
  expect(eventsOf(hook.callbacks)).toEqual([a, c]);
  expect((await post('/redeliver', { since })).body).toEqual({ count: 0 });
  // What was sent again today and has arrived is left alone.
  expect((await post('/redeliver', { since, status: 'delivered' })).body).toEqual({ count: 1 });
});

test('what was delivered at once is redelivered with the same body, and another delivery stands in the log', async () => {
  const { account, webhook, post } = await ownedWebhook({ events: ['message.failed'] });
  const hook = receiver(url);
  const texts = ['exact  bytes', 'a "b" \\ é 😀 \u2028 \u0000', 'plain'];
  const since = new Date(Date.now() - 30_000).toISOString();
  for (const errorMessage of texts) {
    await attempted(webhook, { ...failed(record()), errorMessage } as Fact);
  }
  expect(await rowsOf(webhook)).toBe(0);
  const originals = hook.callbacks.splice(0);
  const ids = originals.map(({ headers }) => headers['x-service-delivery-id'] ?? '');

  const one = await post(`/deliveries/${ids[1]}/redeliver`);
  expect(one).toMatchObject({
    status: 202,
    body: { status: 'pending', event: 'message.failed', attempts: [] },
  });
  expect(ids).not.toContain(one.body.deliveryId);
  await eventually(() => allDelivered(webhook, 4));
  expect(hook.callbacks[0]?.body).toBe(originals[1]?.body);
  hook.callbacks.length = 0;

  expect((await post('/redeliver', { since })).body).toEqual({ count: 0 });
  // The one that was sent again today, and has arrived, is left alone.
  expect((await post('/redeliver', { since, status: 'delivered' })).body).toEqual({ count: 2 });
  await eventually(() => allDelivered(webhook, 6));
  const bodies = (callbacks: typeof originals) => callbacks.map(({ body }) => body);
  expect(bodies(hook.callbacks)).toEqual(bodies(originals.filter((_, index) => index !== 1)));
  const list = await ask(
    'GET',
    `/v1/webhooks/${webhook.id}/deliveries?status=delivered&event=message.failed`,
    { headers: account.owner },
  );
  expect(list.body.data).toHaveLength(6);
  expect(list.body.data.slice(-3).map((it: { deliveryId: string }) => it.deliveryId)).toEqual(
    ids.toReversed(),
  );
  const gone = await ask('DELETE', `/v1/webhooks/${webhook.id}`, { headers: account.owner });
  expect(gone.status).toBe(204);
  expect(await rowsOf(webhook)).toBe(0);
});

test('a failed test is not among what is redelivered', async () => {
  const { post } = await ownedWebhook();
  receiver(url, () => new Response(null, { status: 500 }));
  const since = new Date(Date.now() - 30_000).toISOString();
  expect((await post('/test')).body).toMatchObject({ status: 'failed' });
  expect((await post('/redeliver', { since })).body).toEqual({ count: 0 });
});

test('what is sent again goes slice by slice, until the log says that there is no more', async () => {
  const { account, webhook } = await ownedWebhook();
  for (const [what, json] of [
    ['redeliver', { since: '2026-01-31T09:30:00.000Z' }],
    ['replay', { since: '2026-01-31T09:30:00.000Z' }],
  ] as const) {
    const asked: unknown[] = [];
    const slice = async (from: unknown) => {
      asked.push(from);
      const next = asked.length < 3 ? { place: asked.length } : null;
      return { ok: true, count: 1_000 * asked.length, next };
    };
    const log = {
      redeliverSince: (_: string, __: number, ___: string, from: unknown) => slice(from),
      replay: (_: string, __: object, from: unknown) => slice(from),
    };
    const door = doorWith({ EVENT_LOG: { getByName: () => log } });
    const answer = await door('POST', `/v1/webhooks/${webhook.id}/${what}`, { headers: account.owner, json });
    expect([answer.status, answer.body], what).toEqual([202, { count: 3_000 }]);
    expect(asked).toEqual([null, { place: 1 }, { place: 2 }]);
  }
});

test('what is redelivered to a webhook that is off is held', async () => {
  const { account, webhook, post } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  const id = await attempted(webhook);
  const patch = (json: unknown) =>
    ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json });
  await patch({ enabled: false });
  hook.answers(() => new Response());
  expect((await post(`/deliveries/${id}/redeliver`)).body).toMatchObject({
    status: 'held',
    nextAttemptAt: null,
  });
  await patch({ enabled: true });
  await eventually(() => allDelivered(webhook, 1));
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
  const shown = await ask('GET', `/v1/webhooks/${webhook.id}`, { headers: account.owner });
  expect(shown.body).toMatchObject({ enabled: false, lastDeliveryAt: expect.any(String) });
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
  expect(await stateOf(webhook)).toMatchObject({ failureStreak: 0 });
  expect((await deliveriesOf(webhook)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await stateOf(webhook))?.failureStreak === 1);
  hook.answers(() => new Response());
  await post('/test');
  expect(await stateOf(webhook)).toMatchObject({ failureStreak: 0 });
});

test('deliveries are listed page by page, the newest first and each once', async () => {
  const { account, webhook, post } = await ownedWebhook();
  receiver(url);
  const ids: string[] = [];
  for (let made = 0; made < 3; made += 1) ids.unshift((await post('/test')).body.deliveryId);
  const list = (more = '') =>
    ask('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=2${more}`, { headers: account.owner });
  const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.data.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  const first = await list();
  const second = await list(`&cursor=${first.body.nextCursor}`);
  expect([idsOf(first), idsOf(second)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
  expect(second.body.nextCursor).toBeNull();
});

test('deliveries of events that are no longer kept are forgotten, a slice at a time', async () => {
  const { webhook } = await ownedWebhook();
  const other = await insertWebhook(`${url}/other`, { accountId: webhook.accountId });
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  receiver(`${url}/other`);
  await tell(webhook.accountId, ...manyEvents(60));
  await eventually(async () => (await rowsOf(webhook)) === 60);
  const log = logOf(env, webhook.accountId);
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await rowsOf(webhook)) === 61);
  await eventually(() => allDelivered(other, 61));
  // As the archive leaves it.
  await runInDurableObject(log, (_, { storage }) => {
    storage.transactionSync(() => new EventRows(storage.sql).deleteUpTo(60));
    // Tests are no events: they are kept for a month.
    for (const days of [31, 29]) {
      const deliveryId = deliveryIdsFrom(Date.now() - days * 24 * 3600 * 1000);
      const test = {
        webhookId: webhook.id,
        seq: 0,
        deliveryId,
        eventId: 'evt',
        event: 'webhook.test',
      } as const;
      const over = { status: 'failed', nextAttemptAt: null, body: '{}' } as const;
      new DeliveryRows(storage.sql).insert({ ...test, ...over, attempts: [] }, false);
    }
  });
  // A new life finds what the last one has left.
  await evict(webhook.accountId);
  await ring(webhook);
  await eventually(async () => {
    await runDurableObjectAlarm(log);
    return (await rowsOf(webhook)) === 2;
  });
  expect((await deliveriesOf(webhook)).map(({ event }) => event)).toEqual(['message.queued', 'webhook.test']);
  expect(hook.callbacks).toHaveLength(61);
});

test('everything of a part of the stream is replayed, as new deliveries of the same events, in order', async () => {
  const clock = stopClock();
  const { account, webhook, post } = await ownedWebhook({ events: ['message.queued'] });
  const hook = receiver(url);
  const events = () => hook.callbacks.map(({ headers }) => headers['webhook-id']);
  const facts = [];
  for (let index = 0; index < 5; index += 1) {
    facts.push(record());
    await attempted(webhook, queued(facts[index] ?? record()));
    await tell(webhook.accountId, failed(facts[index] ?? record()));
    clock.pass(1);
  }
  const originals = hook.callbacks.splice(0);
  const at = (index: number) => JSON.parse(originals[index]?.body ?? '{}').timestamp;
  const ids = originals.map(({ headers }) => headers['webhook-id']);

  expect(await post('/replay', { since: at(2) })).toMatchObject({ status: 202, body: { count: 3 } });
  await eventually(() => hook.callbacks.length === 3);
  expect(events()).toEqual(ids.slice(2));
  await eventually(() => allDelivered(webhook, 8));
  const again = hook.callbacks.splice(0);
  expect(again.map(({ body }) => body)).toEqual(originals.slice(2).map(({ body }) => body));
  const deliveryIds = [...originals, ...again].map(({ headers }) => headers['x-service-delivery-id']);
  expect(new Set(deliveryIds).size).toBe(8);
  expect(await rowsOf(webhook)).toBe(3);

  expect((await post('/replay', { since: at(1), until: at(3) })).body).toEqual({ count: 3 });
  await eventually(() => hook.callbacks.length === 3);
  expect(events()).toEqual(ids.slice(1, 4));
  hook.callbacks.length = 0;

  const stream = await ask('GET', '/v1/events?limit=6&events=message.queued', { headers: account.owner });
  const after = stream.body.data[3]?.cursor;
  expect((await post('/replay', { after })).body).toEqual({ count: 1 });
  await eventually(() => hook.callbacks.length === 1);
  expect(events()).toEqual(ids.slice(4));
  expect((await post('/replay', { after: 'now' })).body).toEqual({ count: 0 });
  // What is over is nothing that a later life would read again.
  await eventually(async () => (await replaysOf(webhook)) === 0);
});

test('what is replayed to a webhook of some numbers is of these, or of none', async () => {
  const numberId = newUuid();
  const { webhook, post } = await ownedWebhook({ numberIds: [numberId] });
  const hook = receiver(url);
  const resetAt = new Date(Date.now() + 3_600_000).toISOString();
  const quota: Fact = { kind: 'quota.exceeded', at: Date.now(), used: 100, limit: 100, resetAt };
  await tell(webhook.accountId, queued(record({ numberId })), oneEvent(), quota);
  await eventually(() => allDelivered(webhook, 2));
  expect((await post('/replay', { since: '2020-01-01T00:00:00.000Z' })).body).toEqual({ count: 2 });
  await eventually(() => allDelivered(webhook, 4));
  const told = hook.callbacks.map(({ headers }) => headers['x-service-event']).toSorted();
  expect(told).toEqual(['message.queued', 'message.queued', 'quota.exceeded', 'quota.exceeded']);
});

test('however many events there are, they are looked at a slice at a time, and it comes to the same', async () => {
  const { eventsAtOnce } = repetitionLimits;
  repetitionLimits.eventsAtOnce = 7;
  onTestFinished(() => {
    repetitionLimits.eventsAtOnce = eventsAtOnce;
  });
  const since = '2020-01-01T00:00:00.000Z';
  const { webhook, post } = await ownedWebhook({ events: ['message.queued'] });
  receiver(url);
  await tell(webhook.accountId, ...manyEvents(40));
  await eventually(() => allDelivered(webhook, 40));
  const log = logOf(env, webhook.accountId);
  const slice = { ok: true, next: { seq: 7, until: 40 } };
  expect(await log.replay(webhook.id, { since: Date.parse(since) })).toMatchObject(slice);
  // Counting alone sends nothing.
  expect(await rowsOf(webhook)).toBe(0);
  expect((await post('/redeliver', { since, status: 'delivered' })).body).toEqual({ count: 40 });
  await eventually(() => allDelivered(webhook, 80));
  expect((await post('/replay', { since })).body).toEqual({ count: 40 });
  await eventually(() => allDelivered(webhook, 120));
  expect((await post('/redeliver', { since, status: 'delivered' })).body).toEqual({ count: 0 });
});

test('a replay goes on in the next life of the log, and repeats nothing that it has delivered', async () => {
  const clock = stopClock();
  const { webhook, post } = await ownedWebhook();
  const hook = receiver(url);
  await tell(webhook.accountId, ...manyEvents(40));
  await eventually(() => allDelivered(webhook, 40));
  hook.callbacks.length = 0;
  hook.answers(() => new Response(null, { status: hook.callbacks.length === 5 ? 500 : 200 }));
  expect((await post('/replay', { since: '2020-01-01T00:00:00.000Z' })).body).toEqual({ count: 40 });
  await eventually(() => hook.callbacks.length === 40);
  await eventually(() => allDelivered(webhook, 79));
  await evict(webhook.accountId);
  clock.pass(31);
  await ring(webhook);
  await eventually(() => allDelivered(webhook, 80));
  expect(hook.callbacks).toHaveLength(41);
});

test('a replay to a webhook that is off waits until it is on', async () => {
  const { account, webhook, post } = await ownedWebhook();
  const hook = receiver(url);
  await attempted(webhook);
  const patch = (enabled: boolean) =>
    ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled } });
  await patch(false);
  expect((await post('/replay', { since: '2020-01-01T00:00:00.000Z' })).body).toEqual({ count: 1 });
  expect(hook.callbacks).toHaveLength(1);
  await patch(true);
  await eventually(() => hook.callbacks.length === 2);
  const [first, second] = hook.callbacks;
  expect(second?.body).toBe(first?.body);
});
