import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { app } from '../../../src/worker/app.ts';
import { isTransient, retryTransient } from '../../../src/worker/db/database.ts';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';

afterEach(() => vi.restoreAllMocks());

/** Everything that is logged from here on. */
function capturedLog(): string[] {
  const lines: string[] = [];
  for (const method of ['log', 'error', 'warn', 'info'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => void lines.push(values.join(' ')));
  }
  return lines;
}

test('a fault of ours answers 500 with the request id alone, and the log holds the reason under that id', async () => {
  const lines = capturedLog();
  const broken = {
    ...env,
    DB: {
      prepare: () => ({
        bind: () => ({ raw: () => Promise.reject(new Error('D1_ERROR: no such table: users')) }),
      }),
    },
  };
  const request = new Request('https://gateway.test/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'long enough' }),
  });
  const response = await app.fetch(request, broken as unknown as Env);
  expect(response.status).toBe(500);
  const requestId = response.headers.get('X-Request-Id');
  expect(await response.json()).toEqual({
    error: { code: 'INTERNAL', message: 'Something went wrong on our side.', requestId },
  });
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
  expect(logged).toMatchObject([
    { level: 'error', event: 'request.failed', error: 'Error: D1_ERROR: no such table: users' },
    { event: 'request', route: '/v1/auth/login', method: 'POST', status: 500, code: 'INTERNAL' },
  ]);
  expect(lines.join('\n')).not.toContain('ada@example.com');
});

test('each request is one log line, and no line holds a secret, a text, or a whole phone number', async () => {
  const lines = capturedLog();
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const hook = {
    url: 'https://receiver.example.com/hook?token=url-secret',
    numberIds: 'all',
    events: ['message.read'],
  };
  const webhook = await ask('POST', '/v1/webhooks', { headers: account.owner, json: hook });
  const json = { to: '628123456789', text: 'a very private text' };
  const sent = await ask('POST', '/v1/messages/send', { headers: account.server, json });
  await ask('GET', `/v1/messages?to=628123456789`, { headers: account.server });
  await ask('GET', '/628123456789', {});
  const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
  expect(requests.find(({ requestId }) => requestId === sent.headers.get('X-Request-Id'))).toEqual({
    at: expect.any(String),
    event: 'request',
    requestId: expect.any(String),
    method: 'POST',
    route: '/v1/messages/send',
    status: 202,
    durationMs: expect.any(Number),
    accountId: account.accountId,
    keyId: account.apiKeyId,
    messageId: sent.body.messageId,
    numberId,
    source: 'pool',
    replayed: false,
  });
  expect(requests.at(-1)).toMatchObject({ route: 'none', status: 404, code: 'NOT_FOUND' });
  const everything = lines.join('\n');
  const secrets = [
    account.server['X-API-Key'],
    account.owner.Authorization,
    account.password,
    account.email,
    webhook.body.secret,
    env.BOOTSTRAP_TOKEN,
    'url-secret',
    'a very private text',
    '628123456789',
  ];
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
});

test('a database that is away for a moment is asked again, and one that refuses is not', async () => {
  const away = Object.assign(new Error('Failed query: select 1'), {
    cause: new Error('D1_ERROR: Network connection lost.'),
  });
  expect(isTransient(away)).toBe(true);
  expect(isTransient(new Error('D1_ERROR: UNIQUE constraint failed: users.email'))).toBe(false);
  const flaky = vi.fn().mockRejectedValueOnce(away).mockRejectedValueOnce(away).mockResolvedValue('rows');
  expect(await retryTransient(flaky)).toBe('rows');
  const refusing = vi.fn().mockRejectedValue(new Error('D1_ERROR: no such table: users'));
  await expect(retryTransient(refusing)).rejects.toThrow('no such table');
  expect(refusing).toHaveBeenCalledTimes(1);
  const gone = vi.fn().mockRejectedValue(away);
  await expect(retryTransient(gone)).rejects.toBe(away);
  expect(gone).toHaveBeenCalledTimes(5);
});
