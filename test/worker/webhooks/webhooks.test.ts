import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { openSecret } from '../../../src/durable/sealed-secret.ts';
import { queued, record } from '../../durable/event-log/event-log-fixture.ts';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { attemptsOf, deliveriesOf, oneEvent, tell } from './delivery-fixture.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://webhooks.example.com/hook';

const create = (account: TestAccount, json: Record<string, unknown> = {}) =>
  ask('POST', '/v1/webhooks', {
    headers: account.owner,
    json: { url, numberIds: 'all', events: 'all', ...json },
  });

test('the secret of a webhook is shown once, and stored only where the sealing key opens it', async () => {
  const account = await openAccount();
  const numberId = newUuid();
  await env.DB.prepare(
    `insert into numbers (id, account_id, label, in_pool, created_at) values (?, ?, 'Sales', 1, 0)`,
  )
    .bind(numberId, account.accountId)
    .run();
  const created = await create(account, {
    numberIds: [numberId, numberId],
    events: ['message.sent'],
    description: 'Orders',
  });
  expect(created.status).toBe(201);
  const { secret, ...shown } = created.body;
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(shown).toEqual({
    id: expect.any(String),
    url,
    numberIds: [numberId],
    events: ['message.sent'],
    description: 'Orders',
    headerNames: [],
    enabled: true,
    failureStreak: 0,
    disabledReason: null,
    lastDeliveryAt: null,
    previousSecretExpiresAt: null,
    createdAt: expect.any(String),
  });
  const one = await ask('GET', `/v1/webhooks/${shown.id}`, { headers: account.owner });
  expect(one.body).toEqual(shown);
  const list = await ask('GET', '/v1/webhooks', { headers: account.owner });
  expect(list.body).toEqual({ data: [shown], nextCursor: null });

  const row = await env.DB.prepare('select * from webhooks where id = ?').bind(shown.id).first();
  const sealed = String(row?.sealed_secret);
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(await openSecret(env, shown.id, sealed)).toBe(secret);
  await expect(openSecret(env, crypto.randomUUID(), sealed)).rejects.toThrow();
  await expect(openSecret({ WEBHOOK_SEALING_KEY: btoa('x'.repeat(32)) }, shown.id, sealed)).rejects.toThrow();
});

test('a webhook is changed field by field, and another account does not see it', async () => {
  const [account, stranger] = [await openAccount(), await openAccount()];
  const { body } = await create(account);
  const path = `/v1/webhooks/${body.id}`;
  const { secret: _, ...shown } = body;
  const change = (json: unknown) => ask('PATCH', path, { headers: account.owner, json });
  expect((await change({ description: 'Orders' })).body).toEqual({ ...shown, description: 'Orders' });
  expect((await change({ events: ['message.read'], url: `${url}/2` })).body).toEqual({
    ...shown,
    description: 'Orders',
    events: ['message.read'],
    url: `${url}/2`,
  });
  const { body: number } = await ask('POST', '/v1/numbers', {
    headers: account.owner,
    json: { label: 'Sales' },
  });
  for (const numberIds of [[number.numberId], 'all']) {
    expect((await change({ numberIds })).body).toMatchObject({ numberIds });
    expect((await ask('GET', path, { headers: account.owner })).body).toMatchObject({ numberIds });
  }
  expect((await change({})).status).toBe(200);
  const invalid: [unknown, string][] = [
    [{ url: 'http://example.com' }, 'url'],
    [{ secret: 'whsec_mine' }, 'secret'],
    [{ enabled: 'no' }, 'enabled'],
    [{ numberIds: [crypto.randomUUID()] }, 'numberIds.0'],
  ];
  for (const [json, field] of invalid) {
    expect(await change(json)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: field }] } },
    });
  }
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const json = method === 'PATCH' ? { enabled: false } : undefined;
    expect(await ask(method, path, { headers: stranger.owner, json })).toMatchObject({ status: 404 });
  }
  expect(await ask('DELETE', path, { headers: account.owner })).toMatchObject({ status: 204 });
  expect(await ask('GET', path, { headers: account.owner })).toMatchObject({ status: 404 });
});

test('what was on its way when a webhook was switched off goes out when it is switched on again', async () => {
  const account = await openAccount();
  const hook = receiver(url, () => new Response(null, { status: 500 }));
  const { body } = await create(account);
  const webhook = { id: body.id, accountId: account.accountId };
  const path = `/v1/webhooks/${body.id}`;
  await tell(account.accountId, oneEvent());
  await eventually(async () =>
    attemptsOf((await deliveriesOf(webhook))[0] ?? { attempts: [] }).includes(500),
  );
  await ask('PATCH', path, { headers: account.owner, json: { enabled: false } });
  expect((await deliveriesOf(webhook))[0]).toMatchObject({ status: 'held', nextAttemptAt: null });
  expect(hook.callbacks).toHaveLength(1);

  hook.answers(() => new Response());
  const on = await ask('PATCH', path, { headers: account.owner, json: { enabled: true } });
  expect(on.body).toMatchObject({ enabled: true, failureStreak: 0 });
  await eventually(async () => (await deliveriesOf(webhook))[0]?.status === 'delivered');
  const shown = await ask('GET', path, { headers: account.owner });
  expect(shown.body.lastDeliveryAt).toEqual(expect.any(String));
});

test('deliveries are listed newest first, page by page, and by status and event', async () => {
  const account = await openAccount();
  const { body } = await create(account);
  const webhook = { id: body.id, accountId: account.accountId };
  receiver(url, () => new Response(null, { status: 404 }));
  for (let index = 0; index < 3; index += 1) await tell(account.accountId, oneEvent());
  await eventually(async () => {
    const rows = await deliveriesOf(webhook);
    return rows.length === 3 && rows.every(({ status }) => status === 'failed');
  });
  const list = (query: string) =>
    ask('GET', `/v1/webhooks/${body.id}/deliveries?${query}`, { headers: account.owner });
  const all = (await list('')).body.data.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  expect(all).toEqual([...all].sort().reverse());
  const first = await list('limit=2&status=failed&event=message.queued');
  expect(first.body.data.map(({ deliveryId }: { deliveryId: string }) => deliveryId)).toEqual(
    all.slice(0, 2),
  );
  const second = await list(`limit=2&cursor=${first.body.nextCursor}`);
  expect(second.body.data.map(({ deliveryId }: { deliveryId: string }) => deliveryId)).toEqual(all.slice(2));
  expect(second.body.nextCursor).toBeNull();
  expect((await list('status=delivered')).body.data).toEqual([]);
  expect((await list('event=message.read')).body.data).toEqual([]);
  expect(await list('status=lost')).toMatchObject({ status: 400 });
});

test('a webhook gets message.queued once, signed in both ways', async () => {
  const account = await openAccount();
  const { callbacks } = receiver(url);
  const { secret, id } = (await create(account)).body;
  const message = record();
  await tell(account.accountId, queued(message));
  const callback = await eventually(async () => callbacks[0]);
  const { headers, body } = callback;
  expect(JSON.parse(body)).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
    event: 'message.queued',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: {
      messageId: message.messageId,
      numberId: message.numberId,
      to: '628123456789',
      chatType: 'personal',
      messageType: 'text',
      status: 'queued',
    },
  });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Heliograph-Webhooks/1.0',
    'x-service-event': 'message.queued',
    'x-service-attempt': '1',
    'x-service-delivery-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'webhook-id': JSON.parse(body).id,
  });
  const expected = createHmac('sha256', secret)
    .update(`${body}.${headers['x-service-timestamp']}`)
    .digest('hex');
  expect(headers['x-service-signature']).toBe(expected);
  expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();

  const shown = await eventually(async () => {
    const list = await ask('GET', `/v1/webhooks/${id}/deliveries?status=delivered`, {
      headers: account.owner,
    });
    return list.body.data[0];
  });
  expect(shown).toEqual({
    deliveryId: headers['x-service-delivery-id'],
    eventId: JSON.parse(body).id,
    event: 'message.queued',
    status: 'delivered',
    attempts: [
      {
        at: headers['x-service-timestamp'],
        statusCode: 200,
        durationMs: expect.any(Number),
        error: null,
        responseSnippet: 'ok',
      },
    ],
    nextAttemptAt: null,
  });
  expect(callbacks).toHaveLength(1);
});

test('a webhook that is switched off, changed or deleted is so for the very next event', async () => {
  const account = await openAccount();
  const [first, second] = [receiver(url), receiver(`${url}/2`)];
  const { body } = await create(account);
  const path = `/v1/webhooks/${body.id}`;
  const change = (json: unknown) => ask('PATCH', path, { headers: account.owner, json });
  const told = () => tell(account.accountId, oneEvent());
  await told();
  await eventually(() => first.callbacks.length === 1);
  await change({ url: `${url}/2` });
  await told();
  await eventually(() => second.callbacks.length === 1);
  await change({ enabled: false });
  await told();
  await change({ enabled: true });
  await told();
  await eventually(() => second.callbacks.length === 2);
  await ask('DELETE', path, { headers: account.owner });
  await told();
  const { body: last } = await create(account);
  await told();
  await eventually(() => first.callbacks.length === 2);
  expect(last.id).not.toBe(body.id);
  expect(second.callbacks).toHaveLength(2);
});

test('headers of the receiver come with each callback, are shown nowhere, and are for one host alone', async () => {
  const account = await openAccount();
  const hook = receiver(url);
  const token = 'Basic b3JkZXJzOnMzY3JldA==';
  const created = await create(account, { headers: { Authorization: token, 'X-Tenant': 'north' } });
  expect(created.body.headerNames).toEqual(['Authorization', 'X-Tenant']);
  const path = `/v1/webhooks/${created.body.id}`;
  const patch = (json: object) => ask('PATCH', path, { headers: account.owner, json });
  const test = () => ask('POST', `${path}/test`, { headers: account.owner });
  expect((await test()).body.status).toBe('delivered');
  expect(hook.callbacks.at(-1)?.headers.authorization).toBe(token);
  expect(hook.callbacks.at(-1)?.headers['x-tenant']).toBe('north');
  // One is taken away, one is set, and the one that is not named stays.
  const changed = await patch({ headers: { 'X-Tenant': null, 'X-Route': 'b' } });
  expect(changed.body.headerNames).toEqual(['Authorization', 'X-Route']);
  await test();
  expect(hook.callbacks.at(-1)?.headers['x-tenant']).toBeUndefined();
  expect(hook.callbacks.at(-1)?.headers.authorization).toBe(token);
  const row = await env.DB.prepare('select * from webhooks where id = ?').bind(created.body.id).first();
  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  const shown = await ask('GET', path, { headers: account.owner });
  expect(JSON.stringify([row, audit.body, shown.body, changed.body, created.body])).not.toContain('b3JkZXJz');
  // Whoever points it at another host does not learn them.
  const elsewhere = receiver('https://other.example.com/hook');
  const moved = await patch({ url: 'https://other.example.com/hook' });
  expect(moved.body.headerNames).toEqual([]);
  await test();
  expect(elsewhere.callbacks.at(-1)?.headers.authorization).toBeUndefined();
  // Nor does whoever brings others with the same change.
  await patch({ headers: { Authorization: token } });
  const back = await patch({ url, headers: { 'X-Route': 'c' } });
  expect(back.body.headerNames).toEqual(['X-Route']);
  await test();
  expect(hook.callbacks.at(-1)?.headers.authorization).toBeUndefined();
});

test('headers that cannot be are refused by name, and a change may not bring more than ten', async () => {
  const account = await openAccount();
  const refused = await create(account, { headers: { 'X-Service-Event': 'mine' } });
  expect(refused.status).toBe(400);
  expect(refused.body.error.details).toMatchObject([{ path: 'headers.X-Service-Event' }]);
  const some = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${from + index}`, 'one']));
  const created = await create(account, { headers: some(0, 6) });
  const patched = await ask('PATCH', `/v1/webhooks/${created.body.id}`, {
    headers: account.owner,
    json: { headers: some(6, 5) },
  });
  expect(patched.body.error.details).toMatchObject([{ path: 'headers' }]);
});
