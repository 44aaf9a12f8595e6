import { expect, test } from 'vitest';
import { doorWith } from '../configured-door.ts';
import { ask, openAccount } from '../front-door.ts';

const json = (raw: string) => ({ raw, headers: { 'Content-Type': 'application/json' } });

test('every answer forbids framing, sniffing and loading, and what is of an account is kept by nobody', async () => {
  const account = await openAccount();
  const answers = [
    await ask('GET', '/v1/usage', { headers: account.owner }),
    await ask('GET', '/v1/usage'),
    await ask('GET', '/v1/nothing'),
    await ask('GET', '/healthz'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Strict-Transport-Security')).toContain('max-age=');
    expect(headers.get('X-Powered-By')).toBeNull();
  }
  expect(answers[0]?.headers.get('Cache-Control')).toBe('no-store');
  expect((await ask('GET', '/v1/auth/jwks')).headers.get('Cache-Control')).toContain('max-age');
});

test('pages of other origins may read nothing, unless they are named', async () => {
  const account = await openAccount();
  const Origin = 'https://shop.example.com';
  const preflight = (door: typeof ask, origin = Origin) =>
    door('OPTIONS', '/v1/messages/send', {
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
  const corsHeaders = ({ headers }: { headers: Headers }) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  const closed = await ask('GET', '/v1/usage', { headers: { ...account.server, Origin } });
  expect(closed.status).toBe(200);
  expect(corsHeaders(closed)).toEqual([]);
  expect(corsHeaders(await preflight(ask))).toEqual([]);
  for (const CORS_ORIGINS of ['*', ''])
    expect(corsHeaders(await preflight(doorWith({ CORS_ORIGINS })))).toEqual([]);

  const open = doorWith({ CORS_ORIGINS: `https://other.example.com, ${Origin}/` });
  const allowed = await preflight(open);
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
  expect(allowed.headers.get('Access-Control-Allow-Headers')).toContain('Idempotency-Key');
  const read = await open('GET', '/v1/usage', { headers: { ...account.server, Origin } });
  expect(read.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
  expect(read.headers.get('Access-Control-Allow-Credentials')).toBe('true');
  const readable = read.headers.get('Access-Control-Expose-Headers')?.split(',');
  expect(readable).toEqual(
    expect.arrayContaining(['ETag', 'X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy']),
  );
  expect(readable).toContain('Idempotent-Replayed');
  for (const origin of ['https://evil.example.com', 'https://shop.example.com.evil.example', 'null']) {
    expect(corsHeaders(await preflight(open, origin))).toEqual([]);
  }
  expect(corsHeaders(await open('GET', '/healthz', { headers: { Origin } }))).toEqual([]);
});

test('a body that nests too deep is refused before it is built, and one that only quotes brackets is not', async () => {
  const account = await openAccount();
  const create = (raw: string) => {
    const { headers, ...body } = json(raw);
    return ask('POST', '/v1/auth/api-keys', { headers: { ...headers, ...account.owner }, ...body });
  };
  const tooDeep = { status: 400, body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'body' }] } } };
  expect(await create('['.repeat(33))).toMatchObject(tooDeep);
  expect(await create(`{"name":${'['.repeat(400_000)}${']'.repeat(400_000)}}`)).toMatchObject(tooDeep);
  expect(await create(`{"name":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`)).toMatchObject(tooDeep);
  const notInName = { status: 400, body: { error: { details: [{ path: 'name' }] } } };
  expect(await create(`{"name":${'['.repeat(31)}${']'.repeat(31)}}`)).toMatchObject(notInName);
  const quoted = JSON.stringify({ name: `\\"${'[{'.repeat(40)}` });
  expect(await create(quoted)).toMatchObject({ status: 201 });
});

test('a URL or headers that no honest client sends are refused', async () => {
  const account = await openAccount();
  const refused = (path: string) => ({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path }] } },
  });
  expect(await ask('GET', `/v1/messages?to=${'1'.repeat(9000)}`, { headers: account.server })).toMatchObject(
    refused('url'),
  );
  const headers = { ...account.server, 'X-Filler': 'x'.repeat(40_000) };
  expect(await ask('GET', '/v1/messages', { headers })).toMatchObject(refused('headers'));
});

test('signing in with an unknown address and with a wrong password cannot be told apart', async () => {
  const { email } = await openAccount();
  const answers = [];
  for (const address of [email, `${crypto.randomUUID()}@example.com`]) {
    const answer = await ask('POST', '/v1/auth/login', {
      json: { email: address, password: 'a wrong guess' },
    });
    const names = [...answer.headers.keys()];
    answers.push({ status: answer.status, error: { ...answer.body.error, requestId: '' }, names });
  }
  expect(answers[0]).toEqual(answers[1]);
});
