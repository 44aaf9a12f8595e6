import { env } from 'cloudflare:workers';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { ask, openAccount, type TestAccount } from '../front-door.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';

const minute = 60_000;

/** Everybody of the account has shown so long ago that it is them. */
async function confirmedAgo({ accountId }: TestAccount, ms: number): Promise<void> {
  const update = 'update sessions set confirmed_at = ? where account_id = ?';
  await env.DB.prepare(update)
    .bind(Date.now() - ms, accountId)
    .run();
}

const stepUp = ({ owner }: TestAccount, json: object) =>
  ask('POST', '/v1/auth/step-up', { headers: owner, json });

async function addNumber({ owner }: TestAccount): Promise<string> {
  const { body } = await ask('POST', '/v1/numbers', { headers: owner, json: { label: 'Desk' } });
  return body.numberId;
}

test('a number is deleted within ten minutes after the sign-in, and later once the person has shown that it is them', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  await confirmedAgo(account, 9 * minute);
  expect((await ask('DELETE', `/v1/numbers/${await addNumber(account)}`, { headers })).status).toBe(204);
  await confirmedAgo(account, 11 * minute);
  const path = `/v1/numbers/${await addNumber(account)}`;
  expect(await ask('DELETE', path, { headers })).toMatchObject({
    status: 403,
    body: {
      error: {
        code: 'STEP_UP_REQUIRED',
        details: [{ confirmAt: '/v1/auth/step-up', withinSeconds: 600 }],
      },
    },
  });
  expect((await ask('GET', path, { headers })).status).toBe(200);
  expect(await stepUp(account, { password: 'not the password' })).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', details: [{ path: 'password' }] } },
  });
  expect((await ask('DELETE', path, { headers })).status).toBe(403);
  const confirmed = await stepUp(account, { password: account.password });
  expect(Date.parse(confirmed.body.confirmedUntil) - Date.now()).toBeGreaterThan(9 * minute);
  expect((await ask('DELETE', path, { headers })).status).toBe(204);
});

test('somebody whose session says nothing of when they confirmed who they are is asked to', async () => {
  const account = await openAccount();
  const path = `/v1/numbers/${await addNumber(account)}`;
  await env.DB.prepare('update sessions set confirmed_at = null where account_id = ?')
    .bind(account.accountId)
    .run();
  expect(await ask('DELETE', path, { headers: account.owner })).toMatchObject({
    status: 403,
    body: { error: { code: 'STEP_UP_REQUIRED' } },
  });
});

test('everybody whom a campaign is for is a list for all, and a file for who has shown lately that it is them', async () => {
  const account = await openAccount();
  const campaign = { name: 'Spring', message: { text: 'Hello' }, audience: { all: true } };
  const made = await ask('POST', '/v1/campaigns', { headers: account.owner, json: campaign });
  const path = `/v1/campaigns/${made.body.campaignId}/recipients`;
  const asFile = { headers: { ...account.owner, Accept: 'text/csv' } };
  expect((await ask('GET', path, asFile)).status).toBe(200);
  await confirmedAgo(account, 11 * minute);
  expect((await ask('GET', path, { headers: account.owner })).status).toBe(200);
  expect((await ask('GET', path, asFile)).body.error.code).toBe('STEP_UP_REQUIRED');
});

test('it counts for the session in which it was shown alone', async () => {
  const account = await openAccount();
  const { email, password } = account;
  await confirmedAgo(account, 11 * minute);
  const other = await ask('POST', '/v1/auth/login', { json: { email, password } });
  const path = `/v1/numbers/${await addNumber(account)}`;
  expect((await ask('DELETE', path, { headers: account.owner })).status).toBe(403);
  const fresh = { Authorization: `Bearer ${other.body.token}` };
  expect((await ask('DELETE', path, { headers: fresh })).status).toBe(204);
});

test('a code of the second factor will do, once, where there is one', async () => {
  const account = await openAccount();
  const { owner: headers, password } = account;
  expect((await stepUp(account, { code: '123456' })).body.error.code).toBe('CONFLICT');
  const enabled = await ask('POST', '/v1/auth/two-factor/enable', { headers, json: { password } });
  const code = new TOTP({ secret: Secret.fromBase32(enabled.body.secret) }).generate();
  const on = await ask('POST', '/v1/auth/two-factor/verify', { headers, json: { code } });
  await confirmedAgo(account, 11 * minute);
  const wrong = await stepUp(account, { code });
  expect(wrong).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  expect((await stepUp(account, { code: on.body.recoveryCodes[0] })).status).toBe(200);
  expect((await stepUp(account, { code: on.body.recoveryCodes[0] })).status).toBe(403);
  expect((await ask('DELETE', `/v1/numbers/${await addNumber(account)}`, { headers })).status).toBe(204);
});

test.each([[{}], [{ password: 'one', code: '123456' }]])(
  '%j is neither a password nor a code',
  async (json) => {
    const { status, body } = await stepUp(await openAccount(), json);
    expect([status, body.error.details[0].path]).toEqual([400, 'password']);
  },
);

describe('owners', () => {
  test('are made, changed, invited and removed only by one who has shown that it is them; others are not asked', async () => {
    const account = await openAccount();
    const { owner: headers } = account;
    const { userId } = await addMember(account, 'agent');
    await confirmedAgo(account, 11 * minute);
    const change = (role: string) => ask('PATCH', `/v1/auth/members/${userId}`, { headers, json: { role } });
    const needsStepUp = { status: 403, body: { error: { code: 'STEP_UP_REQUIRED' } } };
    expect((await change('admin')).status).toBe(200);
    expect(await change('owner')).toMatchObject(needsStepUp);
    const invitation = { email: `${crypto.randomUUID()}@example.com`, role: 'owner' };
    expect(await ask('POST', '/v1/auth/invitations', { headers, json: invitation })).toMatchObject(
      needsStepUp,
    );
    await stepUp(account, { password: account.password });
    expect((await change('owner')).status).toBe(200);
    await confirmedAgo(account, 11 * minute);
    expect(await change('agent')).toMatchObject(needsStepUp);
    expect(await ask('DELETE', `/v1/auth/members/${userId}`, { headers })).toMatchObject(needsStepUp);
    await stepUp(account, { password: account.password });
    expect((await ask('DELETE', `/v1/auth/members/${userId}`, { headers })).status).toBe(204);
  });
});

describe('what outlasts a token that somebody has stolen wants the person themselves', () => {
  const dangerous: [string, string, object?][] = [
    ['POST', '/v1/auth/api-keys', { name: 'for ever' }],
    ['POST', '/v1/webhooks', { url: 'https://example.com/hook', numberIds: 'all', events: 'all' }],
    [
      'POST',
      '/v1/alert-channels',
      { kind: 'slack', target: 'https://hooks.slack.com/services/a', kinds: 'all', numberIds: 'all' },
    ],
    ['GET', '/v1/contacts/export'],
  ];

  test.each(dangerous)('%s %s', async (method, path, json) => {
    const account = await openAccount();
    const call = () => ask(method, path, { headers: account.owner, ...(json && { json }) });
    await confirmedAgo(account, 11 * minute);
    expect(await call()).toMatchObject({ status: 403, body: { error: { code: 'STEP_UP_REQUIRED' } } });
    await stepUp(account, { password: account.password });
    expect((await call()).status).toBeLessThan(300);
  });

  test('a webhook is sent elsewhere, and gets another secret; the rest of it changes without', async () => {
    const account = await openAccount();
    const { owner: headers } = account;
    const json = { url: 'https://example.com/hook', numberIds: 'all', events: 'all' };
    const { id } = (await ask('POST', '/v1/webhooks', { headers, json })).body;
    const path = `/v1/webhooks/${id}`;
    await confirmedAgo(account, 11 * minute);
    const asked = { status: 403, body: { error: { code: 'STEP_UP_REQUIRED' } } };
    const change = (changes: object) => ask('PATCH', path, { headers, json: changes });
    expect(await change({ url: 'https://elsewhere.example/hook' })).toMatchObject(asked);
    expect(await ask('POST', `${path}/rotate-secret`, { headers })).toMatchObject(asked);
    expect(await change({ url: json.url, description: 'The till' })).toMatchObject({ status: 200 });
    // A server's key is nobody's who could type a password.
    const byKey = { headers: account.server, json: { url: 'https://elsewhere.example/hook' } };
    expect(await ask('PATCH', path, byKey)).toMatchObject({ status: 200 });
  });
});
