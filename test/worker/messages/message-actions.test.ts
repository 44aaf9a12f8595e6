import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newMessageId, providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import { failed, queued, received, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

let account: TestAccount;
let numberId: string;
const minute = 60_000;

beforeAll(async () => {
  account = await openAccount();
  numberId = await addConnectedNumber(account);
});

/** A message that was sent so long ago. */
async function sentMessage(ageMs = 0, more: Parameters<typeof record>[0] = {}): Promise<string> {
  const message = record({ numberId, queuedAt: Date.now() - ageMs, ...more });
  await logOf(env, account.accountId).take([sent(message, message.queuedAt)]);
  return message.messageId;
}

async function receivedMessage(): Promise<string> {
  const log = logOf(env, account.accountId);
  await log.take([received({ at: new Date().toISOString() }, numberId)]);
  const { messages } = await log.messages({ direction: 'inbound' }, 1, null);
  return messages[0]?.messageId ?? '';
}

/** A message that was sent, and taken back on the phone. */
async function takenBackMessage(): Promise<string> {
  const messageId = await sentMessage();
  const target = { providerMessageId: providerMessageIdOf(messageId), isOwn: true, author: '15550000001' };
  const chat = { chatType: 'personal', chat: '628123456789' } as const;
  const from = '15550000001';
  const change = { ...chat, from, target, change: 'deleted', at: new Date().toISOString() } as const;
  await logOf(env, account.accountId).take([
    { kind: 'message.changed', numberId, own: '15550000001', change },
  ]);
  expect(await logOf(env, account.accountId).message(messageId)).toMatchObject({
    deletedAt: expect.any(Number),
  });
  return messageId;
}

const call = (
  method: string,
  path: string,
  json?: object,
  headers: Record<string, string> = account.server,
) => ask(method, `/v1/messages/${path}`, { headers, ...(json && { json }) });

describe('a message that was sent', () => {
  test('can be changed, taken back and reacted to: each is accepted for its number', async () => {
    const messageId = await sentMessage();
    const calls = [
      ['PATCH', messageId, { text: 'better' }, 'edit'],
      ['PUT', `${messageId}/reaction`, { emoji: '❤️' }, 'reaction'],
      ['DELETE', `${messageId}/reaction`, undefined, 'reaction'],
      ['DELETE', messageId, undefined, 'delete'],
    ] as const;
    const logged = vi.spyOn(console, 'log');
    onTestFinished(() => logged.mockRestore());
    const ofAccount = { event: 'request', accountId: account.accountId };
    const lines = () =>
      logged.mock.calls.map(([line]) => JSON.parse(line)).filter(({ event }) => event === 'request');
    expect((await call('PUT', `${messageId}/reaction`, { emoji: '👍🏽' }, account.owner)).status).toBe(202);
    expect(lines().at(-1)).toMatchObject({ ...ofAccount, userId: expect.any(String), messageId });
    for (const [method, path, json, action] of calls) {
      const { status, body } = await call(method, path, json);
      expect([status, body]).toEqual([202, { messageId, numberId, action, acceptedAt: expect.any(String) }]);
      const { apiKeyId: keyId } = account;
      expect(lines().at(-1)).toMatchObject({ ...ofAccount, keyId, messageId, numberId, action });
    }
  });

  test('takes nothing off the quota by that', async () => {
    const used = async () => (await ask('GET', '/v1/usage', { headers: account.server })).body.used;
    const before = await used();
    expect((await call('PUT', `${await sentMessage()}/reaction`, { emoji: '🎉' })).status).toBe(202);
    expect(await used()).toBe(before);
  });

  test('says what was wanted of it and came to nothing, and why', async () => {
    const messageId = await sentMessage();
    expect((await call('GET', messageId)).body.failedActions).toBeUndefined();
    const target = { providerMessageId: 'X', isOwn: true };
    const content = { type: 'reaction', emoji: '👍', targetId: messageId, target } as const;
    await logOf(env, account.accountId).take([failed(record({ numberId, content, isQuiet: true }))]);
    expect((await call('GET', messageId)).body.failedActions).toEqual([
      {
        action: 'reaction',
        acceptedAt: expect.any(String),
        failedAt: expect.any(String),
        errorMessage: 'The network refused it.',
        errorCode: null,
      },
    ]);
  });

  test('can be changed for 15 minutes and taken back for 2 days, and not later', async () => {
    const young = await sentMessage(14 * minute);
    const older = await sentMessage(16 * minute);
    const old = await sentMessage(49 * 60 * minute);
    expect((await call('PATCH', young, { text: 'x' })).status).toBe(202);
    for (const [method, id, json] of [
      ['PATCH', older, { text: 'x' }],
      ['DELETE', old, undefined],
    ] as const) {
      const { status, body } = await call(method, id, json);
      expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
    }
    expect((await call('DELETE', older)).status).toBe(202);
  });

  test('and is to be deleted refuses all else, though the deletion waits for its number', async () => {
    const [messageId, other] = [await sentMessage(), await sentMessage()];
    expect((await call('DELETE', messageId)).status).toBe(202);
    for (const [method, path, json] of [
      ['PATCH', messageId, { text: 'better' }],
      ['PUT', `${messageId}/reaction`, { emoji: '👍' }],
      ['DELETE', `${messageId}/reaction`, undefined],
      ['DELETE', messageId, undefined],
    ] as const) {
      const { status, body } = await call(method, path, json);
      expect([method, status, body.error]).toMatchObject([
        ...[method, 409],
        { code: 'CONFLICT', message: 'The message is being deleted.' },
      ]);
    }
    expect((await call('PATCH', other, { text: 'better' })).status).toBe(202);
    expect((await call('DELETE', other)).status).toBe(202);
  });

  test('is no text: it cannot be changed, and says so', async () => {
    const content = { type: 'location', location: { latitude: 1, longitude: 2 } } as const;
    const { status } = await call('PATCH', await sentMessage(0, { content }), { text: 'x' });
    expect(status).toBe(409);
  });
});

describe('a message', () => {
  test('that waits, has failed, came in or was taken back refuses what makes no sense', async () => {
    const log = logOf(env, account.accountId);
    const [waiting, broken] = [record({ numberId }), record({ numberId })];
    await log.take([queued(waiting), failed(broken)]);
    const inbound = await receivedMessage();
    const gone = await takenBackMessage();
    const conflicts = [
      ['PATCH', waiting.messageId, { text: 'x' }],
      ['DELETE', broken.messageId, undefined],
      ['PATCH', inbound, { text: 'x' }],
      ['DELETE', inbound, undefined],
      ['POST', `${await sentMessage()}/read`, undefined],
      ...(['PATCH', 'DELETE', 'PUT'] as const).map((method) => {
        const json = { PATCH: { text: 'x' }, DELETE: undefined, PUT: { emoji: '👍' } }[method];
        return [method, method === 'PUT' ? `${gone}/reaction` : gone, json] as const;
      }),
    ] as const;
    for (const [method, path, json] of conflicts) {
      expect((await call(method, path, json)).body).toMatchObject({ error: { code: 'CONFLICT' } });
    }
  });

  test('that came in can be reacted to and marked as read', async () => {
    const inbound = await receivedMessage();
    expect((await call('PUT', `${inbound}/reaction`, { emoji: '👍' })).status).toBe(202);
    expect((await call('POST', `${inbound}/read`)).status).toBe(202);
  });

  test('of another account, or that never was, is not found', async () => {
    const other = await openAccount('Other Ltd');
    const messageId = await sentMessage();
    expect((await call('DELETE', messageId, undefined, other.server)).status).toBe(404);
    expect((await call('POST', `${newMessageId()}/read`)).status).toBe(404);
    expect((await call('PATCH', 'msg_1', { text: 'x' })).status).toBe(404);
  });

  test.each([
    ['PATCH', '', { text: ' ' }, 'text'],
    ['PATCH', '', {}, 'text'],
    ['PUT', '/reaction', { emoji: 'ok' }, 'emoji'],
    ['PUT', '/reaction', { emoji: '7' }, 'emoji'],
    ['PUT', '/reaction', { emoji: '👍👍' }, 'emoji'],
    ['PUT', '/reaction', { emoji: '' }, 'emoji'],
    ['PUT', '/reaction', { emoji: '👍', text: 'x' }, 'text'],
  ])('%s%s with %o names the field that is wrong', async (method, path, json, field) => {
    const { body } = await call(method, `${await sentMessage()}${path}`, json);
    expect(body).toMatchObject({ error: { code: 'VALIDATION_ERROR', details: [{ path: field }] } });
  });
});

describe('an answer to a message', () => {
  const send = (json: object) => ask('POST', '/v1/messages/send', { headers: account.server, json });

  test('shows what it answers, alone and in a batch', async () => {
    const quotedMessageId = await receivedMessage();
    const { status, body } = await send({ to: '628123456789', text: 'Yes', quotedMessageId });
    expect(status).toBe(202);
    expect((await call('GET', body.messageId)).body).toMatchObject({ quotedMessageId });
    const messages = [
      { to: '628123456789', text: 'Yes', quotedMessageId },
      { to: '628123456789', text: 'Yes', quotedMessageId: newMessageId() },
    ];
    const batch = await ask('POST', '/v1/messages/send-batch', {
      headers: account.server,
      json: { messages },
    });
    expect(batch.body).toMatchObject({
      accepted: 1,
      data: [{ status: 'queued' }, { error: { details: [{ path: 'quotedMessageId' }] } }],
    });
  });

  test('names who wrote what it answers: they, or the number that it was sent through', async () => {
    const quotedBy = async (quotedMessageId: string) => {
      const { body } = await send({ to: '628123456789', text: 'Yes', quotedMessageId });
      const message = await eventually(() => logOf(env, account.accountId).message(body.messageId));
      return message.content.quoted;
    };
    const theirs = await quotedBy(await receivedMessage());
    expect(theirs).toMatchObject({ isOwn: false, author: '628123456789', text: 'hello there' });
    expect(await quotedBy(await sentMessage())).toMatchObject({ isOwn: true, author: '15550000001' });
  });

  test('to a message that is not there names the field', async () => {
    for (const quotedMessageId of [newMessageId(), 'msg_1']) {
      expect((await send({ to: '628123456789', text: 'Yes', quotedMessageId })).body).toMatchObject({
        error: { code: 'VALIDATION_ERROR', details: [{ path: 'quotedMessageId' }] },
      });
    }
  });

  test('of another number is none to a key that sends through one number alone', async () => {
    const quotedMessageId = await receivedMessage();
    const other = await addConnectedNumber(account);
    const keyOf = async (pinnedNumberId: string) => {
      const json = { name: 'one number', pinnedNumberId, onPinFailure: 'strict' };
      const made = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
      return { 'X-API-Key': made.body.key };
    };
    const answerBy = async (pinned: string) =>
      ask('POST', '/v1/messages/send', {
        headers: await keyOf(pinned),
        json: { to: '628123456789', text: 'Yes', quotedMessageId },
      });
    expect((await answerBy(numberId)).status).toBe(202);
    expect((await answerBy(other)).body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ path: 'quotedMessageId' }] },
    });
  });
});

test('a message that waits for its time is cancelled by deleting it, as often as one likes, and is not used up', async () => {
  const own = await openAccount();
  await addConnectedNumber(own);
  const { server: headers } = own;
  const used = async () => (await ask('GET', '/v1/usage', { headers: own.owner })).body.used;
  const sendAt = new Date(Date.now() + minute).toISOString();
  const sentLater = await ask('POST', '/v1/messages/send', {
    headers,
    json: { to: '628123456789', text: 'later', sendAt },
  });
  const { messageId } = sentLater.body;
  expect(await used()).toBe(1);
  const cancel = () => ask('DELETE', `/v1/messages/${messageId}`, { headers });
  const accepted = { status: 202, body: { messageId, action: 'delete', acceptedAt: expect.any(String) } };
  expect(await cancel()).toMatchObject(accepted);
  expect(await cancel()).toMatchObject(accepted);
  const edit = () => ask('PATCH', `/v1/messages/${messageId}`, { headers, json: { text: 'better' } });
  expect(await edit()).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  await eventually(
    async () => (await ask('GET', `/v1/messages/${messageId}`, { headers })).body.status === 'failed',
  );
  const { body } = await ask('GET', `/v1/messages/${messageId}`, { headers });
  expect(body).toMatchObject({ errorCode: 'cancelled' });
  expect(body).not.toHaveProperty('deletedAt');
  expect(await cancel()).toMatchObject(accepted);
  expect(await edit()).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', message: 'The message was cancelled before it was sent.' } },
  });
  expect(await used()).toBe(0);
});
