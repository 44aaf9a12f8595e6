import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { callbacksMax, hostNameOf, shareMax } from '../../../src/durable/callback-host/host-shares.ts';
import { attemptsACallMax, leaseMs } from '../../../src/durable/event-log/deliveries/delivery-order.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { withinHostBound } from '../../../src/worker/features/webhooks/delivery/attempt.ts';
import { doorWith } from '../configured-door.ts';
import { ask, eventually, openAccount } from '../front-door.ts';
import {
  deliveriesOf,
  insertWebhook,
  manyEvents,
  oneEvent,
  setColumn,
  stopClock,
  type TestWebhook,
  tell,
} from './delivery-fixture.ts';
import { hangingReceiver, interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://doors.example.com/hook';
const all = { numberIds: 'all', events: 'all' };

/** The account has so many deliveries left that can be sent again today. */
function leaveRepetitions({ accountId }: TestWebhook, left: number): Promise<void> {
  return runInDurableObject(logOf(env, accountId), (_, { storage }) => {
    const day = new Date().toISOString().slice(0, 10);
    storage.sql.exec('INSERT INTO repetitions (day, used) VALUES (?, ?)', day, 20_000 - left);
  });
}

/** A host whose callbacks other accounts have shared out among them. */
async function exhaustedHost(): Promise<string> {
  const host = `${newUuid()}.example.com`;
  const shares = env.CALLBACK_HOST.getByName(hostNameOf(host));
  for (let left = callbacksMax; left > 0; ) {
    const asked = { accountId: newUuid(), underWay: 0, wanted: shareMax };
    const { callbacks, until } = await shares.share(asked);
    left -= callbacks;
    // What begins at the end of a share still counts.
    const forgottenAt = await runInDurableObject(shares, (_, { storage }) => storage.getAlarm());
    expect(forgottenAt).toBe(until + leaseMs);
  }
  return host;
}

test('an account can point three webhooks at one URL, by a new one or by moving one there', async () => {
  const account = await openAccount();
  const add = (path: string) =>
    ask('POST', '/v1/webhooks', { headers: account.owner, json: { ...all, url: path } });
  for (let index = 0; index < 3; index += 1) expect((await add(url)).status).toBe(201);
  expect(await add(url)).toMatchObject({
    status: 409,
    body: { error: { details: [{ path: 'url', limit: 3 }] } },
  });
  // In whatever way it is written.
  expect(await add('https://DOORS.example.com:443/hook')).toMatchObject({
    status: 409,
    body: { error: { details: [{ path: 'url', limit: 3 }] } },
  });
  const other = await add(`${url}/other`);
  expect(other.status).toBe(201);
  const { id } = other.body as { id: string };
  const moved = await ask('PATCH', `/v1/webhooks/${id}`, { headers: account.owner, json: { url } });
  expect(moved.status).toBe(409);
});

test('an account can point so many webhooks at one host, whatever their paths', async () => {
  const account = await openAccount();
  const door = doorWith({ WEBHOOKS_PER_HOST: '2' });
  const add = (host: string, path: string) =>
    door('POST', '/v1/webhooks', {
      headers: account.owner,
      json: { ...all, url: `https://${host}/${path}` },
    });
  expect((await add('one.example.com', 'a')).status).toBe(201);
  const second = await add('one.example.com', 'b');
  expect(second.status).toBe(201);
  expect(await add('one.example.com', 'c')).toMatchObject({
    status: 409,
    body: { error: { details: [{ path: 'url', limit: 2 }] } },
  });
  expect((await add('two.example.com', 'c')).status).toBe(201);
  // One that stays on its host is none more there.
  const moved = await door('PATCH', `/v1/webhooks/${second.body.id}`, {
    headers: account.owner,
    json: { url: 'https://one.example.com/d' },
  });
  expect(moved.status).toBe(200);
});

test('however many webhooks come in for one URL at the same moment, no more than three stay', async () => {
  const account = await openAccount();
  const json = { ...all, url };
  const add = () => ask('POST', '/v1/webhooks', { headers: account.owner, json });
  const answers = await Promise.all(Array.from({ length: 8 }, add));
  const made = answers.filter(({ status }) => status === 201).length;
  expect(made).toBeLessThanOrEqual(3);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  const list = await ask('GET', '/v1/webhooks', { headers: account.owner });
  expect(list.body.data).toHaveLength(made);
});

test('a webhook that has never answered 2xx gets one callback at a time, and all of them once it has', async () => {
  const webhook = await insertWebhook(url, { isUnproven: true });
  const hook = hangingReceiver(url);
  await tell(webhook.accountId, ...manyEvents(30));
  await eventually(() => hook.callbacks.length === 1);
  await tell(webhook.accountId, oneEvent());
  expect(hook.callbacks.length).toBe(1);
  hook.answerAll();
  await eventually(() => hook.callbacks.length > 20);
  await eventually(async () => {
    hook.answerAll();
    const deliveries = await deliveriesOf(webhook);
    return deliveries.length === 31 && deliveries.every(({ status }) => status === 'delivered');
  });
});

test('what a webhook has proven at one URL does not hold at another', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(`${url}/moved`);
  await setColumn(webhook, 'url', `${url}/moved`);
  await tell(webhook.accountId, ...manyEvents(30));
  await eventually(() => hook.callbacks.length === 1);
  await tell(webhook.accountId, oneEvent());
  expect(hook.callbacks.length).toBe(1);
  hook.answerAll();
});

test('an account has only so many deliveries sent again a day', async () => {
  const clock = stopClock();
  const since = Date.now() - 1_000;
  const webhook = await insertWebhook(url);
  await leaveRepetitions(webhook, 5);
  receiver(url);
  await tell(webhook.accountId, ...manyEvents(4));
  const delivered = async (count: number) => {
    const deliveries = await deliveriesOf(webhook);
    return deliveries.length === count && deliveries.every(({ status }) => status === 'delivered');
  };
  await eventually(() => delivered(4));
  const log = logOf(env, webhook.accountId);
  expect(await log.redeliverSince(webhook.id, since, 'delivered')).toMatchObject({ ok: true, count: 4 });
  await eventually(() => delivered(8));
  // What was sent again and has arrived is left alone, and costs nothing.
  expect(await log.redeliverSince(webhook.id, since, 'delivered')).toMatchObject({ ok: true, count: 0 });
  const [newest] = await deliveriesOf(webhook);
  const id = newest?.deliveryId ?? '';
  expect(await log.replay(webhook.id, { since })).toMatchObject({
    code: 'RATE_LIMITED',
    details: [{ limit: 20_000, left: 1 }],
  });
  expect(await log.redeliver(webhook.id, id)).toMatchObject({ status: 'pending' });
  expect(await log.redeliver(webhook.id, id)).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: expect.any(Number),
  });
  clock.pass(24 * 3600);
  expect(await log.redeliver(webhook.id, id)).toMatchObject({ status: 'pending' });
  // A replay is of the same share.
  expect(await log.replay(webhook.id, { since })).toMatchObject({ ok: true, count: 4 });
  const used = await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec('SELECT used FROM repetitions').toArray(),
  );
  expect(used).toEqual([{ used: 5 }]);
});

test('of a webhook five replays are under way at most, and another one begins when one has ended', async () => {
  const since = Date.now() - 1_000;
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  await tell(webhook.accountId, oneEvent());
  const replay = () => logOf(env, webhook.accountId).replay(webhook.id, { since });
  for (let begun = 0; begun < 5; begun += 1) expect(await replay()).toMatchObject({ ok: true, count: 1 });
  expect(await replay()).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('5 replays') });
  await eventually(async () => {
    hook.answerAll();
    return 'ok' in (await replay());
  });
});

test('an isolate has only so many callbacks to one host under way, and goes on when they end', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const begin = (count: number, waitsFor = promise) =>
    Array.from({ length: count }, (_, index) => withinHostBound(`${url}/${index}`, () => waitsFor));
  const calls = begin(300);
  expect(await withinHostBound(url, async () => 'made')).toBeNull();
  expect(await withinHostBound('https://other.example.com', async () => 'made')).toBe('made');
  resolve('made');
  await Promise.all(calls);
  // One that hangs while others end is counted on.
  const hangs = Promise.withResolvers<string>();
  const hanging = begin(1, hangs.promise);
  await Promise.all(begin(2));
  hanging.push(...begin(299, hangs.promise));
  expect(await withinHostBound(url, async () => 'made')).toBeNull();
  hangs.resolve('made');
  await Promise.all(hanging);
  expect(await withinHostBound(url, async () => 'made')).toBe('made');
});

test('accounts share what one host gets of callbacks at a time, and one that finds nothing left makes one call after the other', async () => {
  const host = await exhaustedHost();
  const webhook = await insertWebhook(`https://${host}/hook`);
  const hook = hangingReceiver(`https://${host}/hook`);
  await tell(webhook.accountId, ...manyEvents(40));
  await eventually(() => hook.callbacks.length === attemptsACallMax);
  await tell(webhook.accountId, oneEvent());
  expect(hook.callbacks.length).toBe(attemptsACallMax);
  let [answered, underWayMax] = [0, 0];
  await eventually(async () => {
    underWayMax = Math.max(underWayMax, hook.callbacks.length - answered);
    answered = hook.callbacks.length;
    hook.answerAll();
    const deliveries = await deliveriesOf(webhook);
    return deliveries.length === 41 && deliveries.every(({ status }) => status === 'delivered');
  });
  expect(underWayMax).toBe(attemptsACallMax);
});

test('where a host has nothing left to share, a webhook of it that hangs holds up no other of the account', async () => {
  const host = await exhaustedHost();
  const { accountId } = await insertWebhook(`https://${host}/hangs`);
  await insertWebhook(`https://${host}/well`, { accountId });
  const hanging = hangingReceiver(`https://${host}/hangs`);
  const well = receiver(`https://${host}/well`);
  await tell(accountId, oneEvent());
  await eventually(() => hanging.callbacks.length === 1 && well.callbacks.length === 1);
  await tell(accountId, ...manyEvents(10));
  await eventually(() => well.callbacks.length === 11);
  // Nothing of it has been answered, or given up, meanwhile.
  expect(hanging.callbacks.length).toBe(1);
  hanging.answerAll();
});

test('an unknown event name is answered with those that there are', async () => {
  const account = await openAccount();
  const json = { url, numberIds: 'all', events: ['message.dlivered'] };
  const refused = await ask('POST', '/v1/webhooks', { headers: account.owner, json });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('message.delivered');
});

test('a webhook that is made switched off gets tests and nothing else, until it is switched on', async () => {
  const account = await openAccount();
  const hook = receiver(url);
  const made = await ask('POST', '/v1/webhooks', {
    headers: account.owner,
    json: { ...all, url, enabled: false },
  });
  expect(made).toMatchObject({ status: 201, body: { enabled: false, disabledReason: null } });
  const { id } = made.body as { id: string };
  const test = await ask('POST', `/v1/webhooks/${id}/test`, { headers: account.owner });
  expect(test.body).toMatchObject({ status: 'delivered' });
  await tell(account.accountId, oneEvent());
  await ask('PATCH', `/v1/webhooks/${id}`, { headers: account.owner, json: { enabled: true } });
  await tell(account.accountId, oneEvent());
  await eventually(() => hook.callbacks.length > 1);
  const events = hook.callbacks.map(({ body }) => (JSON.parse(body) as { event: string }).event);
  expect(events).toEqual(['webhook.test', 'message.queued']);
});
