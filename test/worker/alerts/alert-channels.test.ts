import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { AlertChannelKind, AlertTarget } from '../../../src/contract/alerts/alert-channels.ts';
import { seriousAlertKinds } from '../../../src/contract/alerts/alerts.ts';
import type { AlertOrder } from '../../../src/durable/event-log/alerts/deliveries/alert-order.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { sealTarget } from '../../../src/worker/features/alerts/channels/channel-target.ts';
import { sendAlert } from '../../../src/worker/features/alerts/sending/send-alert.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';
import { interceptCallbacks, receiver } from '../webhooks/webhook-receiver.ts';
import { addChannel, channelOf } from './alert-fixture.ts';

interceptCallbacks();

const channels = async ({ owner }: TestAccount) =>
  (await ask('GET', '/v1/alert-channels', { headers: owner })).body.data;
const create = ({ owner }: TestAccount, json: object) =>
  ask('POST', '/v1/alert-channels', { headers: owner, json });
const botToken = '123456789:AAEexampleexampleexampleexampleexam';
const slackUrl = 'https://hooks.slack.com/services/T000/B000/verysecret';

test('the e-mail address of the owner is a channel for what is serious from the start', async () => {
  const account = await openAccount();
  expect(await channels(account)).toMatchObject([
    {
      kind: 'email',
      target: account.email,
      kinds: seriousAlertKinds,
      numberIds: 'all',
      enabled: true,
      state: 'no_mail_server',
    },
  ]);
});

test('of a secret target only the ends are shown, and it is sealed in the database', async () => {
  const account = await openAccount();
  const slack = await addChannel(account, { kind: 'slack', target: slackUrl });
  expect(slack.target).toBe('https://hooks.slack.com/…cret');
  const telegram = await addChannel(account, { kind: 'telegram', target: { botToken, chatId: '@alerts' } });
  expect(telegram.target).toEqual({ botToken: '123456789:…exam', chatId: '@alerts' });
  const hook = await addChannel(account, { kind: 'webhook', target: 'https://example.com/hook?token=abc' });
  expect(hook).toMatchObject({
    target: 'https://example.com/hook?…',
    secret: expect.stringMatching(/^whsec_/),
  });
  const { results } = await env.DB.prepare('select * from alert_channels where account_id = ?')
    .bind(account.accountId)
    .all();
  const stored = JSON.stringify(results);
  for (const secret of ['verysecret', botToken, 'token=abc', hook.secret])
    expect(stored).not.toContain(secret);
  expect(JSON.stringify(await channels(account))).not.toContain('whsec_');
});

test('a chat of a bot is changed without its token, and the token stays', async () => {
  const account = await openAccount();
  const { channelId } = await addChannel(account, { kind: 'telegram', target: { botToken, chatId: '-1' } });
  const patch = (json: object) =>
    ask('PATCH', `/v1/alert-channels/${channelId}`, { headers: account.owner, json });
  expect((await patch({ target: { chatId: '-2' }, name: 'Night shift' })).body).toMatchObject({
    name: 'Night shift',
    target: { botToken: '123456789:…exam', chatId: '-2' },
  });
  const api = receiver(`https://api.telegram.org/bot${botToken}/sendMessage`);
  const tested = await ask('POST', `/v1/alert-channels/${channelId}/test`, { headers: account.owner });
  expect(tested.body).toMatchObject({ status: 'delivered', statusCode: 200, error: null });
  expect(JSON.parse(api.callbacks[0]?.body ?? '')).toMatchObject({
    chat_id: '-2',
    text: expect.stringContaining('This is a test'),
  });
  expect((await patch({ target: 'https://example.com/' })).body.error.details[0].path).toBe('target');
});

test.each([
  ['a private address', { kind: 'webhook', target: 'https://10.1.2.3/' }, 'target'],
  ['a metadata address', { kind: 'slack', target: 'https://169.254.169.254/latest' }, 'target'],
  ['a private name', { kind: 'discord', target: 'https://intranet.corp/hook' }, 'target'],
  ['no URL', { kind: 'slack', target: 'hooks' }, 'target'],
  ['no address', { kind: 'email', target: 'ada' }, 'target'],
  ['no token', { kind: 'telegram', target: { botToken: 'x', chatId: '1' } }, 'target.botToken'],
  ['no chat', { kind: 'telegram', target: { botToken, chatId: 'the team' } }, 'target.chatId'],
  ['no phone number', { kind: 'whatsapp', target: { numberId: null, to: '12' } }, 'target.to'],
  [
    'a foreign number',
    { kind: 'whatsapp', target: { numberId: newUuid(), to: '628123456789' } },
    'target.numberId',
  ],
  ['a kind that is none', { kind: 'webhook', target: 'https://example.com/', kinds: ['boredom'] }, 'kinds'],
  [
    'a number of nobody',
    { kind: 'webhook', target: 'https://example.com/', numberIds: [newUuid()] },
    'numberIds.0',
  ],
  [
    'a zone that is none',
    { kind: 'slack', target: slackUrl, digest: { hour: 8, timeZone: 'Moon' } },
    'digest.timeZone',
  ],
  ['an unknown field', { kind: 'slack', target: slackUrl, chanel: '#ops' }, 'chanel'],
])('a channel with %s is refused, and the field named', async (_name, json, path) => {
  const answer = await create(await openAccount(), json);
  expect(answer.body.error?.details?.[0]?.path).toBe(path);
  expect(answer.status).toBe(400);
});

test('a channel to a number of the account is refused: nothing could be sent to it', async () => {
  const account = await openAccount();
  const own = '15550000044';
  await addConnectedNumber(account, own);
  const target = { numberId: null, to: `+${own}` };
  expect(await create(account, { kind: 'whatsapp', target })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'target.to', message: expect.stringContaining('this account') }] } },
  });
});

test('an account has a bounded number of channels, and no channel of another account is there', async () => {
  const [account, stranger] = [await openAccount(), await openAccount()];
  const answers = await Promise.all(
    Array.from({ length: 21 }, () => create(account, { kind: 'slack', target: slackUrl })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  const [{ channelId }] = await channels(account);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const json = method === 'PATCH' ? { json: { enabled: false } } : {};
    const path = `/v1/alert-channels/${channelId}`;
    expect((await ask(method, path, { headers: stranger.owner, ...json })).status).toBe(404);
  }
  expect((await ask('DELETE', `/v1/alert-channels/${channelId}`, { headers: account.owner })).status).toBe(
    204,
  );
  expect((await create(account, { kind: 'slack', target: slackUrl })).status).toBe(201);
});

test('a test shows what came of it, stands in the list, and is bounded', async () => {
  const account = await openAccount();
  const target = 'https://hooks.slack.com/services/T1/B1/gone';
  receiver(target, () => new Response('no_service', { status: 404 }));
  const { channelId } = await addChannel(account, { kind: 'slack', target });
  const tryIt = () => ask('POST', `/v1/alert-channels/${channelId}/test`, { headers: account.owner });
  const { body } = await tryIt();
  expect(body).toEqual({
    deliveryId: expect.any(String),
    status: 'failed',
    statusCode: 404,
    durationMs: expect.any(Number),
    error: 'Slack answered 404: no_service',
  });
  const { body: list } = await ask('GET', `/v1/alert-channels/${channelId}/deliveries`, {
    headers: account.owner,
  });
  expect(list.data).toMatchObject([
    { deliveryId: body.deliveryId, news: 'test', alertIds: [], status: 'failed', nextAttemptAt: null },
  ]);
  expect((await channelOf(account, channelId)).lastError).toBe('Slack answered 404: no_service');
  const statuses = new Set<number>();
  for (let index = 0; index < 20; index += 1) statuses.add((await tryIt()).status);
  expect(statuses).toContain(429);
});

/** A message to a channel, as the log asks for it. */
const orderTo = (kind: AlertChannelKind, shownTarget: AlertTarget, more: Partial<AlertOrder> = {}) => ({
  ...{ deliveryId: newUuid(), news: 'raised' as const, alerts: [], at: Date.now(), attempt: 1 },
  channel: { id: newUuid(), kind, shownTarget, sealedTarget: null, confirmedAt: null },
  ...more,
});

test('the secret before the last one signs what a webhook is told for its day, and then no more', async () => {
  const url = 'https://alerts.example.com/rotated';
  const hook = receiver(url);
  const secret = { url, signingSecret: 'whsec_new', previousSecret: 'whsec_old' };
  for (const previousUntil of [Date.now() + 60_000, Date.now() - 1]) {
    const order = orderTo('webhook', url);
    const sealedTarget = await sealTarget(env, order.channel.id, { ...secret, previousUntil });
    const channel = { ...order.channel, sealedTarget };
    expect(await sendAlert(env, newUuid(), { ...order, channel })).toMatchObject({ outcome: 'delivered' });
  }
  expect(hook.callbacks.map(({ headers }) => headers['x-service-signature-previous'])).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    undefined,
  ]);
});

test('a webhook that moves to another URL is signed as before, by a secret that was replaced too', async () => {
  const account = await openAccount();
  const { channelId } = await addChannel(account, {
    kind: 'webhook',
    target: 'https://alerts.example.com/a',
  });
  const path = `/v1/alert-channels/${channelId}`;
  await ask('POST', `${path}/rotate-secret`, { headers: account.owner });
  const target = 'https://alerts.example.com/b';
  await ask('PATCH', path, { headers: account.owner, json: { target } });
  const hook = receiver(target);
  await ask('POST', `${path}/test`, { headers: account.owner });
  const hex = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(hook.callbacks.map(({ headers }) => headers)).toMatchObject([
    { 'x-service-signature': hex, 'x-service-signature-previous': hex },
  ]);
});

test('a channel that is switched off or deleted gets nothing more from then on', async () => {
  const account = await openAccount();
  const channel = { kind: 'slack', target: slackUrl };
  const [off, gone] = [await addChannel(account, channel), await addChannel(account, channel)];
  const { owner: headers, accountId } = account;
  await ask('PATCH', `/v1/alert-channels/${off.channelId}`, { headers, json: { enabled: false } });
  await ask('DELETE', `/v1/alert-channels/${gone.channelId}`, { headers });
  const known = await runInDurableObject(logOf(env, accountId), (_, { storage }) =>
    JSON.parse(
      storage.sql
        .exec<{ json: string }>("SELECT json FROM log_state WHERE name = 'alerts.configuration'")
        .one().json,
    ),
  );
  const slack = known.channels.filter(({ kind }: { kind: string }) => kind === 'slack');
  expect(slack).toMatchObject([{ id: off.channelId, enabled: false }]);
});

test('a receiver that was too slow, asks for patience or is broken is asked again, and any other no is final', async () => {
  const url = 'https://hooks.slack.com/services/T2/B2/statuses';
  const order = orderTo('slack', url);
  const sealedTarget = await sealTarget(env, order.channel.id, { url });
  const channel = { ...order.channel, sealedTarget };
  const outcomes: string[] = [];
  for (const status of [408, 429, 500, 404, 410]) {
    receiver(url, () => new Response('no', { status }));
    outcomes.push((await sendAlert(env, newUuid(), { ...order, channel })).outcome);
  }
  expect(outcomes).toEqual(['retry', 'retry', 'retry', 'failed', 'failed']);
});

test('a message that one number took over is the same one where another number would send it by now', async () => {
  const sends: { numberId: string; idempotencyKey: string; bodyHash: string }[] = [];
  const [first, second] = [newUuid(), newUuid()];
  const sender = { state: 'connected', health: { status: 'healthy' } };
  let senders: object = { [first]: sender };
  let answer: object = { ok: true };
  const account = {
    senders: async () => senders,
    sendAs: async (send: (typeof sends)[number]) => {
      sends.push(send);
      return answer;
    },
  };
  const own = { ...env, ACCOUNT: { getByName: () => account } } as unknown as Env;
  const order = orderTo('whatsapp', { numberId: first, to: '628123456789' });
  await sendAlert(own, newUuid(), order);
  senders = { [second]: sender };
  await sendAlert(own, newUuid(), { ...order, attempt: 2 });
  const of = { idempotencyKey: `alert:${order.deliveryId}`, bodyHash: order.deliveryId };
  expect(sends).toMatchObject([
    { ...of, numberId: first },
    { ...of, numberId: second },
  ]);
  // One whose trouble is over tells of that itself.
  const over = { id: newUuid(), kind: 'device.banned' as const, subject: `number:${second}`, at: 0 };
  const alerts = [{ ...over, detail: {}, endedAt: 1, acknowledgedBy: null }];
  expect(await sendAlert(own, newUuid(), { ...order, alerts })).toMatchObject({ outcome: 'delivered' });
  // What passes with time is tried again, and what does not is over.
  const outcomes: string[] = [];
  for (const code of ['RATE_LIMITED', 'NO_HEALTHY_SENDER', 'QUOTA_EXCEEDED', 'RECIPIENT_FILTERED']) {
    answer = { ok: false, code, message: 'no' };
    outcomes.push((await sendAlert(own, newUuid(), order)).outcome);
  }
  expect(outcomes).toEqual(['retry', 'retry', 'failed', 'failed']);
});
