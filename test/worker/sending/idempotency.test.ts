import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { doorWith } from '../configured-door.ts';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';

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

test('repeats that come while the first request is running get its answer, and other bodies a conflict', async () => {
  const { send, used } = await accountWithNumber();
  const texts = ['one text', 'one text', 'another text', 'one text'];
  const answers = await Promise.all(texts.map((text) => send('order 17', text)));
  // Whichever comes first is the request; the network between does not keep their order.
  const first = answers.findIndex(
    ({ headers, status }) => status === 202 && !headers.has('Idempotent-Replayed'),
  );
  for (const [index, answer] of answers.entries()) {
    if (texts[index] === texts[first]) {
      expect(answer).toMatchObject({ status: 202, body: answers[first]?.body });
      expect(answer.headers.get('Idempotent-Replayed')).toBe(index === first ? null : 'true');
    } else {
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } });
      expect(answer.headers.get('Retry-After')).toBeNull();
    }
  }
  expect(await used()).toBe(1);
});

test('a repeat after the process died gets the outcome, never a second message', async () => {
  const { account, send, used } = await accountWithNumber();
  const first = await send('order 18');
  await evictDurableObject(env.ACCOUNT.getByName(account.accountId));
  const repeat = await send('order 18');
  expect(repeat).toMatchObject({ status: 202, body: first.body });
  expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await used()).toBe(1);
  const list = await ask('GET', '/v1/messages?direction=outbound', { headers: account.server });
  const ids = list.body.data.map(({ messageId }: { messageId: string }) => messageId);
  expect(ids.filter((id: string) => id !== first.body.messageId)).toEqual([]);
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

test.each([
  ['send', '/v1/messages/send'],
  ['sendBatch', '/v1/messages/send-batch'],
  ['sendAs', '/v1/conversations/:id/messages'],
])(
  'an account that is reset under %s is asked again where the request has a key, and only there',
  async (call, route) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const account = await openAccount();
    const numberId = await addConnectedNumber(account);
    const to = '628123456789';
    const begun = await ask('POST', '/v1/conversations', { headers: account.owner, json: { numberId, to } });
    const path = route.replace(':id', begun.body.conversationId);
    const message = { text: 'hello' };
    const json =
      call === 'sendBatch'
        ? { messages: [{ to, ...message }] }
        : { ...message, ...(call === 'send' && { to }) };
    const sendWith = async (headers: Record<string, string>) => {
      const { ACCOUNT, calls } = resetOnce(call);
      const more = call === 'sendAs' ? account.owner : account.server;
      const { status } = await doorWith({ ACCOUNT })('POST', path, {
        headers: { ...more, ...headers },
        json,
      });
      return { status, calls: calls() };
    };
    // What the first call has done before the reset nobody knows.
    expect(await sendWith({})).toEqual({ status: 500, calls: 1 });
    expect(await sendWith({ 'Idempotency-Key': 'order 20' })).toEqual({ status: 202, calls: 2 });
  },
);

/** The accounts, of which the first that is called so is reset under the call. */
function resetOnce(call: string) {
  let calls = 0;
  const reset = () => Object.assign(new Error('The object was reset.'), { retryable: true });
  const getByName = (name: string) => {
    const stub = env.ACCOUNT.getByName(name) as unknown as Record<string, (...given: unknown[]) => unknown>;
    return new Proxy(stub, {
      get: (target, method: string) => {
        if (method !== call) return target[method];
        return (...given: unknown[]) => {
          calls += 1;
          return calls === 1 ? Promise.reject(reset()) : target[method]?.(...given);
        };
      },
    });
  };
  return { ACCOUNT: { getByName }, calls: () => calls };
}
