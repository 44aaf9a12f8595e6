import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { refuseMadeUpKey } from '../../../src/worker/auth/made-up-keys/refuse-made-up-key.ts';
import { newApiKey } from '../../../src/worker/features/account/keys/api-key.ts';
import { doorWith } from '../configured-door.ts';
import { ask, openAccount } from '../front-door.ts';
import { calls, expectDocumented } from '../openapi/openapi-document.ts';

/** As wrangler.toml has it. */
const failuresAMinute = 60;

let lastAddress = 0;
/** Nobody else's: what failed from it stays counted for a minute. */
function newAddress(): Record<string, string> {
  lastAddress += 1;
  return { 'CF-Connecting-IP': `100.64.${Math.floor(Math.random() * 256)}.${lastAddress}` };
}

const statusesOf = async (times: number, read: () => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < times; attempt += 1) statuses.push((await read()).status);
  return statuses;
};

/** Until it waits. What failed is counted by the minute: where one ends meanwhile, the count begins anew, once. */
async function failUntilItWaits(read: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length <= 2 * failuresAMinute) {
    statuses.push((await read()).status);
  }
  return statuses;
}

/** A door whose objects, database and counter of failures count who asks them. */
function countingDoor() {
  const asked = { objects: 0, database: 0, counter: 0 };
  const getByName = (name: string) => {
    asked.objects += 1;
    return env.ACCOUNT.getByName(name);
  };
  const DB = new Proxy(env.DB, {
    get: (target, name) => {
      asked.database += 1;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const limit = (options: { key: string }) => {
    asked.counter += 1;
    return env.FAILED_CHECKS.limit(options);
  };
  const ACCOUNT = { getByName } as unknown as Env['ACCOUNT'];
  return { asked, door: doorWith({ ACCOUNT, DB, FAILED_CHECKS: { limit } }) };
}

test('made-up keys are refused by address after some failures, and reach no object, no database and no counter', async () => {
  const { accountId, server } = await openAccount();
  const { asked, door } = countingDoor();
  const from = newAddress();
  const madeUp = () => ({ 'X-API-Key': newApiKey(accountId, 'a guess').key, ...from });
  const read = () => door('GET', '/v1/usage', { headers: madeUp() });
  const statuses = await failUntilItWaits(read);
  expect(statuses.slice(0, -1)).toEqual(Array.from({ length: statuses.length - 1 }, () => 401));
  expect(statuses.length).toBeGreaterThan(10);
  expect([statuses.at(-1), ...(await statusesOf(10, read))]).toEqual(Array.from({ length: 11 }, () => 429));
  expect(asked).toEqual({ objects: 0, database: 0, counter: 0 });
  const refused = await door('POST', '/v1/messages/send', { headers: madeUp(), json: {} });
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  // A key that was made here is none of those, wherever it comes from.
  expect(await door('GET', '/v1/usage', { headers: { ...server, ...from } })).toMatchObject({ status: 200 });
  // Another address has failed at nothing yet.
  expect(await door('GET', '/v1/usage', { headers: { ...madeUp(), ...newAddress() } })).toMatchObject({
    status: 401,
  });
});

test('what a made-up key is answered at once, while its address waits, looks like any other refusal', async () => {
  const { accountId, server } = await openAccount();
  const from = newAddress();
  const knock = (more: Record<string, string> = {}, raw = '{}') =>
    ask('POST', '/v1/messages/send', {
      headers: { 'X-API-Key': newApiKey(accountId, 'a guess').key, ...from, ...more },
      raw,
    });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await failUntilItWaits(knock);
    const shape = ({ status, headers, body }: Awaited<ReturnType<typeof knock>>) => {
      const { requestId, ...error } = body.error;
      expect(headers.get('X-Request-Id')).toBe(requestId);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
      const own = new Set(['x-request-id', 'retry-after']);
      return { status, error, headers: [...headers].filter(([name]) => !own.has(name)) };
    };
    // A page of another origin is answered the long way: what it may read depends on who it is.
    const long = shape(await knock({ Origin: 'https://elsewhere.example' }));
    expect(long).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    expect(shape(await knock())).toEqual(long);
    expect(shape(await knock({}, 'x'.repeat(100_000)))).toEqual(long);
    // Nobody else at that address is answered so: neither a good key nor who brings none.
    expect(await ask('GET', '/v1/usage', { headers: { ...server, ...from } })).toMatchObject({ status: 200 });
    expect(await ask('GET', '/v1/usage', { headers: from })).toMatchObject({ status: 401 });
  } finally {
    vi.useRealTimers();
  }
});

test('a made-up key, while its address waits, is refused before anybody looks at what it asks for', async () => {
  const { accountId } = await openAccount();
  const from = newAddress();
  const knock = (path: string, more: Record<string, string> = {}) =>
    ask('GET', path, { headers: { 'X-API-Key': newApiKey(accountId, 'a guess').key, ...from, ...more } });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    expect(await knock('/v1/no-such-thing')).toMatchObject({ status: 404 });
    await failUntilItWaits(() => knock('/v1/usage'));
    expect(await knock('/v1/no-such-thing')).toMatchObject({ status: 429 });
    // What is no part of the API asks for no key.
    expect(await knock('/healthz')).toMatchObject({ status: 200 });
    // As far as the routes goes only what a page asks.
    expect(await knock('/v1/no-such-thing', { Origin: 'https://elsewhere.example' })).toMatchObject({
      status: 404,
    });
  } finally {
    vi.useRealTimers();
  }
});

test('a made-up key, while its address waits, is refused as documented wherever it goes', async () => {
  const { accountId } = await openAccount();
  const from = newAddress();
  const headers = { 'X-API-Key': newApiKey(accountId, 'a guess').key, ...from };
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await failUntilItWaits(() => ask('GET', '/v1/usage', { headers }));
    for (const call of calls.filter(({ path }) => path.startsWith('/v1/'))) {
      const answer = await ask(call.method, call.path, { headers });
      expect(answer.status, `${call.method} ${call.path}`).toBe(429);
      expectDocumented(call, answer);
    }
  } finally {
    vi.useRealTimers();
  }
});

test('what a flood of made-up keys from many addresses is answered looks like the first refusals of it', async () => {
  const { accountId } = await openAccount();
  const knock = async (from: Record<string, string>) => {
    const headers = { 'X-API-Key': newApiKey(accountId, 'a guess').key, ...from };
    const refused = await ask('POST', '/v1/messages/send', { headers, raw: '{}' });
    const { requestId, ...error } = refused.body.error;
    expect(refused.headers.get('X-Request-Id')).toBe(requestId);
    const shown = [...refused.headers].filter(([name]) => name !== 'x-request-id');
    return { status: refused.status, error, headers: shown };
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const first = await knock(newAddress());
    expect(first).toMatchObject({ status: 401, error: { code: 'INVALID_API_KEY' } });
    for (let times = 0; times < 40; times += 1) expect(await knock(newAddress())).toEqual(first);
    // Each counts for its address all the same.
    const from = newAddress();
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length <= failuresAMinute) {
      statuses.push((await knock(from)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: failuresAMinute }, () => 401), 429]);
  } finally {
    vi.useRealTimers();
  }
});

test('in a flood, and only then, a made-up key that is to send is refused in front of all routes', async () => {
  const { accountId, server } = await openAccount();
  const refusedAtOnce = async (path: string, own: Record<string, string> = {}) => {
    const key = newApiKey(accountId, 'a guess').key;
    const headers = { 'X-API-Key': key, ...newAddress(), ...own };
    const refusal = refuseMadeUpKey(
      new Request(`https://gateway.test${path}`, { method: 'POST', headers }),
      env,
    );
    return (await refusal)?.status ?? null;
  };
  const send = '/v1/messages/send';
  const knock = () =>
    ask('POST', send, { headers: { 'X-API-Key': 'sk_live_guess', ...newAddress() }, json: {} });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 });
  try {
    expect(await refusedAtOnce(send)).toBe(null);
    await statusesOf(40, knock);
    expect(await refusedAtOnce(send)).toBe(401);
    expect(await refusedAtOnce('/v1/messages/send-batch')).toBe(401);
    expect(await refusedAtOnce('/v1/numbers')).toBe(null);
    expect(await refusedAtOnce(send, { Origin: 'https://page.example' })).toBe(null);
    expect(await refusedAtOnce(send, server)).toBe(null);
    vi.setSystemTime(Date.now() + 1000);
    expect(await refusedAtOnce(send)).toBe(null);
  } finally {
    vi.useRealTimers();
  }
});

test('a flood of made-up keys fills no log: some have a line, and a later line tells how many had none', async () => {
  const { accountId } = await openAccount();
  const lines: { event: string; status?: number; keyProblem?: string; refusedBefore?: number }[] = [];
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const madeUp = (from: Record<string, string>) =>
      ask('POST', '/v1/messages/send', {
        headers: { 'X-API-Key': newApiKey(accountId, 'a guess').key, ...from },
        json: {},
      });
    const requests = () => lines.filter(({ event }) => event === 'request');
    const nextSecond = () => vi.setSystemTime(Date.now() + 1000);
    // What others have left untold.
    nextSecond();
    await madeUp(newAddress());
    nextSecond();
    const told = requests().length;
    const asked = 40;
    for (let times = 0; times < asked; times += 1) await madeUp(newAddress());
    const lined = requests().slice(told);
    expect(lined.length).toBeGreaterThan(0);
    expect(lined.length).toBeLessThan(asked / 2);
    for (const line of lined) expect(line).toMatchObject({ status: 401, keyProblem: 'malformed' });
    nextSecond();
    await madeUp(newAddress());
    expect(requests().at(-1)).toMatchObject({ refusedBefore: asked - lined.length });

    // Those from an address that waits have none at all.
    const from = newAddress();
    await failUntilItWaits(() => madeUp(from));
    nextSecond();
    const before = requests().length;
    expect(await statusesOf(30, () => madeUp(from))).toEqual(Array.from({ length: 30 }, () => 429));
    expect(requests()).toHaveLength(before);
    await madeUp(newAddress());
    expect(requests().at(-1)?.refusedBefore).toBeGreaterThanOrEqual(30);
  } finally {
    vi.useRealTimers();
    log.mockRestore();
  }
});

test('a revoked key that goes on knocking reaches its account no more; a good one, or a person, beside it does', async () => {
  const account = await openAccount();
  const { asked, door } = countingDoor();
  // One subscriber, who has many addresses of IPv6.
  const subscriber = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}:1`;
  let host = 0;
  const from = () => {
    host += 1;
    return { 'CF-Connecting-IP': `${subscriber}::${host}` };
  };
  const gone = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json: { name: 'gone' } });
  const good = () => door('GET', '/v1/usage', { headers: { ...account.server, ...from() } });
  expect(await good()).toMatchObject({ status: 200 });
  const person = () => door('GET', '/v1/usage', { headers: { ...account.owner, ...from() } });
  expect(await person()).toMatchObject({ status: 200 });
  const knock = () => door('GET', '/v1/usage', { headers: { 'X-API-Key': gone.body.key, ...from() } });
  // That it was good a while ago helps it no more.
  expect(await knock()).toMatchObject({ status: 200 });
  await ask('DELETE', `/v1/auth/api-keys/${gone.body.id}`, { headers: account.owner });
  await failUntilItWaits(knock);
  asked.objects = 0;
  expect(new Set(await statusesOf(20, knock))).toEqual(new Set([429]));
  expect(asked.objects).toBe(0);
  expect(await good()).toMatchObject({ status: 200 });
  expect(await person()).toMatchObject({ status: 200 });
});

test('made-up tokens are refused by address after some failures, and ask nobody', async () => {
  const { owner } = await openAccount();
  const { asked, door } = countingDoor();
  const from = newAddress();
  const [head, claims] = owner.Authorization.split('.');
  const forged = { Authorization: `${head}.${claims}.${'A'.repeat(86)}`, ...from };
  const statuses = await failUntilItWaits(() => door('GET', '/v1/webhooks', { headers: forged }));
  expect(statuses[0]).toBe(401);
  expect(statuses.at(-1)).toBe(429);
  expect(asked).toEqual({ objects: 0, database: 0, counter: 0 });
  expect(await door('GET', '/v1/webhooks', { headers: { ...owner, ...from } })).toMatchObject({
    status: 200,
  });
});

test("guesses at the operator's token are counted by address, wherever they are made, and the operator's own is good there still", async () => {
  const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };
  const places: [string, string, object?][] = [
    ['GET', '/metrics'],
    ['GET', '/v1/operator/bridges'],
    ['GET', '/readyz'],
    ['POST', '/v1/auth/password/forgot', { email: 'nobody@example.com' }],
  ];
  for (const [method, path, json] of places.slice(0, 2)) {
    const [from, elsewhere] = [newAddress(), newAddress()];
    const as = (Authorization: string, address = from) =>
      ask(method, path, { headers: { Authorization, ...address }, ...(json && { json }) });
    // Known from here, as a scrape is.
    expect((await as(operator.Authorization)).status, path).toBe(200);
    const statuses = await failUntilItWaits(() => as('Bearer a-guess'));
    expect(statuses[0], path).toBe(401);
    expect(statuses.at(-1), path).toBe(429);
    expect((await as(operator.Authorization)).status, path).toBe(200);
    expect((await as('Bearer another-guess', elsewhere)).status, path).toBe(401);
  }
  // The token of a person is no guess.
  const [{ owner }, theirs] = [await openAccount(), newAddress()];
  const asPerson = () => ask('GET', '/metrics', { headers: { ...owner, ...theirs } });
  expect(new Set(await statusesOf(failuresAMinute + 1, asPerson))).toEqual(new Set([401]));
  // Where others come too, a guess is counted, and tells nothing while its address waits.
  const from = newAddress();
  await failUntilItWaits(async () => {
    for (const [method, path, json] of places.slice(2)) {
      await ask(method, path, {
        headers: { Authorization: 'Bearer a-guess', ...from },
        ...(json && { json }),
      });
    }
    return ask('GET', '/metrics', { headers: { Authorization: 'Bearer a-guess', ...from } });
  });
  const { body } = await ask('GET', '/readyz', { headers: { Authorization: 'Bearer a-guess', ...from } });
  expect(body).not.toHaveProperty('checks');
});

test('a person has a rate too: the same headers as a key, and 429 beyond it, in front of the database', async () => {
  const { owner, server } = await openAccount();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  try {
    const read = () => ask('GET', '/v1/auth/api-keys', { headers: owner });
    const first = await read();
    expect(first.headers.get('RateLimit')).toBe('"person";r=99;t=1');
    expect(first.headers.get('RateLimit-Policy')).toBe('"person";q=100;w=5');
    const answers = await Promise.all(Array.from({ length: 110 }, read));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
    const refused = await read();
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(refused.headers.get('Retry-After')).toBe('1');
    const { asked, door } = countingDoor();
    expect(await door('GET', '/v1/auth/api-keys', { headers: owner })).toMatchObject({ status: 429 });
    expect(asked).toEqual({ objects: 0, database: 0, counter: 0 });
    // Neither the account's keys nor anybody else feels it.
    expect(await ask('GET', '/v1/usage', { headers: server })).toMatchObject({ status: 200 });
    vi.setSystemTime(Date.now() + 1000);
    expect(await read()).toMatchObject({ status: 200 });
  } finally {
    vi.useRealTimers();
  }
});

test('while the secret of the checksums is replaced, keys of both are good; after that those of the new one', async () => {
  const { server } = await openAccount();
  const read = (variables: Partial<Env>) =>
    doorWith({ PUBLIC_HOSTS: '', ...variables })('GET', '/v1/usage', { headers: server });
  const KEY_CHECKSUM_SECRET_PREVIOUS = env.KEY_CHECKSUM_SECRET;
  const KEY_CHECKSUM_SECRET = 'the new secret, of 32 characters';
  expect(await read({ KEY_CHECKSUM_SECRET, KEY_CHECKSUM_SECRET_PREVIOUS })).toMatchObject({ status: 200 });
  expect(await read({ KEY_CHECKSUM_SECRET })).toMatchObject({ status: 401 });
});
