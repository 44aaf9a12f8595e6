import { env } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { ask, openAccount } from '../front-door.ts';
import { changed } from './delivery-fixture.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://rotation.example.com/hook';

async function rotatable() {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/webhooks', {
    headers: account.owner,
    json: { url, numberIds: 'all', events: 'all' },
  });
  const post = (path: string) => ask('POST', `/v1/webhooks/${body.id}${path}`, { headers: account.owner });
  return { account, id: body.id as string, secret: body.secret as string, post };
}

test('after a rotation both secrets sign for 24 hours, and then the new one alone', async () => {
  const { account, id, secret: old, post } = await rotatable();
  const { callbacks } = receiver(url);
  const rotated = await post('/rotate-secret');
  expect(rotated).toMatchObject({
    status: 200,
    body: { id, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
  });
  const { secret, ...shown } = rotated.body;
  expect(secret).not.toBe(old);
  const hours = (Date.parse(shown.previousSecretExpiresAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  expect((await ask('GET', `/v1/webhooks/${id}`, { headers: account.owner })).body).toEqual(shown);

  await post('/test');
  const { headers = {}, body = '' } = callbacks[0] ?? {};
  const signedBy = (key: string) =>
    createHmac('sha256', key).update(`${body}.${headers['x-service-timestamp']}`).digest('hex');
  expect(headers['x-service-signature']).toBe(signedBy(secret));
  expect(headers['x-service-signature-previous']).toBe(signedBy(old));
  for (const key of [secret, old]) expect(() => new Webhook(key).verify(body, headers)).not.toThrow();

  // A day later.
  await env.DB.prepare('update webhooks set previous_secret_until = ? where id = ?')
    .bind(Date.now(), id)
    .run();
  await changed(account.accountId);
  await post('/test');
  const later = callbacks[1];
  expect(later?.headers['x-service-signature-previous']).toBeUndefined();
  expect(() => new Webhook(secret).verify(later?.body ?? '', later?.headers ?? {})).not.toThrow();
  expect(() => new Webhook(old).verify(later?.body ?? '', later?.headers ?? {})).toThrow();
  const after = await ask('GET', `/v1/webhooks/${id}`, { headers: account.owner });
  expect(after.body.previousSecretExpiresAt).toBeNull();
});

test('two rotations at the same moment leave a secret that somebody was shown', async () => {
  const { id, post } = await rotatable();
  const { callbacks } = receiver(url);
  const answers = await Promise.all([post('/rotate-secret'), post('/rotate-secret'), post('/rotate-secret')]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  await post('/test');
  const { headers = {}, body = '' } = callbacks[0] ?? {};
  const shown = answers.filter(({ status }) => status === 200).map((answer) => answer.body.secret);
  expect(shown.some((secret) => isSigned(secret, body, headers))).toBe(true);
  const row = await env.DB.prepare('select * from webhooks where id = ?').bind(id).first();
  expect(JSON.stringify(row)).not.toContain('whsec_');
});

test('of two rotations at the same moment, every secret that somebody was shown signs', async () => {
  const { post } = await rotatable();
  const { callbacks } = receiver(url);
  const answers = await Promise.all([post('/rotate-secret'), post('/rotate-secret')]);
  await post('/test');
  const { headers = {}, body = '' } = callbacks[0] ?? {};
  const before = { ...headers, 'x-service-signature': headers['x-service-signature-previous'] ?? '' };
  const shown = answers.filter(({ status }) => status === 200).map((answer) => answer.body.secret);
  expect(shown.length).toBeGreaterThan(0);
  for (const secret of shown)
    expect(isSigned(secret, body, headers) || isSigned(secret, body, before)).toBe(true);
});

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  const expected = createHmac('sha256', secret)
    .update(`${body}.${headers['x-service-timestamp']}`)
    .digest('hex');
  return headers['x-service-signature'] === expected;
}
