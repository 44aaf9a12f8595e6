import { expect, test } from 'vitest';
import { ask, openAccount } from '../front-door.ts';
import { addAgent } from '../openapi/openapi-arrangements.ts';

test('an account is told with its plan and what it has of that, and can be renamed', async () => {
  const account = await openAccount('Example Ltd');
  const { owner: headers } = account;
  await ask('POST', '/v1/numbers', { headers, json: { label: 'Desk' } });
  await addAgent(account);
  const before = await ask('GET', '/v1/account', { headers });
  expect(before.body).toEqual({
    accountId: account.accountId,
    name: 'Example Ltd',
    plan: 'free',
    messagesAMonth: 1000,
    storageBytes: null,
    caps: { numbers: null, webhooks: null, keys: null, members: null, pairings: null },
    used: { numbers: 1, webhooks: 0, keys: 1, members: 2 },
    openToNewUsers: false,
    createdAt: expect.any(String),
  });
  const renamed = await ask('PATCH', '/v1/account', { headers, json: { name: 'Sample Ltd' } });
  expect(renamed.body).toEqual({ ...before.body, name: 'Sample Ltd' });
  const refused = await ask('PATCH', '/v1/account', { headers, json: { name: 'visit www.evil.example' } });
  expect(refused.status).toBe(400);
  // The name that it has already is no other one.
  await ask('PATCH', '/v1/account', { headers, json: { name: 'Sample Ltd' } });
  const log = await ask('GET', '/v1/audit-log', { headers });
  expect(log.body.data[0]).toMatchObject({ action: 'account.renamed', targetName: 'Sample Ltd' });
  const renamings = log.body.data.filter(({ action }: { action: string }) => action === 'account.renamed');
  expect(renamings).toHaveLength(1);
});

test('a person changes their name, and ends all their other sessions', async () => {
  const account = await openAccount();
  const { email, password, owner: headers } = account;
  const signIn = async () => {
    const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
    return { Authorization: `Bearer ${body.token}` };
  };
  const others = [await signIn(), await signIn()];
  const named = await ask('PATCH', '/v1/auth/me', { headers, json: { name: 'Grace' } });
  expect(named.body).toMatchObject({ user: { name: 'Grace', email }, account: { id: account.accountId } });
  expect((await ask('GET', '/v1/auth/me', { headers: others[0] })).body.user.name).toBe('Grace');
  const end = () => ask('DELETE', '/v1/auth/sessions', { headers });
  expect((await end()).status).toBe(204);
  for (const other of others) expect((await ask('GET', '/v1/auth/me', { headers: other })).status).toBe(401);
  expect((await end()).status).toBe(204);
  const { body } = await ask('GET', '/v1/auth/sessions', { headers });
  expect(body.data).toMatchObject([{ current: true }]);
  const log = await ask('GET', '/v1/audit-log?limit=50', { headers });
  const ended = log.body.data.filter(({ action }: { action: string }) => action === 'session.others_ended');
  expect(ended).toHaveLength(1);
});
