import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { app } from '../../../src/worker/app.ts';
import { doorWith } from '../configured-door.ts';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';

afterEach(() => vi.restoreAllMocks());

function capturedLog(): string[] {
  const lines: string[] = [];
  for (const method of ['log', 'error', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => void lines.push(values.join(' ')));
  }
  return lines;
}

test('a parameter that is sent twice is refused by its name, and nothing is sent', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const json = { to: '628123456789', text: 'only a rehearsal' };
  const twice = await ask('POST', '/v1/messages/send?dryRun=false&dryRun=true', {
    headers: account.server,
    json,
  });
  const details = [{ path: 'dryRun', message: 'Sent more than once.' }];
  expect(twice).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', details } } });
  for (const [path, name] of [
    ['/v1/messages?status=sent&status=failed', 'status'],
    ['/v1/events?limit=1&limit=2', 'limit'],
  ] as const) {
    expect(await ask('GET', path, { headers: account.server }), path).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ path: name }] } },
    });
  }
  expect((await ask('GET', '/v1/messages', { headers: account.server })).body.data).toEqual([]);
});

test('a parameter that the call does not have is refused by its name, and nothing is done', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const { server, owner } = account;
  const messages = [{ to: '628123456789', text: 'only a rehearsal' }];
  const refused = { code: 'VALIDATION_ERROR', details: [{ path: 'dryRun', message: 'Unknown field.' }] };
  for (const [method, path, request] of [
    ['POST', '/v1/messages/send-batch', { headers: server, json: { messages } }],
    ['POST', '/v1/numbers', { headers: owner, json: { label: 'Sales' } }],
    ['DELETE', `/v1/auth/api-keys/${account.apiKeyId}`, { headers: owner }],
    ['POST', '/v1/auth/login', { json: { email: 'nobody@example.com', password: 'nothing' } }],
  ] as const) {
    const answer = await ask(method, `${path}?dryRun=true`, request);
    expect(answer, path).toMatchObject({ status: 400, body: { error: refused } });
  }
  expect((await ask('GET', '/v1/messages', { headers: server })).body.data).toEqual([]);
  expect((await ask('GET', '/v1/numbers', { headers: server })).body.data).toHaveLength(1);
  // Whoever has no credential is told that first; and a page or a probe may be asked with anything.
  expect((await ask('POST', '/v1/numbers?dryRun=true', {})).status).toBe(401);
  expect((await ask('GET', '/healthz?at=1', {})).status).toBe(200);
});

test('half of a surrogate pair is refused wherever it stands, by the name of the field', async () => {
  const account = await openAccount();
  for (const [method, path, raw, field] of [
    ['POST', '/v1/webhooks', '{"url":"https://a.example/\\ud800","numberIds":"all","events":"all"}', 'url'],
    ['POST', '/v1/numbers', '{"label":"Sales \\udfff"}', 'label'],
    ['PATCH', '/v1/settings', '{"optOut":{"stopWords":["STOP","\\uD83D"]}}', 'optOut.stopWords.1'],
    ['POST', '/v1/auth/api-keys', '{"name":"\\udc00"}', 'name'],
  ] as const) {
    const headers = { ...account.owner, 'Content-Type': 'application/json' };
    expect(await ask(method, path, { headers, raw }), path).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ path: field }] } },
    });
  }
  const whole = await ask('POST', '/v1/numbers', {
    headers: { ...account.owner, 'Content-Type': 'application/json' },
    raw: '{"label":"\\ud83d\\ude00"}',
  });
  expect(whole).toMatchObject({ status: 201, body: { label: '😀' } });
});

test('a field named __proto__ is refused wherever names are chosen freely, also in a mapping of columns', async () => {
  const account = await openAccount();
  const webhook = { url: 'https://a.example/', numberIds: 'all', events: 'all' };
  for (const [path, raw, field] of [
    ['contacts', '{"phoneNumber":"628123456789","attributes":{"__proto__":"x"}}', 'attributes.__proto__'],
    [
      'contacts/import',
      '{"consentSource":"fair","contacts":[{"phoneNumber":"628123456789","attributes":{"\\u005f_proto__":1}}]}',
      'contacts.0.attributes.__proto__',
    ],
    [
      'webhooks',
      JSON.stringify({ ...webhook, headers: 0 }).replace('0', '{"__proto__":"x"}'),
      'headers.__proto__',
    ],
  ] as const) {
    const headers = { ...account.owner, 'Content-Type': 'application/json' };
    expect(await ask('POST', `/v1/${path}`, { headers, raw }), path).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ path: field }] } },
    });
  }
  const mapping = encodeURIComponent('{"Phone":"phoneNumber","__proto__":"name"}');
  const mapped = await ask('POST', `/v1/contacts/import?consentSource=fair&mapping=${mapping}`, {
    headers: { ...account.owner, 'Content-Type': 'text/csv' },
    raw: 'Phone,__proto__\n628123456789,Budi\n',
  });
  expect(mapped).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'mapping.__proto__' }] } },
  });
});

test('a body full of unknown fields gets a short answer, which counts the rest', async () => {
  const account = await openAccount();
  const fields = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`f${index}`, 0]));
  const { status, body, text } = await ask('PATCH', '/v1/settings', { headers: account.owner, json: fields });
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(3000);
  expect(body.error.details).toHaveLength(21);
  expect(body.error.details[0]).toEqual({ path: 'f0', message: 'Unknown field.' });
  expect(body.error.details[20]).toEqual({ path: 'body', message: 'And 89980 more mistakes.' });
  const long = await ask('PATCH', '/v1/settings', {
    headers: account.owner,
    json: { ['x'.repeat(100_000)]: 1 },
  });
  expect(long.text.length).toBeLessThan(1000);
});

test.each([
  ['/v1/numbers', 'application/json'],
  ['/v1/media', 'text/plain'],
])('a client that hangs up within its body is no fault of ours: %s', async (path, type) => {
  const account = await openAccount();
  const lines = capturedLog();
  const client = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"label":')),
    pull: () => {
      client.abort();
      return Promise.reject(new Error('Network connection lost.'));
    },
  });
  const headers = { ...account.owner, 'Content-Type': type };
  const { signal } = client;
  const request = new Request(`https://gateway.test${path}`, { method: 'POST', headers, body, signal });
  await app.fetch(request, env, createExecutionContext());
  const told = lines.map((line) => JSON.parse(line));
  expect(told.filter(({ level }) => level === 'error')).toEqual([]);
  expect(told.at(-1)).toMatchObject({ event: 'request', status: 499, code: 'CLIENT_GONE' });
});

test('a request that is refused before its body is read is read to its end all the same', async () => {
  let isRead = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(2_000_000)),
    pull: (controller) => {
      isRead = true;
      controller.close();
    },
  });
  const headers = { 'Content-Type': 'application/json' };
  const request = new Request('https://gateway.test/v1/numbers', { method: 'POST', headers, body });
  expect((await app.fetch(request, env, createExecutionContext())).status).toBe(401);
  expect(isRead).toBe(true);
});

test('a setting that is wrong answers every request with a clear 500, and the log names it', async () => {
  const lines = capturedLog();
  const door = doorWith({ KEY_RATE_PER_SECOND: 'abc', BOOTSTRAP_TOKEN: '' });
  for (const path of ['/healthz', '/v1/usage', '/bridge/control', '/nowhere']) {
    expect(await door('GET', path), path).toMatchObject({
      status: 500,
      body: {
        error: {
          code: 'INTERNAL',
          message: 'A setting of this gateway is wrong. Its log names the variable.',
        },
      },
    });
  }
  const told = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'request.failed');
  expect(told.error).toContain('KEY_RATE_PER_SECOND must be a number above 0, but it is "abc".');
  expect(told.error).toContain('BOOTSTRAP_TOKEN must be at least 32 characters');
});

test('the address of a client is read from the header that the deployment names, and from no other', async () => {
  const account = await openAccount();
  const audited = async (variables: Record<string, string>, sent: Record<string, string>) => {
    const door = doorWith(variables);
    const headers = { ...account.owner, ...sent };
    const made = await door('POST', '/v1/auth/api-keys', { headers, json: { name: 'server' } });
    expect(made.status).toBe(201);
    const { body } = await door('GET', '/v1/audit-log?limit=1', { headers: account.owner });
    return body.data[0].address;
  };
  const sent = { 'CF-Connecting-IP': '198.51.100.1', 'X-Forwarded-For': '203.0.113.7, 198.51.100.2' };
  expect(await audited({}, sent)).toBe('198.51.100.1');
  expect(await audited({ CLIENT_ADDRESS_HEADER: 'X-Forwarded-For' }, sent)).toBe('198.51.100.2');
  expect(await audited({ CLIENT_ADDRESS_HEADER: 'none' }, sent)).toBeNull();
});
