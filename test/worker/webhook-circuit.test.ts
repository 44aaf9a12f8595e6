import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { AlertChannel } from '../../src/worker/alerts/alert-channel.ts';
import { consumeAlerts } from '../../src/worker/alerts/alerts-consumer.ts';
import { sweep } from '../../src/worker/sweep.ts';
import {
  attempt,
  deliverBatch,
  deliveriesOf,
  insertWebhook,
  makeDue,
  pending,
  stepOf,
  webhookRow,
} from './direct-queues.ts';
import { ask, eventually, openAccount, type TestAccount } from './front-door.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';
const bodies = (count: number) => Array.from({ length: count }, (_, index) => ({ index, data: {} }));
const alertsOf = async (accountId: string) => {
  const { results } = await env.DB.prepare('select * from alerts where account_id = ? order by id')
    .bind(accountId)
    .all<{ id: string; kind: string; subject: string; detail: string; announced_at: number | null }>();
  return results;
};
const setStreak = (id: string, streak: number) =>
  env.DB.prepare('update webhooks set failure_streak = ? where id = ?').bind(streak, id).run();

/** A webhook of an account with an owner who is signed in. */
async function ownedWebhook(): Promise<{ account: TestAccount; webhook: { id: string; accountId: string } }> {
  const account = await openAccount();
  return { account, webhook: await insertWebhook(url, { accountId: account.accountId }) };
}

test('25 failed attempts in a row switch a webhook off once, however many end at the same moment', async () => {
  const { account, webhook } = await ownedWebhook();
  const { callbacks } = receiver(url, () => new Response(null, { status: 500 }));
  const ids = await pending(webhook, bodies(40));
  // Forty deliveries, in batches that run at once: more failures than it takes, and nobody waits for anybody.
  const batches = Array.from({ length: 8 }, (_, index) => ids.slice(index * 5, index * 5 + 5));
  await Promise.all(batches.map((batch) => attempt(webhook, batch)));
  expect(callbacks.length).toBeGreaterThanOrEqual(25);
  const shown = await ask('GET', `/v1/webhooks/${webhook.id}`, { headers: account.owner });
  expect(shown.body).toMatchObject({ enabled: false, disabledReason: 'circuit_open' });
  expect(shown.body.failureStreak).toBe(callbacks.length);
  const rows = await deliveriesOf(webhook.id);
  expect(rows.map(({ status, next_attempt_at }) => ({ status, next_attempt_at }))).toEqual(
    Array.from({ length: 40 }, () => ({ status: 'held', next_attempt_at: null })),
  );
  const alerts = await ask('GET', '/v1/alerts', { headers: account.owner });
  const subject = `webhook:${webhook.id}`;
  expect(alerts.body.data.map(({ id: _id, at: _at, ...alert }: Record<string, unknown>) => alert)).toEqual(
    expect.arrayContaining([
      { kind: 'webhook.failing', subject, detail: alertDetail(10) },
      { kind: 'webhook.failing', subject, detail: alertDetail(20) },
      { kind: 'webhook.disabled', subject, detail: alertDetail(25) },
    ]),
  );
  expect(alerts.body.data).toHaveLength(3);
});

const alertDetail = (failureStreak: number) => ({
  failureStreak,
  disabledAtStreak: 25,
  lastError: 'The receiver answered 500.',
});

test('a 4xx counts once, and one success ends the streak', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response(null, { status: 410 }));
  await setStreak(webhook.id, 23);
  await attempt(webhook, await pending(webhook, bodies(1)));
  expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 24, enabled: 1 });
  hook.answers(() => new Response());
  await attempt(webhook, await pending(webhook, bodies(1)));
  expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 0, enabled: 1 });
  hook.answers(() => new Response(null, { status: 302 }));
  await attempt(webhook, await pending(webhook, bodies(1)));
  expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 1 });
  expect(await alertsOf(webhook.accountId)).toEqual([]);
});

test('what waits for a webhook that was switched off is held, and goes out by age when it is on again', async () => {
  const { account, webhook } = await ownedWebhook();
  const hook = receiver(url, () => new Response(null, { status: 503 }));
  const [tried = '', ...untried] = await pending(webhook, bodies(5));
  await setStreak(webhook.id, 24);
  await attempt(webhook, [tried]);
  const list = (status: string) =>
    ask('GET', `/v1/webhooks/${webhook.id}/deliveries?status=${status}`, { headers: account.owner });
  expect((await list('held')).body.data).toHaveLength(5);
  expect((await list('held')).body.data[0]).toMatchObject({ status: 'held', nextAttemptAt: null });
  expect((await list('pending')).body.data).toEqual([]);
  // A queue message that was under way finds it held.
  await attempt(webhook, untried);
  expect(hook.callbacks).toHaveLength(1);

  // What happens meanwhile is kept too.
  const { body } = stepOf(webhook.accountId);
  await deliverBatch('events', [body]);
  expect(await deliveriesOf(webhook.id)).toHaveLength(6);
  expect((await list('held')).body.data).toHaveLength(6);

  hook.answers(() => new Response());
  const on = await ask('PATCH', `/v1/webhooks/${webhook.id}`, {
    headers: account.owner,
    json: { enabled: true },
  });
  expect(on.body).toMatchObject({ enabled: true, disabledReason: null, failureStreak: 0 });
  await eventually(async () =>
    (await deliveriesOf(webhook.id)).every(({ status }) => status === 'delivered'),
  );
  const arrived = hook.callbacks.slice(1).map(({ headers }) => headers['x-service-delivery-id'] ?? '');
  expect(arrived).toEqual([...arrived].sort());
  expect(arrived).toHaveLength(6);
  expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 0, releasing: 0 });
});

test('a delivery shows as held while its webhook is off, also before its row says so', async () => {
  const { account, webhook } = await ownedWebhook();
  await pending(webhook, bodies(1), Date.now() + 60_000);
  await env.DB.prepare('update webhooks set enabled = 0 where id = ?').bind(webhook.id).run();
  const list = (query: string) =>
    ask('GET', `/v1/webhooks/${webhook.id}/deliveries?${query}`, { headers: account.owner });
  for (const query of ['', 'status=held']) {
    expect((await list(query)).body.data).toMatchObject([{ status: 'held', nextAttemptAt: null }]);
  }
  expect((await list('status=pending')).body.data).toEqual([]);
});

test('an attempt that succeeds after the circuit has opened is recorded, and its delivery is over', async () => {
  const webhook = await insertWebhook(url);
  let answer: (response: Response) => void = () => undefined;
  const hook = receiver(
    url,
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const [slow = ''] = await pending(webhook, bodies(1));
  const running = attempt(webhook, [slow]);
  await eventually(() => hook.callbacks.length === 1);
  hook.answers(() => new Response(null, { status: 500 }));
  await setStreak(webhook.id, 24);
  await attempt(webhook, await pending(webhook, bodies(1)));
  expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(['held', 'held']);
  answer(new Response());
  await running;
  expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(['delivered', 'held']);
  expect(await webhookRow(webhook.id)).toMatchObject({ enabled: 0, failure_streak: 0 });
});

test('more than goes out at once is released by the cron, and nothing stays held', async () => {
  const { account, webhook } = await ownedWebhook();
  const { callbacks } = receiver(url);
  const ids = Array.from(
    { length: 1100 },
    (_, index) => `01a1fd32-0000-7000-8000-${String(index).padStart(12, '0')}`,
  );
  await env.DB.batch([
    env.DB.prepare("update webhooks set enabled = 0, disabled_reason = 'circuit_open' where id = ?").bind(
      webhook.id,
    ),
    env.DB.prepare(
      `insert into deliveries select ?, value, ?, 'evt_' || value, 'message.sent', '{"data":{}}', 'held', '[]', null
       from json_each(?)`,
    ).bind(webhook.id, webhook.accountId, JSON.stringify(ids)),
  ]);
  await ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled: true } });
  expect(await webhookRow(webhook.id)).toMatchObject({ releasing: 1 });
  const held = async () => (await deliveriesOf(webhook.id)).filter(({ status }) => status === 'held');
  expect((await held()).map(({ delivery_id }) => delivery_id)).toEqual(ids.slice(1000));
  await sweep(env, Date.now());
  expect(await held()).toEqual([]);
  expect(await webhookRow(webhook.id)).toMatchObject({ releasing: 0 });
  await eventually(() => callbacks.length >= 1100);
  expect(new Set(callbacks.map(({ headers }) => headers['x-service-delivery-id']))).toEqual(new Set(ids));
});

test('what is held while somebody switches the webhook on is let out all the same', async () => {
  const webhook = await insertWebhook(url);
  receiver(url);
  // The consumer of events has read the webhook as off; it was switched on before the batch was stored.
  const { body } = stepOf(webhook.accountId);
  await env.DB.prepare("update webhooks set enabled = 0, disabled_reason = 'circuit_open' where id = ?")
    .bind(webhook.id)
    .run();
  await env.DB.prepare(
    `create trigger switched_on before insert on deliveries begin
       update webhooks set enabled = 1, disabled_reason = null where id = '${webhook.id}'; end`,
  ).run();
  await deliverBatch('events', [body]);
  await env.DB.prepare('drop trigger switched_on').run();
  expect(await webhookRow(webhook.id)).toMatchObject({ enabled: 1, releasing: 1 });
  await sweep(env, Date.now());
  await eventually(async () => (await deliveriesOf(webhook.id))[0]?.status === 'delivered');
});

test('a person who switches a webhook off gets nothing of what happens meanwhile', async () => {
  const { account, webhook } = await ownedWebhook();
  await ask('PATCH', `/v1/webhooks/${webhook.id}`, { headers: account.owner, json: { enabled: false } });
  await deliverBatch('events', [stepOf(webhook.accountId).body]);
  expect(await deliveriesOf(webhook.id)).toEqual([]);
});

test('an alert is announced on every channel once, also when its queue message comes twice or was lost', async () => {
  const { webhook } = await ownedWebhook();
  receiver(url, () => new Response(null, { status: 500 }));
  await setStreak(webhook.id, 9);
  await attempt(webhook, await pending(webhook, bodies(1)));
  const [alert] = await alertsOf(webhook.accountId);
  await eventually(async () => (await alertsOf(webhook.accountId))[0]?.announced_at !== null);
  // As if the queue had lost it.
  await env.DB.prepare('update alerts set announced_at = null, at = 1 where id = ?').bind(alert?.id).run();
  const announced: string[] = [];
  const channel: AlertChannel = {
    name: 'test',
    announce: async (_env, { id }) => void announced.push(id),
  };
  const message = (retry: () => void) => ({
    body: { accountId: webhook.accountId, id: alert?.id },
    ack() {},
    retry,
  });
  let retries = 0;
  const queueBatch = { messages: [message(() => (retries += 1)), message(() => (retries += 1))] };
  await consumeAlerts(queueBatch as never, env, undefined, [
    { name: 'broken', announce: () => Promise.reject(new Error('the mail server is away')) },
  ]);
  expect({ retries, announced }).toEqual({ retries: 2, announced: [] });
  await consumeAlerts(queueBatch as never, env, undefined, [channel]);
  expect({ retries, announced }).toEqual({ retries: 2, announced: [alert?.id] });
  await env.DB.prepare('update alerts set announced_at = null where id = ?').bind(alert?.id).run();
  await sweep(env, Date.now());
  await eventually(async () => (await alertsOf(webhook.accountId))[0]?.announced_at !== null);
  expect(await alertsOf(webhook.accountId)).toHaveLength(1);
});

test("another account's alerts are not shown", async () => {
  const [{ webhook }, stranger] = [await ownedWebhook(), await openAccount()];
  receiver(url, () => new Response(null, { status: 500 }));
  await setStreak(webhook.id, 19);
  await attempt(webhook, await pending(webhook, bodies(1)));
  await makeDue(webhook.id);
  expect(await alertsOf(webhook.accountId)).toHaveLength(1);
  expect((await ask('GET', '/v1/alerts', { headers: stranger.owner })).body).toEqual({
    data: [],
    nextCursor: null,
  });
});
