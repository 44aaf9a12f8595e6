import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import {
  deliveriesOf,
  evict,
  insertWebhook,
  manyEvents,
  oneEvent,
  onlyOf,
  ring,
  stateOf,
  stopClock,
  type TestWebhook,
  tell,
} from './delivery-fixture.ts';
import { hangingReceiver, interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://circuit.example.com/hook';
/** The first three waits of the ladder together. */
const circuitSeconds = 750;

const alertsOf = (accountId: string) => logOf(env, accountId).alerts(100, null);
const failures = (webhook: TestWebhook, count: number) =>
  eventually(async () => (await stateOf(webhook))?.failureStreak === count);

/** A webhook of an account with an owner who is signed in. */
async function ownedWebhook(): Promise<{ account: TestAccount; webhook: TestWebhook }> {
  const account = await openAccount();
  return { account, webhook: await insertWebhook(url, { accountId: account.accountId }) };
}

/** Lets so many first attempts fail, one after the other, finally. */
async function fail(webhook: TestWebhook, count: number): Promise<void> {
  const before = (await stateOf(webhook))?.failureStreak ?? 0;
  await tell(webhook.accountId, ...manyEvents(count));
  await failures(webhook, before + count);
}

/** Opens the circuit: failures that have lasted long enough. */
async function open(webhook: TestWebhook, clock: { pass(seconds: number): void }): Promise<void> {
  await fail(webhook, 24);
  clock.pass(circuitSeconds);
  await fail(webhook, 1);
  expect(await stateOf(webhook)).toMatchObject({ isCircuitOpen: true });
}

const unseen = { acknowledgedAt: null, acknowledgedBy: null };
const alertDetail = (failureStreak: number) => ({
  failureStreak,
  disabledAtStreak: 25,
  lastError: expect.stringMatching(/^404 is final/),
});

test('25 failed attempts in a row, the first of them long enough ago, switch a webhook off once, however many end at the same moment', async () => {
  const clock = stopClock();
  const { account, webhook } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await fail(webhook, 9);
  clock.pass(circuitSeconds);
  const hanging = hangingReceiver(url);
  await tell(webhook.accountId, ...manyEvents(40));
  await eventually(() => hanging.callbacks.length === 24);
  hanging.answerAll(404);
  hanging.answers(() => new Response(null, { status: 404 }));
  await eventually(async () => (await stateOf(webhook))?.isCircuitOpen);
  await eventually(async () => (await deliveriesOf(webhook)).every(({ status }) => status !== 'pending'));
  const shown = await ask('GET', `/v1/webhooks/${webhook.id}`, { headers: account.owner });
  expect(shown.body).toMatchObject({ enabled: false, disabledReason: 'circuit_open' });
  const calls = hook.callbacks.length + hanging.callbacks.length;
  // Each attempt counts, also one that ended after the circuit had opened.
  expect(shown.body.failureStreak).toBe(calls);
  const list = await deliveriesOf(webhook);
  expect(list.filter(({ status }) => status === 'held')).toHaveLength(49 - calls);
  const alerts = await ask('GET', '/v1/alerts', { headers: account.owner });
  const subject = `webhook:${webhook.id}`;
  expect(alerts.body.data.map(({ id: _id, at: _at, ...alert }: Record<string, unknown>) => alert)).toEqual(
    expect.arrayContaining([
      { kind: 'webhook.failing', subject, detail: alertDetail(20), endedAt: expect.any(String), ...unseen },
      { kind: 'webhook.disabled', subject, detail: alertDetail(25), endedAt: null, ...unseen },
    ]),
  );
  expect(alerts.body.data).toHaveLength(2);
  // It stays off, and is told as that, whatever else is configured meanwhile.
  await insertWebhook(`${url}/other`, { accountId: account.accountId });
  const lasting = (await alertsOf(account.accountId)).filter(({ endedAt }) => endedAt === null);
  expect(lasting).toMatchObject([{ kind: 'webhook.disabled', subject }]);
});

test("a receiver's restart under load does not trip it: many failures within a short time are not enough", async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await fail(webhook, 60);
  clock.pass(circuitSeconds - 1);
  await fail(webhook, 1);
  expect(await stateOf(webhook)).toMatchObject({ failureStreak: 61, isCircuitOpen: false });
  hook.answers(() => new Response());
  await tell(webhook.accountId, oneEvent());
  await failures(webhook, 0);
  // The time begins anew with the next failure.
  hook.answers(() => new Response(null, { status: 404 }));
  clock.pass(10);
  await fail(webhook, 30);
  expect(await stateOf(webhook)).toMatchObject({ failureStreak: 30, isCircuitOpen: false });
});

test('a 4xx counts once, and one success ends the streak', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 410 }));
  await fail(webhook, 3);
  hook.answers(() => new Response());
  await tell(webhook.accountId, oneEvent());
  await failures(webhook, 0);
  hook.answers(() => new Response(null, { status: 302 }));
  await fail(webhook, 1);
  expect(await stateOf(webhook)).toMatchObject({ failureStreak: 1, isCircuitOpen: false });
  expect(await alertsOf(webhook.accountId)).toEqual([]);
});

test('the streak is counted on in the next life of the log, and what is held stays held', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await fail(webhook, 24);
  await evict(webhook.accountId);
  clock.pass(circuitSeconds);
  await fail(webhook, 1);
  expect(await stateOf(webhook)).toMatchObject({ failureStreak: 25, isCircuitOpen: true });
  await tell(webhook.accountId, oneEvent());
  await evict(webhook.accountId);
  await tell(webhook.accountId, oneEvent());
  expect((await deliveriesOf(webhook)).slice(0, 3).map(({ status }) => status)).toEqual([
    'held',
    'held',
    'failed',
  ]);
  expect(hook.callbacks).toHaveLength(25);
});

test('what waits for a webhook that was switched off is held, and goes out by age when it is on again', async () => {
  const clock = stopClock();
  const { account, webhook } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await fail(webhook, 24);
  clock.pass(circuitSeconds);
  hook.answers(() => new Response(null, { status: 503 }));
  await fail(webhook, 1);
  // What happens meanwhile is kept too.
  for (let index = 0; index < 5; index += 1) await tell(webhook.accountId, oneEvent());
  const list = (status: string) =>
    ask('GET', `/v1/webhooks/${webhook.id}/deliveries?status=${status}`, { headers: account.owner });
  expect((await list('held')).body.data).toHaveLength(6);
  expect((await list('held')).body.data[0]).toMatchObject({
    status: 'held',
    nextAttemptAt: null,
    attempts: [],
  });
  expect((await list('pending')).body.data).toEqual([]);
  // A wake-up that was under way finds it held.
  clock.pass(60);
  await ring(webhook);
  expect(hook.callbacks).toHaveLength(25);

  hook.answers(() => new Response());
  const on = await ask('PATCH', `/v1/webhooks/${webhook.id}`, {
    headers: account.owner,
    json: { enabled: true },
  });
  expect(on.body).toMatchObject({ enabled: true, disabledReason: null, failureStreak: 0 });
  await eventually(async () =>
    (await deliveriesOf(webhook)).slice(0, 6).every(({ status }) => status === 'delivered'),
  );
  const untried = hook.callbacks.slice(25).filter(({ headers }) => headers['x-service-attempt'] === '1');
  const arrived = untried.map(({ headers }) => headers['webhook-id'] ?? '');
  expect(arrived).toEqual([...arrived].sort());
  expect(arrived).toHaveLength(5);
  expect(hook.callbacks).toHaveLength(25 + 6);
});

test('what is held for a webhook goes out at once when it is switched on, also where its log has just begun another life', async () => {
  const clock = stopClock();
  const { account, webhook } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await open(webhook, clock);
  await tell(webhook.accountId, oneEvent());
  await evict(webhook.accountId);
  hook.answers(() => new Response());
  // No time passes: nothing waits until attempts of the life before are over.
  await ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled: true } });
  await eventually(async () => (await deliveriesOf(webhook))[0]?.status === 'delivered');
  expect(hook.callbacks).toHaveLength(26);
});

test('what a webhook has yet to get goes out at once when a person switches it off and on again', async () => {
  stopClock();
  const { account, webhook } = await ownedWebhook();
  const hanging = hangingReceiver(url);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => hanging.callbacks.length === 1);
  // Whether the attempt of that life has arrived nobody knows.
  await evict(webhook.accountId);
  await tell(webhook.accountId, oneEvent());
  const hook = receiver(url);
  for (const enabled of [false, true]) {
    await ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled } });
  }
  await eventually(async () => (await deliveriesOf(webhook)).every(({ status }) => status === 'delivered'));
  expect(hook.callbacks.length).toBeGreaterThan(0);
});

test('an attempt that succeeds after the circuit has opened is recorded, and its delivery is over', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const hanging = hangingReceiver(url);
  await tell(webhook.accountId, oneEvent());
  await eventually(() => hanging.callbacks.length === 1);
  receiver(url, () => new Response(null, { status: 404 }));
  await open(webhook, clock);
  hanging.answerAll();
  await eventually(async () => (await deliveriesOf(webhook)).at(-1)?.status === 'delivered');
  expect(await stateOf(webhook)).toMatchObject({ isCircuitOpen: true, failureStreak: 0 });
});

test('more than goes out at once goes out after it, and nothing stays held', async () => {
  const clock = stopClock();
  const { account, webhook } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  await open(webhook, clock);
  for (let index = 0; index < 6; index += 1) await tell(webhook.accountId, ...manyEvents(100));
  expect(hook.callbacks).toHaveLength(25);
  hook.callbacks.length = 0;
  hook.answers(() => new Response());
  await ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled: true } });
  await eventually(async () => {
    clock.pass(0.01);
    await runDurableObjectAlarm(logOf(env, webhook.accountId));
    return hook.callbacks.length === 600;
  });
  await eventually(async () =>
    (await deliveriesOf(webhook)).slice(0, 600).every(({ status }) => status === 'delivered'),
  );
  expect(new Set(hook.callbacks.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(600);
});

test('a person who switches a webhook off gets nothing of what happens meanwhile', async () => {
  const { account, webhook } = await ownedWebhook();
  const { callbacks } = receiver(url);
  const patch = (enabled: boolean) =>
    ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled } });
  expect((await patch(false)).body).toMatchObject({ enabled: false, disabledReason: null });
  await tell(webhook.accountId, oneEvent());
  expect(await deliveriesOf(webhook)).toEqual([]);
  await patch(true);
  await tell(webhook.accountId, oneEvent());
  await eventually(async () => (await onlyOf(webhook)).status === 'delivered');
  expect(callbacks).toHaveLength(1);
});

test('a person who switches off what the circuit had switched off gets the rest at once when it is on again, in another life too', async () => {
  const clock = stopClock();
  const { account, webhook } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 404 }));
  const patch = (enabled: boolean) =>
    ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled } });
  await open(webhook, clock);
  const held = oneEvent();
  await tell(webhook.accountId, held);
  expect((await patch(false)).body).toMatchObject({ enabled: false, disabledReason: null });
  await tell(webhook.accountId, oneEvent());
  await evict(webhook.accountId);
  hook.answers(() => new Response());
  expect((await patch(true)).body).toMatchObject({ enabled: true, failureStreak: 0 });
  await eventually(async () => (await deliveriesOf(webhook))[0]?.status === 'delivered');
  expect(hook.callbacks).toHaveLength(26);
  expect(await deliveriesOf(webhook)).toHaveLength(26);
});

test("another account's alerts are not shown", async () => {
  const [{ webhook }, stranger] = [await ownedWebhook(), await openAccount()];
  receiver(url, () => new Response(null, { status: 404 }));
  await fail(webhook, 10);
  expect(await alertsOf(webhook.accountId)).toHaveLength(1);
  expect((await ask('GET', '/v1/alerts', { headers: stranger.owner })).body).toEqual({
    data: [],
    nextCursor: null,
  });
});

test('the trouble with a webhook is over once the webhook is deleted', async () => {
  const { account, webhook } = await ownedWebhook();
  receiver(url, () => new Response(null, { status: 404 }));
  await fail(webhook, 10);
  const lasting = async () =>
    (await ask('GET', '/v1/alerts?open=true', { headers: account.owner })).body.data;
  expect(await lasting()).toMatchObject([{ kind: 'webhook.failing' }]);
  await ask('DELETE', `/v1/webhooks/${webhook.id}`, { headers: account.owner });
  expect(await lasting()).toEqual([]);
});
