import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../src/durable/account/account.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from './front-door.ts';

type Enqueue = (message: unknown) => Promise<unknown>;

/** Puts something between the account and its numbers; the function it resolves takes it away again. */
function interceptNumbers(
  account: TestAccount,
  enqueue: (real: Enqueue, message: unknown) => Promise<unknown>,
) {
  const stub = env.ACCOUNT.getByName(account.accountId);
  return runInDurableObject<Account, () => void>(stub, (instance) => {
    const { env: bindings } = instance as unknown as { env: { PHONE_NUMBER: typeof env.PHONE_NUMBER } };
    const real = bindings.PHONE_NUMBER;
    const getByName = (name: string) => ({
      enqueueMany: async (messages: readonly unknown[]) => ({
        taken: await Promise.all(
          messages.map((message) => enqueue((it) => real.getByName(name).enqueue(it as never), message)),
        ),
        missing: [],
      }),
    });
    bindings.PHONE_NUMBER = { getByName } as never;
    return () => {
      bindings.PHONE_NUMBER = real;
    };
  });
}

async function accountWithNumber() {
  const account = await openAccount();
  await addConnectedNumber(account);
  const send = (key: string, text = 'hello') =>
    ask('POST', '/v1/messages/send', {
      headers: { ...account.server, 'Idempotency-Key': key },
      json: { to: '628123456789', text },
    });
  const used = async () => (await ask('GET', '/v1/usage', { headers: account.server })).body.used;
  return { account, send, used };
}

test('a repeat while the first request is still running is told when to come back, and then gets its answer', async () => {
  const { account, send, used } = await accountWithNumber();
  let isHeld = true;
  let arrived = 0;
  const release = await interceptNumbers(account, async (real, message) => {
    arrived += 1;
    while (isHeld) await scheduler.wait(5);
    return real(message);
  });
  const first = send('order 17');
  await eventually(() => arrived === 1);
  // Whatever comes of the expectations, the account gets its numbers back.
  onTestFinished(() => {
    isHeld = false;
    release();
  });
  const early = await send('order 17');
  expect(early).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  expect(early.headers.get('Retry-After')).toBe('1');
  const other = await send('order 17', 'another text');
  expect(other).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } });
  expect(other.headers.get('Retry-After')).toBeNull();
  isHeld = false;
  const answer = await first;
  expect(answer.status).toBe(202);
  const repeat = await send('order 17');
  expect(repeat).toMatchObject({ status: 202, body: answer.body });
  expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
  expect(arrived).toBe(1);
  expect(await used()).toBe(1);
});

test('a repeat after the process died in between gets the outcome, never a second message', async () => {
  const { account, send, used } = await accountWithNumber();
  const taken: unknown[] = [];
  const release = await interceptNumbers(account, async (real, message) => {
    taken.push(message);
    await real(message);
    throw new Error('died after the number had it, and before it was said');
  });
  expect(await send('order 18')).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL' } } });
  release();
  await evictDurableObject(env.ACCOUNT.getByName(account.accountId));
  const repeat = await send('order 18');
  expect(repeat).toMatchObject({
    status: 202,
    body: { messageId: (taken[0] as { messageId: string }).messageId },
  });
  expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await used()).toBe(1);
  const list = await ask('GET', '/v1/messages?direction=outbound', { headers: account.server });
  const ids = new Set(list.body.data.map(({ messageId }: { messageId: string }) => messageId));
  expect([...ids].filter((id) => id !== repeat.body.messageId)).toEqual([]);
});

test('a refused request leaves its key free for the next try', async () => {
  const account = await openAccount();
  const send = () =>
    ask('POST', '/v1/messages/send', {
      headers: { ...account.server, 'Idempotency-Key': 'order 19' },
      json: { to: '628123456789', text: 'hello' },
    });
  expect(await send()).toMatchObject({ status: 503, body: { error: { code: 'NO_HEALTHY_SENDER' } } });
  await addConnectedNumber(account);
  const accepted = await send();
  expect(accepted.status).toBe(202);
  expect(accepted.headers.get('Idempotent-Replayed')).toBeNull();
});

test('a key is remembered for 24 hours, and then it is new', async () => {
  const { send, used } = await accountWithNumber();
  const start = Date.now();
  const first = await send('order 20');
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  try {
    vi.setSystemTime(start + 23.9 * 3600_000);
    expect(await send('order 20')).toMatchObject({ status: 202, body: first.body });
    vi.setSystemTime(start + 24.1 * 3600_000);
    const later = await send('order 20');
    expect(later.status).toBe(202);
    expect(later.body.messageId).not.toBe(first.body.messageId);
  } finally {
    vi.useRealTimers();
  }
  expect(await used()).toBeGreaterThanOrEqual(1);
});

test('the same key of two accounts is two keys', async () => {
  const [one, two] = [await accountWithNumber(), await accountWithNumber()];
  const [first, second] = [await one.send('order 21'), await two.send('order 21')];
  expect(first.body.messageId).not.toBe(second.body.messageId);
  expect(second.headers.get('Idempotent-Replayed')).toBeNull();
});
