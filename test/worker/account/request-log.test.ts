import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newMessageId } from '../../../src/durable/new-ids.ts';
import { newApiKey } from '../../../src/worker/features/account/keys/api-key.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

const listed = async ({ owner }: TestAccount, query = '') => {
  const { status, body } = await ask('GET', `/v1/requests${query}`, { headers: owner });
  expect(status).toBe(200);
  return body;
};
const keptOf = (account: TestAccount, query: string, count: number) =>
  eventually(async () => {
    const { data } = await listed(account, query);
    return data.length >= count && data;
  });

test('a failed request stands in the log with what it sent and got, and nothing of it that is private', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const json = { to: '628123456789', text: 'a very private text', txt: 'another one' };
  const refused = await ask('POST', '/v1/messages/send?dryRun=false', { headers: account.server, json });
  const requestId = refused.headers.get('X-Request-Id') ?? '';
  const [entry] = await keptOf(account, '?status=4xx', 1);
  expect(entry).toEqual({
    requestId,
    keyId: account.apiKeyId,
    at: expect.any(String),
    method: 'POST',
    route: '/v1/messages/send',
    status: 400,
    durationMs: expect.any(Number),
    code: 'VALIDATION_ERROR',
    messageId: null,
  });
  const detail = await ask('GET', `/v1/requests/${requestId}`, { headers: account.owner });
  expect(detail.body).toEqual({
    ...entry,
    query: { dryRun: 'false' },
    body: { to: '628***789', text: '[19 characters]', txt: '[11 characters]' },
    answer: { code: 'VALIDATION_ERROR', message: expect.any(String), details: [expect.any(Object)] },
  });
  expect(detail.text).not.toContain('private');
  expect(detail.text).not.toContain('628123456789');
  const stranger = await openAccount();
  expect((await ask('GET', `/v1/requests/${requestId}`, { headers: stranger.owner })).status).toBe(404);
});

test('what was refused for the key, its rate or the quota is kept by key, and what succeeded with its message', async () => {
  const account = await openAccount();
  const json = { name: 'reader', scopes: ['messages:read'] };
  const reader = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
  const send = { to: '628123456789', text: 'hello' };
  await ask('POST', '/v1/messages/send', { headers: { 'X-API-Key': reader.body.key }, json: send });
  await ask('POST', '/v1/messages/send', { headers: account.server, json: send });
  await addConnectedNumber(account);
  const sent = await ask('POST', '/v1/messages/send', { headers: account.server, json: send });
  await ask('GET', '/v1/messages/msg_1', { headers: account.server });
  const data = await keptOf(account, '', 4);
  const shown = data.map(({ keyId, status, code, messageId }: Record<string, unknown>) => [
    keyId === account.apiKeyId,
    status,
    code,
    messageId,
  ]);
  expect(shown).toEqual([
    [true, 404, 'NOT_FOUND', null],
    [true, 202, null, sent.body.messageId],
    [true, 503, 'NO_HEALTHY_SENDER', null],
    [false, 403, 'FORBIDDEN', null],
  ]);
  expect((await listed(account, `?keyId=${reader.body.id}`)).data).toMatchObject([{ code: 'FORBIDDEN' }]);
  expect((await listed(account, '?status=202')).data).toHaveLength(1);
  expect((await listed(account, '?code=NOT_FOUND&method=GET')).data).toMatchObject([
    { route: '/v1/messages/:messageId' },
  ]);
});

test('a request is known by the route that answered it, or would have', async () => {
  const account = await openAccount();
  const json = { name: 'reader', scopes: ['messages:read'] };
  const { body } = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
  const headers = { 'X-API-Key': body.key };
  await ask('GET', '/v1/webhooks', { headers });
  await ask('GET', `/v1/messages/${newMessageId()}/timeline`, { headers });
  const routes = (await keptOf(account, '', 2)).map(({ route }: { route: string }) => route);
  expect(routes).toEqual(['/v1/messages/:messageId/timeline', '/v1/webhooks']);
});

test('pages join without a gap', async () => {
  const account = await openAccount();
  const asked: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { headers } = await ask('GET', '/v1/messages?nonsense=1', { headers: account.server });
    asked.unshift(headers.get('X-Request-Id') ?? '');
  }
  await keptOf(account, '', 5);
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, nextCursor } = await listed(account, `?limit=2${cursor}`);
    paged.push(...data.map(({ requestId }: { requestId: string }) => requestId));
    if (nextCursor === null) break;
    cursor = `&cursor=${nextCursor}`;
  }
  expect(paged).toEqual(asked);
});

test('failures are grouped by code and route', async () => {
  const account = await openAccount();
  for (let index = 0; index < 3; index += 1)
    await ask('GET', '/v1/messages/msg_1', { headers: account.server });
  const last = await ask('GET', '/v1/numbers?x=1', { headers: account.server });
  const body = await eventually(async () => {
    const { body } = await ask('GET', `/v1/requests/errors?keyId=${account.apiKeyId}`, {
      headers: account.owner,
    });
    return body.data.length === 2 && body;
  });
  expect(body.data).toEqual([
    {
      method: 'GET',
      route: '/v1/messages/:messageId',
      code: 'NOT_FOUND',
      status: 404,
      count: 3,
      lastAt: expect.any(String),
      lastRequestId: expect.any(String),
    },
    {
      method: 'GET',
      route: '/v1/numbers',
      code: 'VALIDATION_ERROR',
      status: 400,
      count: 1,
      lastAt: expect.any(String),
      lastRequestId: last.headers.get('X-Request-Id'),
    },
  ]);
  // Those of another key count by themselves, also where one isolate has both.
  const other = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json: { name: 'other' } });
  await ask('GET', '/v1/messages/msg_1', { headers: { 'X-API-Key': other.body.key } });
  await ask('GET', '/v1/messages/msg_1', { headers: account.server });
  const countsOf = async (query: string) => {
    const { body } = await ask('GET', `/v1/requests/errors${query}`, { headers: account.owner });
    return body.data.map(({ count }: { count: number }) => count);
  };
  await eventually(async () => (await countsOf(''))[0] === 5);
  expect(await countsOf(`?keyId=${account.apiKeyId}`)).toEqual([4, 1]);
  expect(await countsOf(`?keyId=${other.body.id}`)).toEqual([1]);
  const later = await ask('GET', '/v1/requests/errors?since=2999-01-01T00:00:00Z', {
    headers: account.owner,
  });
  expect(later.body.data).toEqual([]);
});

test('failures are all counted, also those of a rush of which not each is kept', async () => {
  const account = await openAccount();
  const failures = 70;
  await Promise.all(
    Array.from({ length: failures }, () => ask('GET', '/v1/messages/msg_1', { headers: account.server })),
  );
  await eventually(async () => {
    const { body } = await ask('GET', '/v1/requests/errors', { headers: account.owner });
    return body.data[0]?.count === failures;
  });
});

test('of a rush twenty requests that succeeded are kept, and sixty that failed', async () => {
  const account = await openAccount();
  // All of them come in one moment.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const askOften = (path: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => ask('GET', path, { headers: account.server })));
  await askOften('/v1/usage', 22);
  await askOften('/v1/messages/msg_1', 62);
  vi.setSystemTime(Date.now() + 1_000);
  await keptOf(account, '?limit=100', 80);
  const countOf = async (status: string) =>
    (await listed(account, `?limit=100&status=${status}`)).data.length;
  expect([await countOf('2xx'), await countOf('4xx')]).toEqual([20, 60]);
});

test('of a rush of failures the first ten are kept with what they sent and got, so that later ones find room too', async () => {
  const account = await openAccount();
  // All of them come in one moment.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  for (let index = 0; index < 12; index += 1)
    await ask('GET', `/v1/messages/msg_1?index=${index}`, { headers: account.server });
  vi.setSystemTime(Date.now() + 1_000);
  const kept: { requestId: string }[] = await keptOf(account, '?status=4xx', 12);
  const details = await Promise.all(
    kept.map(({ requestId }) => ask('GET', `/v1/requests/${requestId}`, { headers: account.owner })),
  );
  // Newest first.
  const withoutBodies = details.filter(({ body }) => body.query === null);
  expect(withoutBodies.map(({ body }) => body.requestId)).toEqual(
    kept.slice(0, 2).map(({ requestId }) => requestId),
  );
});

test('a made-up key, a revoked one and a person leave nothing in the log', async () => {
  const account = await openAccount();
  const { key } = newApiKey(account.accountId, env.KEY_CHECKSUM_SECRET);
  await ask('GET', '/v1/usage', { headers: { 'X-API-Key': key } });
  await ask('GET', '/v1/usage', { headers: { 'X-API-Key': 'sk_live_nonsense' } });
  await ask('GET', '/v1/usage?x=1', { headers: account.owner });
  // What comes after them is kept, so they would have been by now.
  await ask('GET', '/v1/usage?x=1', { headers: account.server });
  expect(await keptOf(account, '', 1)).toMatchObject([{ keyId: account.apiKeyId, route: '/v1/usage' }]);
});
