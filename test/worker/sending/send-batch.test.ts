import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '../../../src/durable/account/account.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

type Message = Record<string, unknown>;

function sendBatch(account: TestAccount, messages: unknown, headers: Record<string, string> = {}) {
  return ask('POST', '/v1/messages/send-batch', {
    headers: { ...account.server, ...headers },
    json: { messages },
  });
}

async function accountWithNumber() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  // Asked by a person: a full batch takes all that the key may ask in this second.
  const used = async () => (await ask('GET', '/v1/usage', { headers: account.owner })).body.used;
  return { account, numberId, used };
}

const message = (index: number, more: Message = {}): Message => ({
  to: String(628_120_000_000 + index),
  text: `text ${index}`,
  ...more,
});
const batchOf = (count: number) => Array.from({ length: count }, (_, index) => message(index));

test('each message of a batch is accepted or refused by itself, and answered in its place', async () => {
  const { account, numberId, used } = await accountWithNumber();
  const logged = vi.spyOn(console, 'log');
  onTestFinished(() => logged.mockRestore());
  const answer = await sendBatch(account, [
    message(0),
    { to: '628120000001' },
    message(2, { to: 'nobody' }),
    message(3, { colour: 'red' }),
    'no message',
    message(5, { senderHint: crypto.randomUUID() }),
    message(6, { idempotencyKey: '' }),
    message(7),
  ]);
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({ accepted: 2, refused: 6 });
  const line = logged.mock.calls.map(([one]) => JSON.parse(one)).find(({ event }) => event === 'request');
  expect(line).toMatchObject({ keyId: account.apiKeyId, accepted: 2, refused: 6 });
  const accepted = (index: number) => ({
    index,
    messageId: expect.stringMatching(/^msg_/),
    status: 'queued',
    numberId,
    to: message(index).to,
    chatType: 'personal',
    messageType: 'text',
    queuedAt: expect.any(String),
  });
  const refused = (index: number, code: string, path: string) => ({
    index,
    error: { code, message: expect.any(String), details: [{ path, message: expect.any(String) }] },
  });
  expect(answer.body.data).toEqual([
    accepted(0),
    refused(1, 'VALIDATION_ERROR', 'text'),
    refused(2, 'RECIPIENT_INVALID', 'to'),
    refused(3, 'VALIDATION_ERROR', 'colour'),
    refused(4, 'VALIDATION_ERROR', 'body'),
    refused(5, 'VALIDATION_ERROR', 'senderHint'),
    refused(6, 'VALIDATION_ERROR', 'idempotencyKey'),
    accepted(7),
  ]);
  expect(await used()).toBe(2);
  const [first] = answer.body.data;
  const record = await ask('GET', `/v1/messages/${first.messageId}`, { headers: account.server });
  expect(record).toMatchObject({ status: 200, body: { status: 'queued', text: 'text 0' } });
});

test('a batch has 1 to 100 messages; what is wrong with it as a whole is said by name', async () => {
  const { account, used } = await accountWithNumber();
  const refused = (path: string) => ({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path }] } },
  });
  expect(await sendBatch(account, batchOf(101))).toMatchObject(refused('messages'));
  expect(await sendBatch(account, [])).toMatchObject(refused('messages'));
  expect(await sendBatch(account, 'many')).toMatchObject(refused('messages'));
  const extra = { headers: account.server, json: { messages: batchOf(1), dryRun: true } };
  expect(await ask('POST', '/v1/messages/send-batch', extra)).toMatchObject(refused('dryRun'));
  expect(await used()).toBe(0);
});

test('a full batch is accepted as a whole, in its order', async () => {
  const { account, used } = await accountWithNumber();
  const full = await sendBatch(account, batchOf(100));
  expect(full).toMatchObject({ status: 202, body: { accepted: 100, refused: 0 } });
  expect(await used()).toBe(100);
  const ids = full.body.data.map(({ messageId }: { messageId: string }) => messageId);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(100);
});

test('a repeat under the Idempotency-Key gets the whole first answer, refusals too; another body is a conflict', async () => {
  const { account, used } = await accountWithNumber();
  const key = { 'Idempotency-Key': 'nightly' };
  const messages = [message(0), message(1, { to: 'nobody' }), message(2)];
  const [first, beside] = await Promise.all([
    sendBatch(account, messages, key),
    sendBatch(account, messages, key),
  ]);
  expect(first).toMatchObject({ status: 202, body: { accepted: 2, refused: 1 } });
  expect(beside.body).toEqual(first.body);
  await evictDurableObject(env.ACCOUNT.getByName(account.accountId));
  const repeat = await sendBatch(account, messages, key);
  expect(repeat).toMatchObject({ status: 202, body: first.body });
  expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await used()).toBe(2);
  expect(await sendBatch(account, messages.slice(1), key)).toMatchObject({
    status: 409,
    body: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
  });
  // A send of its own under the same key is another request.
  const lone = await ask('POST', '/v1/messages/send', {
    headers: { ...account.server, ...key },
    json: message(9),
  });
  expect(lone.status).toBe(202);
  expect(await used()).toBe(3);
});

test('a repeat of a batch with a poll is the same batch, though each poll gets a secret of its own', async () => {
  const { account, used } = await accountWithNumber();
  const poll = { to: '628120000001', type: 'poll', poll: { name: 'Lunch?', options: ['yes', 'no'] } };
  const key = { 'Idempotency-Key': 'lunch' };
  const first = await sendBatch(account, [poll], key);
  expect(first).toMatchObject({ status: 202, body: { accepted: 1 } });
  expect(await sendBatch(account, [poll], key)).toMatchObject({ status: 202, body: first.body });
  const other = { ...poll, poll: { name: 'Lunch?', options: ['yes', 'later'] } };
  expect(await sendBatch(account, [other], key)).toMatchObject({ status: 409 });
  expect(await used()).toBe(1);
});

test('a message with a key of its own is sent once, in whichever request it comes', async () => {
  const { account, used } = await accountWithNumber();
  const order = message(0, { idempotencyKey: 'order 17' });
  const { idempotencyKey: _, ...alone } = order;
  const first = await sendBatch(account, [order, message(1), order, { ...order, text: 'other' }]);
  expect(first.body).toMatchObject({ accepted: 3, refused: 1 });
  const [sent, , again, other] = first.body.data;
  expect(again.messageId).toBe(sent.messageId);
  const details = [{ path: 'idempotencyKey' }];
  expect(other).toMatchObject({ index: 3, error: { code: 'IDEMPOTENCY_CONFLICT', details } });
  const lone = await ask('POST', '/v1/messages/send', {
    headers: { ...account.server, 'Idempotency-Key': 'order 17' },
    json: alone,
  });
  expect(lone.body.messageId).toBe(sent.messageId);
  expect(lone.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await used()).toBe(2);
});

test('the quota is exact within a batch: so many as are left are accepted, from the first on', async () => {
  const { account, used } = await accountWithNumber();
  const stub = env.ACCOUNT.getByName(account.accountId);
  const day = `${new Date().toISOString().slice(0, 7)}-01`;
  await runInDurableObject<Account, void>(stub, (_, { storage }) => {
    const left = Number(env.FREE_PLAN_MESSAGES) - 3;
    storage.sql.exec('INSERT INTO sends (day, number_id, used) VALUES (?, ?, ?)', day, newUuid(), left);
  });
  await evictDurableObject(stub);
  const answer = await sendBatch(account, batchOf(6));
  expect(answer.body).toMatchObject({ accepted: 3, refused: 3 });
  const codes = answer.body.data.map((item: { error?: { code: string } }) => item.error?.code ?? 'accepted');
  expect(codes).toEqual([...Array(3).fill('accepted'), ...Array(3).fill('QUOTA_EXCEEDED')]);
  expect(await used()).toBe(Number(env.FREE_PLAN_MESSAGES));
});

test('a batch counts as so many requests as it has messages', async () => {
  const { account } = await accountWithNumber();
  const now = Date.now() + 60_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    const burst = Number(env.KEY_RATE_BURST);
    const full = await sendBatch(account, batchOf(Math.min(burst, 100) - 1));
    expect(full.status).toBe(202);
    expect(full.headers.get('RateLimit')).toMatch(/^"key";r=1;/);
    const refused = await sendBatch(account, batchOf(2));
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(refused.headers.get('Retry-After')).toBe('1');
    expect(refused.headers.get('RateLimit')).toMatch(/^"key";r=1;/);
    expect(await sendBatch(account, batchOf(1))).toMatchObject({ status: 202 });
  } finally {
    vi.useRealTimers();
  }
});

test('a key that is none gets 401 for a batch, whatever is in it', async () => {
  const account = await openAccount();
  const headers = { 'X-API-Key': 'sk_live_nonsense' };
  for (const messages of [batchOf(1), []]) {
    const answer = await ask('POST', '/v1/messages/send-batch', { headers, json: { messages } });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'INVALID_API_KEY' } } });
  }
  expect(await sendBatch(account, [message(0)])).toMatchObject({
    status: 202,
    body: { accepted: 0, refused: 1, data: [{ index: 0, error: { code: 'NO_HEALTHY_SENDER' } }] },
  });
});

test('one that cannot be decided is an error of its own, and the others are accepted', async () => {
  const { account, used } = await accountWithNumber();
  await runInDurableObject<Account, void>(env.ACCOUNT.getByName(account.accountId), (_, { storage }) => {
    storage.sql.exec(`CREATE TRIGGER poison BEFORE INSERT ON accepted
      WHEN NEW.message LIKE '%poison%' BEGIN SELECT RAISE(ABORT, 'poison'); END`);
  });
  const answer = await sendBatch(account, [message(0), message(1, { text: 'poison' }), message(2)]);
  expect(answer.body).toMatchObject({
    accepted: 2,
    refused: 1,
    data: [{ index: 0, status: 'queued' }, { index: 1, error: { code: 'INTERNAL' } }, { index: 2 }],
  });
  await eventually(async () => (await used()) === 2);
});
