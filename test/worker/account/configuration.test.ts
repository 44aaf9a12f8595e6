import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { defaultPacing, type Pacing } from '../../../src/contract/numbers/sender-settings.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { sweep } from '../../../src/worker/sweep.ts';
import { deviceChanged } from '../../durable/event-log/event-log-fixture.ts';
import { doorWith } from '../configured-door.ts';
import { ask, openAccount } from '../front-door.ts';

/** A namespace of objects; `verb` of those with these names does not answer, or is watched by `note`. */
function namespaceWith<Name extends 'ACCOUNT' | 'PHONE_NUMBER' | 'EVENT_LOG'>(
  binding: Name,
  verb: string,
  { away = [], note = () => {} }: { away?: string[]; note?: (name: string, input: unknown) => void },
): Env[Name] {
  const getByName = (name: string) => {
    const stub = env[binding].getByName(name);
    return new Proxy(stub, {
      get: (target, property) => {
        const call = Reflect.get(target, property);
        if (property !== verb) return call;
        return (input: unknown) => {
          if (away.includes(name)) return Promise.reject(new Error('the object is away'));
          note(name, input);
          return Reflect.apply(call, target, input === undefined ? [] : [input]);
        };
      },
    });
  };
  return { getByName } as unknown as Env[Name];
}

test.each(['ACCOUNT', 'EVENT_LOG'] as const)(
  'a change that %s could not be told of is an error, and the cron tells it until it has heard',
  async (binding) => {
    const account = await openAccount();
    const away = { [binding]: namespaceWith(binding, 'refresh', { away: [account.accountId] }) };
    const told: string[] = [];
    const watched = () => {
      told.length = 0;
      return { ...env, [binding]: namespaceWith(binding, 'refresh', { note: (name) => told.push(name) }) };
    };
    const patch = { headers: account.owner, json: { stickyHours: 5 } };
    expect(await doorWith(away)('PATCH', '/v1/settings', patch)).toMatchObject({ status: 500 });

    await sweep({ ...env, ...away }, Date.now());
    await sweep(watched(), Date.now());
    expect(told).toContain(account.accountId);
    await sweep(watched(), Date.now());
    expect(told).not.toContain(account.accountId);
  },
);

test('a key whose revocation the account could not be told of is refused after the next run of the cron', async () => {
  const account = await openAccount();
  const usage = () => ask('GET', '/v1/usage', { headers: account.server });
  const away = { ACCOUNT: namespaceWith('ACCOUNT', 'refresh', { away: [account.accountId] }) };
  const path = `/v1/auth/api-keys/${account.apiKeyId}`;
  expect(await doorWith(away)('DELETE', path, { headers: account.owner })).toMatchObject({ status: 500 });
  expect(await usage()).toMatchObject({ status: 200 });
  await sweep(env, Date.now());
  expect(await usage()).toMatchObject({ status: 401, body: { error: { code: 'INVALID_API_KEY' } } });
});

test('a change after D1 was restored to an earlier state is in force when it is answered', async () => {
  const account = await openAccount();
  const before = await env.DB.prepare('select * from accounts where id = ?').bind(account.accountId).first();
  const json = { name: 'another' };
  await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
  await env.DB.prepare('update accounts set revision = ?, refreshed_revision = ? where id = ?')
    .bind(before?.revision, before?.refreshed_revision, account.accountId)
    .run();
  await ask('DELETE', `/v1/auth/api-keys/${account.apiKeyId}`, { headers: account.owner });
  expect(await ask('GET', '/v1/usage', { headers: account.server })).toMatchObject({ status: 401 });
});

test('one account that cannot be told is in the way of no other', async () => {
  const [stuck, other] = [await openAccount(), await openAccount()];
  const ids = [stuck.accountId, other.accountId];
  const away = { ACCOUNT: namespaceWith('ACCOUNT', 'refresh', { away: ids }) };
  for (const { owner } of [stuck, other]) {
    const json = { name: 'another' };
    const made = await doorWith(away)('POST', '/v1/auth/api-keys', { headers: owner, json });
    expect(made).toMatchObject({ status: 500 });
  }
  const told: string[] = [];
  const note = (name: string) => told.push(name);
  const stuckAlone = namespaceWith('ACCOUNT', 'refresh', { away: [stuck.accountId], note });
  await sweep({ ...env, ACCOUNT: stuckAlone }, Date.now());
  expect(told).toContain(other.accountId);
  await sweep({ ...env, ACCOUNT: namespaceWith('ACCOUNT', 'refresh', { note }) }, Date.now());
  expect(told).toContain(stuck.accountId);
});

test('a pacing that its number could not be told of reaches it with the next run of the cron', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const { numberId } = body;
  const away = { PHONE_NUMBER: namespaceWith('PHONE_NUMBER', 'configure', { away: [numberId] }) };
  const json = { pacing: { dailyLimit: 7 } };
  const patched = await doorWith(away)('PATCH', `/v1/numbers/${numberId}`, { headers: account.owner, json });
  expect(patched).toMatchObject({ status: 500 });

  const told: Record<string, Pacing> = {};
  const note = (name: string, pacing: unknown) => {
    told[name] = pacing as Pacing;
  };
  await sweep({ ...env, PHONE_NUMBER: namespaceWith('PHONE_NUMBER', 'configure', { note }) }, Date.now());
  expect(told[numberId]).toEqual({ ...defaultPacing, dailyLimit: 7 });
});

test('a number of whose deletion the log could not be told troubles nobody once it is asked for again', async () => {
  const account = await openAccount();
  const { owner: headers, accountId } = account;
  const { body } = await ask('POST', '/v1/numbers', { headers, json: { label: 'Desk' } });
  const { numberId } = body;
  await logOf(env, accountId).take([deviceChanged({ numberId, revision: 100, state: 'banned' })]);
  const away = { EVENT_LOG: namespaceWith('EVENT_LOG', 'forgetNumber', { away: [accountId] }) };
  const path = `/v1/numbers/${numberId}`;
  expect(await doorWith(away)('DELETE', path, { headers })).toMatchObject({ status: 500 });
  expect(await ask('DELETE', path, { headers })).toMatchObject({ status: 404 });
  const alerts = await ask('GET', '/v1/alerts', { headers });
  expect(alerts.body.data).toMatchObject([{ kind: 'device.banned', endedAt: expect.any(String) }]);
});
