import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { setUsed } from '../../durable/account/account-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { interceptCallbacks, receiver } from '../webhooks/webhook-receiver.ts';
import { atOnce, countOf } from './at-once.ts';

interceptCallbacks();

const url = 'https://example.com/hook';
const to = '628123456789';

const send = (headers: Record<string, string>, text = 'hello') =>
  ask('POST', '/v1/messages/send', { headers, json: { to, text } });

test('sends at once under one Idempotency-Key are one message', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const answers = await atOnce(40, () => send({ ...account.server, 'Idempotency-Key': 'order 17' }));
  expect(countOf(answers)).toEqual({ 202: 40 });
  expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(1);
  const replayed = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true');
  expect(replayed).toHaveLength(39);
  expect((await ask('GET', '/v1/usage', { headers: account.server })).body).toMatchObject({ used: 1 });
});

test('at its quota an account has exactly as many sends accepted as the plan has, however many come at once', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const { body } = await ask('GET', '/v1/usage', { headers: account.server });
  await setUsed(env.ACCOUNT.getByName(account.accountId), body.limit - 7);
  const batch = (count: number) =>
    ask('POST', '/v1/messages/send-batch', {
      headers: account.server,
      json: { messages: Array.from({ length: count }, () => ({ to, text: 'hello' })) },
    });
  const [singles, batches] = await Promise.all([
    atOnce(12, () => send(account.server)),
    atOnce(3, () => batch(5)),
  ]);
  const counts = countOf(singles);
  const inBatches = batches.reduce((sum, answer) => sum + (answer.body.accepted ?? 0), 0);
  expect((counts[202] ?? 0) + inBatches).toBe(7);
  expect((counts[202] ?? 0) + (counts[402] ?? 0)).toBe(12);
  const usage = await ask('GET', '/v1/usage', { headers: account.server });
  expect(usage.body).toMatchObject({ used: body.limit, limit: body.limit });
});

/** A webhook with one delivery that is over, and how many callbacks came. */
async function webhookWithDelivery(account: TestAccount) {
  const { callbacks } = receiver(url);
  const json = { url, numberIds: 'all', events: 'all' };
  const { body: webhook } = await ask('POST', '/v1/webhooks', { headers: account.owner, json });
  await send(account.server);
  const delivery = await eventually(async () => {
    const path = `/v1/webhooks/${webhook.id}/deliveries?status=delivered`;
    return (await ask('GET', path, { headers: account.owner })).body.data[0];
  });
  return { webhook, delivery, callbacks };
}

test('a delivery that is redelivered twice at once goes out under an id of its own each time', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const { webhook, delivery, callbacks } = await webhookWithDelivery(account);
  const before = callbacks.length;
  const path = `/v1/webhooks/${webhook.id}/deliveries/${delivery.deliveryId}/redeliver`;
  const answers = await atOnce(2, () => ask('POST', path, { headers: account.owner }));
  expect(countOf(answers)).toEqual({ 202: 2 });
  const ids = answers.map(({ body }) => body.deliveryId);
  expect(new Set(ids).size).toBe(2);
  await eventually(() => callbacks.length >= before + 2);
  const sent = callbacks.slice(before).map(({ headers }) => headers['x-service-delivery-id']);
  expect(sent.sort()).toEqual(ids.sort());
});

test('what failed is redelivered once, also when that is asked for twice at once', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const hook = receiver(url, () => new Response(null, { status: 400 }));
  const json = { url, numberIds: 'all', events: ['message.queued'] };
  const { body: webhook } = await ask('POST', '/v1/webhooks', { headers: account.owner, json });
  await atOnce(3, () => send(account.server));
  await eventually(async () => {
    const path = `/v1/webhooks/${webhook.id}/deliveries?status=failed`;
    return (await ask('GET', path, { headers: account.owner })).body.data.length === 3;
  });
  hook.answers(() => new Response('ok'));
  const answers = await atOnce(2, () =>
    ask('POST', `/v1/webhooks/${webhook.id}/redeliver`, {
      headers: account.owner,
      json: { since: new Date(Date.now() - 60_000).toISOString() },
    }),
  );
  expect(countOf(answers)).toEqual({ 202: 2 });
  expect(answers.reduce((sum, { body }) => sum + body.count, 0)).toBe(3);
  await eventually(() => hook.callbacks.length >= 6);
  expect(hook.callbacks).toHaveLength(6);
});

test('no send is accepted that begins after the revocation of its key was answered', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  for (let round = 0; round < 5; round += 1) {
    const { body } = await ask('POST', '/v1/auth/api-keys', {
      headers: account.owner,
      json: { name: 'till' },
    });
    const server = { 'X-API-Key': body.key };
    expect((await send(server)).status).toBe(202);
    const revoked = ask('DELETE', `/v1/auth/api-keys/${body.id}`, { headers: account.owner });
    const during = atOnce(10, () => send(server));
    expect((await revoked).status).toBe(204);
    const after = await atOnce(10, () => send(server));
    expect(countOf(after)).toEqual({ 401: 10 });
    for (const { status } of await during) expect([202, 401]).toContain(status);
  }
});

test('secrets that are rotated at once leave the one that signs among those that were shown', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const { webhook, callbacks } = await webhookWithDelivery(account);
  const rotated = await atOnce(5, () =>
    ask('POST', `/v1/webhooks/${webhook.id}/rotate-secret`, { headers: account.owner }),
  );
  const secrets = rotated.filter(({ status }) => status === 200).map(({ body }) => body.secret);
  for (const { status } of rotated) expect([200, 409, 429]).toContain(status);
  const before = callbacks.length;
  await ask('POST', `/v1/webhooks/${webhook.id}/test`, { headers: account.owner });
  const signed = callbacks[before];
  const signatures = await Promise.all(
    secrets.map((secret) => signature(secret, `${signed?.body}.${signed?.headers['x-service-timestamp']}`)),
  );
  expect(signatures).toContain(signed?.headers['x-service-signature']);
});

async function signature(secret: string, text: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
