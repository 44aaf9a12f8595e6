import { afterEach, describe, expect, test, vi } from 'vitest';
import { Heliograph } from '../../src/sdk/client/heliograph.ts';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  HeliographError,
  IdempotencyConflictError,
  InvalidRequestError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  RecipientError,
  SenderUnavailableError,
  ServerError,
  TimeoutError,
} from '../../src/sdk/client/http/errors.ts';
import type { ClientOptions } from '../../src/sdk/client/http/transport.ts';
import { type Answer, breakOff, faultyGateway, hangUp, json, refusal, silence } from './faulty-gateway.ts';

const accepted = json(202, { messageId: 'msg_1', status: 'queued' });
const text = { to: '628123456789', text: 'hello' };
const apiKey = 'sk_live_test';

async function connected(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const gateway = await faultyGateway(...answers);
  return { ...gateway, client: new Heliograph({ apiKey, baseUrl: gateway.baseUrl, ...options }) };
}

afterEach(() => vi.restoreAllMocks());

/** What the promise is rejected with. */
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

describe('a send', () => {
  const faults: [string, Answer][] = [
    ['a connection that breaks', hangUp],
    ['an answer that breaks off', breakOff],
    ['a 500', refusal(500, 'INTERNAL')],
    ['a 503', refusal(503, 'NO_HEALTHY_SENDER')],
    ["a proxy's 502", (response) => response.writeHead(502).end('<html>')],
    ['a 429', refusal(429, 'RATE_LIMITED', { 'Retry-After': '0' })],
    ['a first attempt that is still running', refusal(409, 'CONFLICT', { 'Retry-After': '0' })],
  ];
  test.for(faults)('is repeated under the same idempotency key after %s', async ([, fault]) => {
    const { client, heard } = await connected([fault, accepted]);
    expect(await client.messages.send(text)).toEqual({ messageId: 'msg_1', status: 'queued' });
    expect(heard).toHaveLength(2);
    const [first, second] = heard.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(heard.map(({ body }) => body)).toEqual([text, text]);
    expect(heard[0]?.headers['x-api-key']).toBe(apiKey);
  });

  test('is repeated when there is no answer in time', async () => {
    const { client, heard } = await connected([silence, accepted], { timeoutMs: 200 });
    await client.messages.send(text);
    expect(new Set(heard.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(heard).toHaveLength(2);
  });

  test('has a key of its own, or the one it is given', async () => {
    const { client, heard } = await connected([accepted]);
    await client.messages.send(text);
    await client.messages.send(text);
    await client.messages.send(text, { idempotencyKey: 'order-1042' });
    const keys = heard.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('order-1042');
  });

  test('that stays in doubt fails with its key, so that it can be sent again as the same message', async () => {
    const { client, heard } = await connected([hangUp], { retryForMs: 20 });
    const error = await failure(client.messages.send(text));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(heard).toHaveLength(2);
    expect((error as ConnectionError).idempotencyKey).toBe(heard[0]?.headers['idempotency-key']);
  });

  test('waits as long as the gateway asks for', async () => {
    const { client, heard } = await connected([
      refusal(429, 'RATE_LIMITED', { 'Retry-After': '1' }),
      accepted,
    ]);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await client.messages.send(text);
    expect(heard).toHaveLength(2);
    expect(timers.mock.calls.map(([, delayMs]) => delayMs)).toContain(1000);
  });

  test('that would have to wait for minutes fails at once and says for how long', async () => {
    const { client, heard } = await connected([refusal(429, 'RATE_LIMITED', { 'Retry-After': '3600' })]);
    const error = await failure(client.messages.send(text));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 3600 });
    expect(heard).toHaveLength(1);
  });

  test('ends when its caller has enough, also while it waits', async () => {
    const { client, heard } = await connected([refusal(429, 'RATE_LIMITED', { 'Retry-After': '15' })]);
    const caller = new AbortController();
    const sending = failure(client.messages.send(text, { signal: caller.signal }));
    await expect.poll(() => heard.length).toBe(1);
    const reason = new Error('enough');
    caller.abort(reason);
    expect(await sending).toBe(reason);
    expect(heard).toHaveLength(1);
  });
});

describe('a refusal is an error of its own class:', () => {
  const refusals: [number, string, new (fields: never) => ApiError][] = [
    [400, 'VALIDATION_ERROR', InvalidRequestError],
    [401, 'INVALID_API_KEY', AuthenticationError],
    [402, 'QUOTA_EXCEEDED', QuotaExceededError],
    [404, 'NOT_FOUND', NotFoundError],
    [409, 'IDEMPOTENCY_CONFLICT', IdempotencyConflictError],
    [422, 'RECIPIENT_IS_LID', RecipientError],
    [418, 'A_CODE_OF_TOMORROW', ApiError],
  ];
  test.for(refusals)('%i %s, and it is not tried again', async ([status, code, Class]) => {
    const { client, heard } = await connected([refusal(status, code)]);
    const error = await failure(client.messages.send(text));
    expect(error).toBeInstanceOf(Class);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, code, message: `${code}.`, requestId: 'req_1' });
    expect(heard).toHaveLength(1);
  });

  test.for<[number, string, new (fields: never) => ApiError]>([
    [500, 'INTERNAL', ServerError],
    [503, 'SENDER_UNAVAILABLE', SenderUnavailableError],
  ])('%i %s, after the retries', async ([status, code, Class]) => {
    const { client, heard } = await connected([refusal(status, code)], { retryForMs: 20 });
    expect(await failure(client.messages.send(text))).toBeInstanceOf(Class);
    expect(heard).toHaveLength(2);
  });

  test('the quota says its figures', async () => {
    const figures = { used: 1000, limit: 1000, resetAt: '2026-02-01T00:00:00.000Z' };
    const { client } = await connected([refusal(402, 'QUOTA_EXCEEDED', {}, [figures])]);
    expect(await failure(client.messages.send(text))).toMatchObject(figures);
  });

  test('no answer at all is a time-out', async () => {
    const { client } = await connected([silence], { timeoutMs: 100, retryForMs: 0 });
    expect(await failure(client.usage())).toBeInstanceOf(TimeoutError);
  });
});

describe('a change that has no idempotency key', () => {
  test('is not repeated where it may have been made', async () => {
    const { client, heard } = await connected([hangUp], {});
    expect(await failure(client.numbers.create({ label: 'Sales' }))).toBeInstanceOf(ConnectionError);
    expect(heard).toHaveLength(1);
  });

  test('is repeated where it was refused for its rate', async () => {
    const { client, heard } = await connected([
      refusal(429, 'RATE_LIMITED', { 'Retry-After': '0' }),
      json(201, { numberId: '1' }),
    ]);
    expect(await client.numbers.create({ label: 'Sales' })).toEqual({ numberId: '1' });
    expect(heard).toHaveLength(2);
  });

  test('has been made when a repeated DELETE finds nothing', async () => {
    const { client } = await connected([hangUp, refusal(404, 'NOT_FOUND')]);
    expect(await client.webhooks.delete('1')).toBeUndefined();
    expect(await failure(client.webhooks.delete('1'))).toBeInstanceOf(NotFoundError);
  });
});

describe('a list', () => {
  const pages: Answer = (response, asked) => {
    const cursor = new URL(asked.url, 'http://localhost').searchParams.get('cursor');
    const start = Number(cursor ?? 0);
    const data = [start, start + 1].map((index) => ({ messageId: `msg_${index}` }));
    json(200, { data, nextCursor: start < 4 ? String(start + 2) : null })(response, asked);
  };

  test('is walked page by page, each asked for when it is needed', async () => {
    const { client, heard } = await connected([pages]);
    const ids: string[] = [];
    for await (const message of client.messages.list({ status: 'read' }, { limit: 2 })) {
      ids.push(message.messageId);
      if (ids.length === 2) expect(heard).toHaveLength(1);
    }
    expect(ids).toEqual(['msg_0', 'msg_1', 'msg_2', 'msg_3', 'msg_4', 'msg_5']);
    expect(heard.map(({ url }) => url)).toEqual([
      '/v1/messages?status=read&limit=2',
      '/v1/messages?status=read&limit=2&cursor=2',
      '/v1/messages?status=read&limit=2&cursor=4',
    ]);
  });

  test('is no longer asked for once its reader stops', async () => {
    const { client, heard } = await connected([pages]);
    for await (const _ of client.messages.list()) break;
    expect(heard).toHaveLength(1);
  });

  test('gives single pages, and takes times as dates', async () => {
    const { client, heard } = await connected([pages]);
    const since = new Date('2026-01-31T09:30:00.000Z');
    const page = await client.messages.list({ since }).page('2');
    expect(page.nextCursor).toBe('4');
    expect(heard[0]?.url).toBe('/v1/messages?since=2026-01-31T09%3A30%3A00.000Z&cursor=2');
  });
});

describe('a client', () => {
  test('needs one credential', () => {
    expect(() => new Heliograph({ baseUrl: 'http://localhost' })).toThrow(HeliographError);
    expect(() => new Heliograph({ baseUrl: 'http://localhost', apiKey, token: 't' })).toThrow(
      HeliographError,
    );
  });

  test('asks for a fresh token before every call', async () => {
    let count = 0;
    const gateway = await faultyGateway(json(200, { data: [], nextCursor: null }));
    const token = async () => `token-${++count}`;
    const client = new Heliograph({ baseUrl: `${gateway.baseUrl}/`, token });
    await client.apiKeys.list().page();
    await client.apiKeys.list().page();
    expect(gateway.heard.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(gateway.heard[0]?.url).toBe('/v1/auth/api-keys');
  });

  test('does not take its key to where a redirect points', async () => {
    const elsewhere = await faultyGateway(json(200, {}));
    const { client } = await connected([
      (response) => response.writeHead(302, { Location: `${elsewhere.baseUrl}/` }).end(),
    ]);
    expect(await failure(client.usage())).toMatchObject({ status: 302 });
    expect(elsewhere.heard).toEqual([]);
  });
});
