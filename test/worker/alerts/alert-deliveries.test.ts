import { env, exports } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { disconnectReasons } from '../../../src/contract/numbers/reasons.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { consumeAlerts } from '../../../src/worker/features/alerts/sending/alert-sender.ts';
import { deviceChanged } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { stopClock } from '../webhooks/delivery-fixture.ts';
import { interceptCallbacks, receiver } from '../webhooks/webhook-receiver.ts';
import {
  addChannel,
  alarm,
  ban,
  channelOf,
  deliveriesTo,
  deliveryThat,
  evictLog,
  tellLog,
} from './alert-fixture.ts';

interceptCallbacks();

const url = 'https://alerts.example.com/hook';
const gatherSeconds = 11;
const botToken = '123456789:AAEexampleexampleexampleexampleexam';
const number = async ({ owner }: TestAccount, label = 'Support desk') =>
  (await ask('POST', '/v1/numbers', { headers: owner, json: { label } })).body.numberId as string;

/** A ban, and its channels told. */
async function raise(account: TestAccount, clock: ReturnType<typeof stopClock>, numberId?: string) {
  await tellLog(account, ban(numberId, 100));
  clock.pass(gatherSeconds);
  await alarm(account);
}

test('Slack gets text and blocks, Discord content, Telegram a message to its chat', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const numberId = await number(account);
  const slack = receiver('https://hooks.slack.com/services/T0/B0/secret', () => new Response('ok'));
  const discord = receiver(
    'https://discord.com/api/webhooks/1/secret',
    () => new Response(null, { status: 204 }),
  );
  const telegram = receiver(`https://api.telegram.org/bot${botToken}/sendMessage`, () =>
    Response.json({ ok: true, result: {} }),
  );
  const channels = [
    await addChannel(account, { kind: 'slack', target: 'https://hooks.slack.com/services/T0/B0/secret' }),
    await addChannel(account, { kind: 'discord', target: 'https://discord.com/api/webhooks/1/secret' }),
    await addChannel(account, { kind: 'telegram', target: { botToken, chatId: '-1001234567890' } }),
  ];
  await raise(account, clock, numberId);
  for (const { channelId } of channels) await deliveryThat(account, channelId, 'delivered');

  const said = 'Support desk was banned by the network';
  expect(slack.callbacks).toHaveLength(1);
  const slackBody = JSON.parse(slack.callbacks[0]?.body ?? '');
  expect(Object.keys(slackBody)).toEqual(['text', 'blocks']);
  expect(slackBody.text).toContain(said);
  expect(slackBody.blocks[0]).toMatchObject({ type: 'section', text: { type: 'mrkdwn' } });
  expect(JSON.stringify(slackBody.blocks)).toContain(said);
  expect(JSON.parse(discord.callbacks[0]?.body ?? '').content).toContain(said);
  expect(JSON.parse(telegram.callbacks[0]?.body ?? '')).toMatchObject({
    chat_id: '-1001234567890',
    text: expect.stringContaining(said),
  });
  expect(discord.callbacks).toHaveLength(1);
  expect(telegram.callbacks).toHaveLength(1);
  expect(await channelOf(account, channels[0].channelId)).toMatchObject({
    lastDeliveryAt: expect.any(String),
    lastError: null,
  });
});

test('a webhook gets a signed event when a trouble begins, and one when it is over', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const hook = receiver(url);
  const { channelId, secret } = await addChannel(account, { kind: 'webhook', target: url });
  expect(secret).toMatch(/^whsec_/);
  const numberId = await number(account);
  await raise(account, clock, numberId);
  const delivery = await deliveryThat(account, channelId, 'delivered');
  const [callback] = hook.callbacks;
  expect(callback?.headers).toMatchObject({ 'x-service-event': 'alert.raised', 'x-service-attempt': '1' });
  const event = JSON.parse(callback?.body ?? '');
  expect(event).toMatchObject({
    id: `evt_${delivery.deliveryId}`,
    event: 'alert.raised',
    data: {
      text: expect.stringContaining('Support desk was banned'),
      alerts: [{ kind: 'device.banned', subject: `number:${numberId}`, endedAt: null }],
    },
  });
  expect(delivery.alerts.map(({ id }) => id)).toEqual([event.data.alerts[0].alertId]);
  const { body = '', headers = {} } = callback ?? {};
  const signed = `${body}.${headers['x-service-timestamp']}`;
  const signature = (by: string, text = signed) => createHmac('sha256', by).update(text).digest('hex');
  expect(headers['x-service-signature']).toBe(signature(secret));
  // A new secret: from then on both sign.
  const rotated = await ask('POST', `/v1/alert-channels/${channelId}/rotate-secret`, {
    headers: account.owner,
  });
  expect(rotated).toMatchObject({
    status: 200,
    body: { channelId, secret: expect.stringMatching(/^whsec_/) },
  });

  await tellLog(account, {
    ...deviceChanged({ numberId, revision: 200, state: 'connected' }),
    at: Date.now(),
  } as Fact);
  clock.pass(gatherSeconds);
  await alarm(account);
  await eventually(() => hook.callbacks.length === 2);
  expect(JSON.parse(hook.callbacks[1]?.body ?? '')).toMatchObject({
    event: 'alert.ended',
    data: { alerts: [{ kind: 'device.banned', endedAt: expect.any(String) }] },
  });
  const ended = hook.callbacks[1];
  const endedText = `${ended?.body}.${ended?.headers['x-service-timestamp']}`;
  expect(ended?.headers).toMatchObject({
    'x-service-signature': signature(rotated.body.secret, endedText),
    'x-service-signature-previous': signature(secret, endedText),
  });
});

test('forty numbers that go in the same moments are one message, and one trouble is told once', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const hook = receiver(url);
  const { channelId } = await addChannel(account, { kind: 'webhook', target: url });
  const gone = Array.from({ length: 40 }, () => newUuid());
  const lost = (numberId: string, revision: number): Fact =>
    ({
      ...deviceChanged({
        numberId,
        revision,
        state: 'disconnected',
        reason: disconnectReasons.connection_lost,
      }),
      at: Date.now(),
    }) as Fact;
  for (const numberId of gone) {
    await tellLog(account, lost(numberId, 1));
    clock.pass(0.1);
  }
  await alarm(account);
  expect(hook.callbacks).toEqual([]);
  // Once they have been away for a while, and those that come with them.
  clock.pass(121);
  await alarm(account);
  clock.pass(gatherSeconds);
  await evictLog(account);
  await alarm(account);
  await deliveryThat(account, channelId, 'delivered');
  expect(hook.callbacks).toHaveLength(1);
  expect(JSON.parse(hook.callbacks[0]?.body ?? '').data.alerts).toHaveLength(40);
  // Seen again, it is the same trouble.
  await tellLog(account, ...gone.map((numberId) => lost(numberId, 2)));
  clock.pass(300);
  await alarm(account);
  expect(await deliveriesTo(account, channelId)).toHaveLength(1);

  await tellLog(
    account,
    ...gone.map(
      (numberId) =>
        ({ ...deviceChanged({ numberId, revision: 3, state: 'connected' }), at: Date.now() }) as Fact,
    ),
  );
  clock.pass(gatherSeconds);
  await alarm(account);
  await eventually(() => hook.callbacks.length === 2);
  const back = JSON.parse(hook.callbacks[1]?.body ?? '');
  expect(back.data.alerts.map(({ kind }: { kind: string }) => kind)).toEqual(
    gone.map(() => 'device.recovered'),
  );
});

test('what fails is tried again on the ladder as the same event, each attempt is seen, and in the end it is given up', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const hook = receiver(url, () => new Response('away', { status: 503 }));
  const { channelId } = await addChannel(account, { kind: 'webhook', target: url });
  await raise(account, clock);
  const attempts = async (count: number) =>
    eventually(async () => {
      const [delivery] = await deliveriesTo(account, channelId);
      return delivery?.attempts.length === count ? delivery : null;
    });
  const first = await attempts(1);
  expect(first).toMatchObject({
    status: 'pending',
    attempts: [{ statusCode: 503, error: 'The receiver answered 503: away' }],
  });
  expect((first.nextAttemptAt ?? 0) - Date.now()).toBeGreaterThan(25_000);
  expect(await channelOf(account, channelId)).toMatchObject({
    lastDeliveryAt: null,
    lastError: expect.stringContaining('503'),
  });
  for (const [index, seconds] of [30, 120, 600, 3600, 14_400].entries()) {
    clock.pass(seconds + 60);
    await evictLog(account);
    await alarm(account);
    await attempts(index + 2);
  }
  const [given] = await deliveriesTo(account, channelId);
  expect(given).toMatchObject({ status: 'failed', nextAttemptAt: null });
  expect(new Set(hook.callbacks.map(({ body }) => body)).size).toBe(1);
  expect(hook.callbacks.map(({ headers }) => headers['x-service-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
  ]);
  expect(new Set(hook.callbacks.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(1);
});

test('a receiver that says no is not asked again, and one that asks for patience gets it', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const target = 'https://discord.com/api/webhooks/2/secret';
  const discord = receiver(target, () => Response.json({ retry_after: 77.2 }, { status: 429 }));
  receiver(url, () => new Response('no_service', { status: 404 }));
  const patient = await addChannel(account, { kind: 'discord', target });
  const gone = await addChannel(account, { kind: 'slack', target: url });
  await raise(account, clock);
  expect(await deliveryThat(account, gone.channelId, 'failed')).toMatchObject({
    attempts: [{ statusCode: 404, error: 'Slack answered 404: no_service' }],
    nextAttemptAt: null,
  });
  await eventually(() => discord.callbacks.length === 1);
  const pending = await eventually(async () => {
    const [one] = await deliveriesTo(account, patient.channelId);
    return one?.attempts.length === 1 ? one : null;
  });
  expect((pending.nextAttemptAt ?? 0) - Date.now()).toBeGreaterThan(70_000);
});

test('a bell that is lost is rung again by the log, and one that rings twice sends nothing twice', async () => {
  const clock = stopClock();
  const account = await openAccount();
  let isLost = true;
  const hook = receiver(url, () => {
    if (isLost) throw new Error('the call broke off');
    return new Response();
  });
  const { channelId } = await addChannel(account, { kind: 'webhook', target: url });
  await raise(account, clock);
  await eventually(async () => (await deliveriesTo(account, channelId))[0]?.attempts.length === 1);
  isLost = false;
  clock.pass(61);
  // No wake-up of a queue: only the alarm.
  await evictLog(account);
  await alarm(account);
  await deliveryThat(account, channelId, 'delivered');
  const before = hook.callbacks.length;
  const message = { body: { accountId: account.accountId }, ack() {}, retry() {} };
  const goesOn: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void goesOn.push(work);
  await consumeAlerts({ messages: [message, message] } as never, env, { exports, waitUntil } as never);
  await Promise.all(goesOn);
  expect(hook.callbacks).toHaveLength(before);
});

test('a channel hears of its own kinds and numbers, and nothing while it is off', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const [mine, other] = [await number(account, 'Mine'), await number(account, 'Other')];
  const hook = receiver(url);
  const [one, kind, off, all] = [
    await addChannel(account, { kind: 'webhook', target: url, numberIds: [mine] }),
    await addChannel(account, { kind: 'webhook', target: url, kinds: ['quota.exceeded'] }),
    await addChannel(account, { kind: 'webhook', target: url, enabled: false }),
    await addChannel(account, { kind: 'webhook', target: url }),
  ];
  await raise(account, clock, other);
  await deliveryThat(account, all.channelId, 'delivered');
  for (const { channelId } of [one, kind, off]) expect(await deliveriesTo(account, channelId)).toEqual([]);
  await raise(account, clock, mine);
  await deliveryThat(account, one.channelId, 'delivered');
  await eventually(() => hook.callbacks.length === 3);
});

test('what is muted is told when that ends and it still lasts; what is over by then is told to nobody', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const [moved, forgotten] = [await number(account, 'Moved'), await number(account, 'Forgotten')];
  const hook = receiver(url);
  const { channelId } = await addChannel(account, { kind: 'webhook', target: url });
  const mute = async (json: object) =>
    (await ask('POST', '/v1/alert-mutes', { headers: account.owner, json })).body;
  const { id } = await mute({ numberId: moved, minutes: 60 });
  const second = await mute({ numberId: forgotten, kind: 'device.banned', minutes: 60 });
  expect(second).toMatchObject({ kind: 'device.banned', numberId: forgotten, createdBy: account.email });
  await raise(account, clock, moved);
  await raise(account, clock, forgotten);
  await tellLog(account, {
    ...deviceChanged({ numberId: moved, revision: 200, state: 'connected' }),
    at: Date.now(),
  } as Fact);
  await evictLog(account);
  await alarm(account);
  expect(await deliveriesTo(account, channelId)).toEqual([]);
  expect((await ask('GET', '/v1/alerts?open=true', { headers: account.owner })).body.data).toHaveLength(1);

  for (const gone of [id, second.id]) {
    const path = `/v1/alert-mutes/${gone}`;
    expect((await ask('DELETE', path, { headers: account.owner })).status).toBe(204);
    expect((await ask('DELETE', path, { headers: account.owner })).status).toBe(404);
  }
  clock.pass(gatherSeconds);
  await alarm(account);
  await deliveryThat(account, channelId, 'delivered');
  const { data } = JSON.parse(hook.callbacks[0]?.body ?? '');
  expect(data.alerts).toMatchObject([{ subject: `number:${forgotten}` }]);
  expect(hook.callbacks).toHaveLength(1);
});

test('a digest is one message a day with what happened, and a quiet day has none', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const hook = receiver(url);
  const hour = (new Date().getUTCHours() + 2) % 24;
  const digest = { hour, timeZone: 'UTC', only: true };
  const { channelId } = await addChannel(account, { kind: 'webhook', target: url, digest });
  await raise(account, clock);
  expect(await deliveriesTo(account, channelId)).toEqual([]);
  clock.pass(2 * 3600);
  await evictLog(account);
  await alarm(account);
  await deliveryThat(account, channelId, 'delivered');
  expect(JSON.parse(hook.callbacks[0]?.body ?? '')).toMatchObject({
    event: 'alert.digest',
    data: { alerts: [{ kind: 'device.banned' }] },
  });
  await alarm(account);
  expect(hook.callbacks).toHaveLength(1);
});

test('an account whose channels get more than their share of an hour is told the rest in one message', async () => {
  const clock = stopClock();
  const account = await openAccount();
  receiver(url);
  const { channelId } = await addChannel(account, { kind: 'webhook', target: url });
  for (let count = 1; count <= 23; count += 1) {
    await tellLog(account, ban());
    clock.pass(gatherSeconds);
    await eventually(async () => {
      await alarm(account);
      return (await deliveriesTo(account, channelId)).flatMap(({ alerts }) => alerts).length === count;
    });
  }
  await eventually(async () => {
    const all = await deliveriesTo(account, channelId);
    return all.filter(({ status }) => status === 'delivered').length === 20;
  });
  const waiting = await eventually(async () => {
    const pending = (await deliveriesTo(account, channelId)).filter(({ status }) => status === 'pending');
    return pending[0]?.alerts.length === 3 ? pending : null;
  });
  expect(waiting).toMatchObject([{ attempts: [] }]);
  expect((waiting[0]?.nextAttemptAt ?? 0) - Date.now()).toBeGreaterThan(3_000_000);
});

test('a trouble that comes while the last message of the hour is under way waits for the next one, and is told', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
  let asked = 0;
  receiver(url, async () => {
    asked += 1;
    if (asked === 20) await heard;
    return new Response(null, { status: 204 });
  });
  const { channelId } = await addChannel(account, { kind: 'webhook', target: url });
  for (let count = 1; count <= 20; count += 1) {
    await raise(account, clock);
    await eventually(async () => asked === count);
  }
  await raise(account, clock);
  const deliveries = await eventually(async () => {
    const all = await deliveriesTo(account, channelId);
    return all.flatMap(({ alerts }) => alerts).length === 21 ? all : null;
  });
  expect(deliveries.map(({ alerts }) => alerts.length)).toEqual(Array(21).fill(1));
  hear();
  await eventually(async () => {
    const all = await deliveriesTo(account, channelId);
    return all.filter(({ status }) => status === 'delivered').length === 20;
  });
});

test('a message through another number tells of a number in trouble, and where there is none it says so', async () => {
  const clock = stopClock();
  const account = await openAccount();
  const troubled = await number(account);
  const target = { numberId: troubled, to: '+62 812-3456-789' };
  const { channelId, target: shown } = await addChannel(account, { kind: 'whatsapp', target });
  expect(shown).toEqual({ numberId: troubled, to: '628123456789' });
  await raise(account, clock, troubled);
  const waiting = await eventually(async () => {
    const [one] = await deliveriesTo(account, channelId);
    return one?.attempts.length === 1 ? one : null;
  });
  expect(waiting).toMatchObject({
    status: 'pending',
    attempts: [{ error: 'No other number of the account is connected.' }],
  });

  const other = await addConnectedNumber(account);
  clock.pass(61);
  await alarm(account);
  await deliveryThat(account, channelId, 'delivered');
  const messages = await eventually(async () => {
    const found = await logOf(env, account.accountId).messages({ direction: 'outbound' }, 10, null);
    return found.messages.length > 0 && found.messages;
  });
  expect(messages).toMatchObject([
    {
      numberId: other,
      peer: '628123456789',
      content: { type: 'text', text: expect.stringContaining('Support desk was banned') },
      origin: { kind: 'alert', alertId: waiting.alerts[0]?.id },
    },
  ]);
});
