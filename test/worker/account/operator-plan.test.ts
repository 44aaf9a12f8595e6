import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { doorWith } from '../configured-door.ts';
import { ask, openAccount, type TestAccount } from '../front-door.ts';

const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };
const pathOf = ({ accountId }: { accountId: string }) => `/v1/operator/accounts/${accountId}/plan`;
const limitOf = async (account: TestAccount) =>
  (await ask('GET', '/v1/usage', { headers: account.server })).body.limit;

test('the operator puts an account on a plan by name, and it stands in the audit log, once', async () => {
  const account = await openAccount('Example Ltd');
  const door = doorWith({ PLANS: '{"business": 50000}' });
  const put = (plan: string) => door('PUT', pathOf(account), { headers: operator, json: { plan } });
  expect(await put('business')).toMatchObject({
    status: 200,
    body: { accountId: account.accountId, name: 'Example Ltd', plan: 'business', messagesAMonth: 50_000 },
  });
  expect(await put('business')).toMatchObject({ status: 200 });
  // The very next send is admitted under it.
  const known = await runInDurableObject(env.ACCOUNT.getByName(account.accountId), (_, { storage }) =>
    JSON.parse(storage.sql.exec<{ json: string }>('SELECT json FROM snapshot').one().json),
  );
  expect(known.plan).toBe('business');
  const { body } = await ask('GET', '/v1/audit-log', { headers: account.owner });
  const changes = body.data.filter(({ action }: { action: string }) => action === 'account.plan_changed');
  expect(changes).toMatchObject([
    { actor: 'operator', target: `account:${account.accountId}`, targetName: 'business' },
  ]);
  expect(await ask('GET', '/v1/audit-log/verify', { headers: account.owner })).toMatchObject({
    body: { valid: true },
  });
});

test('only plans of the configuration can be chosen, and only for accounts that exist', async () => {
  const account = await openAccount();
  const door = doorWith({ PLANS: '{"business": 50000}' });
  expect(await door('PUT', pathOf(account), { headers: operator, json: { plan: 'gold' } })).toMatchObject({
    status: 400,
    body: {
      error: { code: 'VALIDATION_ERROR', details: [{ path: 'plan', message: 'One of: free, business.' }] },
    },
  });
  const nobody = { accountId: crypto.randomUUID() };
  expect(await ask('PUT', pathOf(nobody), { headers: operator, json: { plan: 'free' } })).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND' } },
  });
  expect(await ask('PUT', pathOf(account), { headers: account.owner, json: { plan: 'free' } })).toMatchObject(
    { status: 401, body: { error: { code: 'UNAUTHENTICATED' } } },
  );
  expect(await limitOf(account)).toBe(Number(env.FREE_PLAN_MESSAGES));
});
