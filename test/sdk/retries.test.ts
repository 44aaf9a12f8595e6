import { afterEach, expect, test, vi } from 'vitest';
import { Heliograph } from '../../src/sdk/client/heliograph.ts';
import { ConnectionError, RateLimitError } from '../../src/sdk/client/http/errors.ts';
import type { ClientOptions } from '../../src/sdk/client/http/transport.ts';
import { freePorts } from '../free-ports.ts';

const text = { to: '628123456789', text: 'hello' };

afterEach(() => {
  vi.useRealTimers();
});

/** A gateway that cannot be reached for so long, on a clock that only the test moves. */
function restarting(downMs: number, options: Partial<ClientOptions> = {}) {
  vi.useFakeTimers();
  const attempts: number[] = [];
  const client = new Heliograph({
    baseUrl: 'http://gateway.test',
    apiKey: 'sk_live_test',
    fetch: async () => {
      attempts.push(performance.now());
      if (performance.now() < (attempts[0] ?? 0) + downMs) throw new TypeError('fetch failed');
      return Response.json({ messageId: 'msg_1' }, { status: 202 });
    },
    ...options,
  });
  const lastedMs = () => (attempts.at(-1) ?? 0) - (attempts[0] ?? 0);
  return { client, attempts, lastedMs };
}

/** What comes of it, with every wait passed over. */
async function settled(promise: Promise<unknown>): Promise<unknown> {
  const outcome = promise.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

test('a send outlasts a gateway that is gone for twenty seconds', async () => {
  const { client } = restarting(20_000);
  expect(await settled(client.messages.send(text))).toEqual({ messageId: 'msg_1' });
});

test('a read does so too', async () => {
  const { client } = restarting(20_000);
  expect(await settled(client.usage())).toEqual({ messageId: 'msg_1' });
});

test('a gateway that does not come back is given up after twenty seconds, asked ever less often', async () => {
  const { client, attempts, lastedMs } = restarting(Number.POSITIVE_INFINITY);
  expect(await settled(client.messages.send(text))).toBeInstanceOf(ConnectionError);
  expect(lastedMs()).toBe(20_000);
  expect(attempts.length).toBeLessThan(16);
});

test('how long that is can be set for the client, and for one call', async () => {
  const { client, attempts, lastedMs } = restarting(Number.POSITIVE_INFINITY, { retryForMs: 3_000 });
  await settled(client.messages.send(text));
  expect(lastedMs()).toBe(3_000);
  attempts.length = 0;
  await settled(client.messages.send(text, { retryForMs: 0 }));
  expect(attempts).toHaveLength(1);
});

test('a gateway that asks for a longer wait than that is not asked again', async () => {
  const { client } = restarting(0, {
    fetch: async () =>
      Response.json(
        { error: { code: 'RATE_LIMITED', message: 'Too fast.', requestId: 'req_1' } },
        { status: 429, headers: { 'Retry-After': '21' } },
      ),
  });
  const error = await settled(client.messages.send(text));
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ retryAfterSeconds: 21 });
});

test('a change that may have arrived is not made twice', async () => {
  const { client, attempts } = restarting(20_000);
  expect(await settled(client.numbers.create({ label: 'Sales' }))).toBeInstanceOf(ConnectionError);
  expect(attempts).toHaveLength(1);
});

test('a change that met a closed door has not arrived, and is tried again', async () => {
  let attempts = 0;
  const { port } = await freePorts();
  const client = new Heliograph({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'sk_live_test',
    retryForMs: 20,
    fetch: (input, init) => {
      attempts += 1;
      return fetch(input, init);
    },
  });
  await expect(client.numbers.create({ label: 'Sales' })).rejects.toBeInstanceOf(ConnectionError);
  expect(attempts).toBe(2);
});
