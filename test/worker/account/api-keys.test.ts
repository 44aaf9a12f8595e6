import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { newApiKey } from '../../../src/worker/features/account/keys/api-key.ts';
import { doorWith } from '../configured-door.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

const refused = { status: 401, body: { error: { code: 'INVALID_API_KEY' } } };
const hello = { to: '628123456789', text: 'hello' };
const keysOf = async (account: TestAccount) =>
  (await ask('GET', '/v1/auth/api-keys', { headers: account.owner })).body.data;

async function makeKey(account: TestAccount, json: object) {
  const { status, body } = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
  return { status, body, server: { 'X-API-Key': body.key as string } };
}

test('a revocation is effective at once: of the sends that race it, none that begins after it is accepted', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const { body, server } = await makeKey(account, { name: 'racer' });
  let isRevoked = false;
  let isDone = false;
  const answers: { begunAfter: boolean; status: number }[] = [];
  const racers = Array.from({ length: 4 }, async () => {
    while (!isDone) {
      const begunAfter = isRevoked;
      const path = answers.length % 3 === 0 ? '/v1/usage' : '/v1/messages/send';
      const options = path === '/v1/usage' ? { headers: server } : { headers: server, json: hello };
      const { status } = await ask(path === '/v1/usage' ? 'GET' : 'POST', path, options);
      // Too fast is no verdict on the key.
      if (status !== 429) answers.push({ begunAfter, status });
      else await scheduler.wait(10);
    }
  });
  const seen = (begunAfter: boolean) => answers.filter((it) => it.begunAfter === begunAfter);
  await eventually(() => seen(false).length > 10);
  const revoked = await ask('DELETE', `/v1/auth/api-keys/${body.id}`, { headers: account.owner });
  isRevoked = true;
  expect(revoked.status).toBe(204);
  await eventually(() => seen(true).length > 20);
  isDone = true;
  await Promise.all(racers);
  expect(seen(false)[0]?.status).toBeLessThan(300);
  expect(new Set(seen(true).map(({ status }) => status))).toEqual(new Set([401]));
});

test('a key with an end is refused from then on, as if there were none', async () => {
  const account = await openAccount();
  const expiresAt = new Date(Date.now() + 3600_000).toISOString();
  const { status, body, server } = await makeKey(account, { name: 'short', expiresAt });
  expect(status).toBe(201);
  expect(body.expiresAt).toBe(expiresAt);
  expect((await keysOf(account))[0]).toMatchObject({ name: 'short', expiresAt });
  expect(await ask('GET', '/v1/usage', { headers: server })).toMatchObject({ status: 200 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(expiresAt) });
  try {
    expect(await ask('GET', '/v1/usage', { headers: server })).toMatchObject(refused);
    expect(await ask('POST', '/v1/messages/send', { headers: server, json: hello })).toMatchObject(refused);
    expect(await ask('GET', '/v1/usage', { headers: account.server })).toMatchObject({ status: 200 });
  } finally {
    vi.useRealTimers();
  }
});

test('a key that was revoked is listed no more', async () => {
  const account = await openAccount();
  const { body } = await makeKey(account, { name: 'till' });
  const names = async () => (await keysOf(account)).map(({ name }: { name: string }) => name);
  expect(await names()).toContain('till');
  await ask('DELETE', `/v1/auth/api-keys/${body.id}`, { headers: account.owner });
  expect(await names()).not.toContain('till');
});

test('a key cannot end in the past', async () => {
  const account = await openAccount();
  expect(await makeKey(account, { name: 'x', expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'expiresAt' }] } },
  });
});

test("a key's pin is changed with its next send, and so are its name and what happens when the pin is down", async () => {
  const account = await openAccount();
  const [first, second] = [
    await addConnectedNumber(account),
    await addConnectedNumber(account, '15550000002'),
  ];
  const { body, server } = await makeKey(account, { name: 'till', pinnedNumberId: first });
  const sender = async () =>
    (await ask('POST', '/v1/messages/send', { headers: server, json: hello })).body.numberId;
  const change = (json: object) =>
    ask('PATCH', `/v1/auth/api-keys/${body.id}`, { headers: account.owner, json });
  expect(await sender()).toBe(first);
  expect(await change({ pinnedNumberId: second })).toMatchObject({
    status: 200,
    body: { pinnedNumberId: second },
  });
  expect(await sender()).toBe(second);
  const renamed = await change({ name: 'Till 2', pinnedNumberId: null, onPinFailure: 'fallback' });
  expect(renamed.body).toMatchObject({
    name: 'Till 2',
    mode: 'pool',
    pinnedNumberId: null,
    onPinFailure: 'fallback',
  });
  expect(renamed.body.lastUsedAt).not.toBeNull();
  expect(renamed.body).not.toHaveProperty('key');
  const stranger = await openAccount();
  const theirs = await addConnectedNumber(stranger);
  expect(await change({ pinnedNumberId: theirs })).toMatchObject({ status: 400 });
  expect(await change({ keyHash: 'x' })).toMatchObject({ status: 400 });
  const foreign = { headers: stranger.owner, json: { name: 'mine' } };
  expect(await ask('PATCH', `/v1/auth/api-keys/${body.id}`, foreign)).toMatchObject({ status: 404 });
  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  expect(audit.body.data[0]).toMatchObject({ action: 'api_key.updated', targetName: 'Till 2' });
});

test('the last use of a key is exact to the second, and stays where it is while the key is not used', async () => {
  const account = await openAccount();
  const { server } = await makeKey(account, { name: 'till' });
  const lastUsedAt = async () => (await keysOf(account))[0].lastUsedAt;
  const second = Math.ceil(Date.now() / 1000) * 1000 + 60_000;
  const useAt = async (now: number, headers: Record<string, string>, path = '/v1/usage') => {
    vi.setSystemTime(now);
    await ask('GET', path, { headers });
  };
  vi.useFakeTimers({ toFake: ['Date'], now: second });
  try {
    await useAt(second + 900, server);
    expect(await lastUsedAt()).toBe(new Date(second + 900).toISOString());
    // 200 ms later, but in the next second.
    await useAt(second + 1100, server);
    expect(await lastUsedAt()).toBe(new Date(second + 1100).toISOString());
    await useAt(second + 20_000, account.server);
    await useAt(second + 21_000, account.owner);
    await useAt(second + 22_000, { 'X-API-Key': newApiKey(account.accountId, env.KEY_CHECKSUM_SECRET).key });
    await useAt(second + 23_000, { 'X-API-Key': `${server['X-API-Key'].slice(0, -1)}-` });
    expect(await lastUsedAt()).toBe(new Date(second + 1100).toISOString());
    // A request that is refused for something else was made with the key all the same.
    await useAt(second + 30_000, server, '/v1/messages?limit=0');
    expect(await lastUsedAt()).toBe(new Date(second + 30_000).toISOString());
    // D1 hears of it later.
    await env.DB.prepare('update api_keys set last_used_at = 1 where account_id = ?')
      .bind(account.accountId)
      .run();
    expect(await lastUsedAt()).toBe(new Date(second + 30_000).toISOString());
  } finally {
    vi.useRealTimers();
  }
});

test('a key that somebody has made up reaches no object', async () => {
  const account = await openAccount();
  const asked: string[] = [];
  const getByName = (name: string) => {
    asked.push(name);
    return env.ACCOUNT.getByName(name);
  };
  const door = doorWith({ ACCOUNT: { getByName } as unknown as Env['ACCOUNT'] });
  const madeUp = newApiKey(account.accountId, 'a guess').key;
  for (const key of [madeUp, account.server['X-API-Key']]) {
    const headers = { 'X-API-Key': key };
    expect(await door('GET', '/v1/usage', { headers })).toMatchObject({
      status: key === madeUp ? 401 : 200,
    });
    expect(asked.length > 0).toBe(key !== madeUp);
  }
});

test('of wrong keys all get one answer; only the log tells a typo from a key that was revoked', async () => {
  const account = await openAccount();
  const { body, server } = await makeKey(account, { name: 'gone' });
  await ask('DELETE', `/v1/auth/api-keys/${body.id}`, { headers: account.owner });
  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  expect(audit.body.data[0]).toMatchObject({ action: 'api_key.revoked', targetName: 'gone' });
  const key = server['X-API-Key'];
  const typo = `${key.slice(0, 40)}${key[40] === 'x' ? 'y' : 'x'}${key.slice(41)}`;
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const answers = [];
  const wrong: Record<string, string>[] = [
    {},
    { 'X-API-Key': typo },
    { 'X-API-Key': key },
    { 'X-API-Key': newApiKey(crypto.randomUUID(), env.KEY_CHECKSUM_SECRET).key },
  ];
  for (const headers of wrong) {
    answers.push(await ask('POST', '/v1/messages/send', { headers, json: hello }));
  }
  vi.restoreAllMocks();
  const shown = answers.map(({ status, body: { error } }) => ({ status, ...error, requestId: '' }));
  expect(new Set(shown.map((it) => JSON.stringify(it))).size).toBe(1);
  const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
  expect(requests.map(({ keyProblem }) => keyProblem)).toEqual([
    'missing',
    'malformed',
    'not_active',
    'not_active',
  ]);
  expect(lines.join('\n')).not.toContain(key.slice(30));
});

test('a key stands in the database as a hash and a prefix, nothing more', async () => {
  const account = await openAccount();
  const { results } = await env.DB.prepare('select * from api_keys where account_id = ?')
    .bind(account.accountId)
    .all();
  const key = account.server['X-API-Key'];
  const secret = key.slice('sk_live_'.length + 22 + 4);
  expect(JSON.stringify(results)).not.toContain(secret);
  expect(results[0]).toMatchObject({ prefix: key.slice(0, key.length - secret.length) });
});
