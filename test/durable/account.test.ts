import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { accounts, apiKeys } from '../../src/database/schema.ts';
import type { Account } from '../../src/durable/account/account.ts';
import type { SendRequest } from '../../src/durable/account/admission-types.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import {
  addKey,
  db,
  newAccount,
  senderReport,
  sendRequest,
  setUsed,
  sha256,
  standInVerbs,
} from './account-fixture.ts';
import { phoneNumber } from './fake-bridge.ts';
import { until } from './until.ts';

const limit = Number(env.FREE_PLAN_MESSAGES);

/** A send during which no number can be reached: what a crash between the count and the promise leaves behind. */
function sendIntoTheVoid(account: DurableObjectStub<Account>, request: SendRequest): Promise<unknown> {
  return runInDurableObject<Account, unknown>(account, async (instance) => {
    const { env: bindings } = instance as unknown as { env: { PHONE_NUMBER: unknown } };
    const real = bindings.PHONE_NUMBER;
    const enqueue = () => Promise.reject(new Error('the number is out of reach'));
    bindings.PHONE_NUMBER = { getByName: () => standInVerbs(enqueue) };
    const result = await instance.send(request);
    bindings.PHONE_NUMBER = real;
    return result;
  });
}

describe('the quota', () => {
  test('accepts exactly as many as are left, however many come at once, and survives eviction', async () => {
    const { account, keyHash } = await newAccount();
    await setUsed(account, limit - 10);
    const results = await Promise.all(Array.from({ length: 40 }, () => account.send(sendRequest(keyHash))));
    expect(results.filter(({ ok }) => ok)).toHaveLength(10);
    const refused = results.filter((result) => !result.ok);
    expect(refused).toHaveLength(30);
    for (const refusal of refused) {
      expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED', details: [{ used: limit, limit }] });
    }
    await evictDurableObject(account);
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await account.usage()).toMatchObject({ used: limit, limit });
  });

  test('and the Idempotency-Key hold also for what comes at once to an object that has yet to load its account', async () => {
    const { account, keyHash } = await newAccount();
    await setUsed(account, limit - 3);
    await runInDurableObject<Account, void>(
      account,
      (_, { storage }) => void storage.sql.exec('DELETE FROM snapshot'),
    );
    await evictDurableObject(account);
    const repeated = Array.from({ length: 5 }, () =>
      account.send(sendRequest(keyHash, { idempotencyKey: 'cold' })),
    );
    const plain = Array.from({ length: 10 }, () => account.send(sendRequest(keyHash)));
    const accepted = (await Promise.all([...repeated, ...plain])).flatMap((result) =>
      result.ok ? [result.answer] : [],
    );
    expect(new Set(accepted.map(({ messageId }) => messageId)).size).toBe(3);
    expect(await account.usage()).toMatchObject({ used: limit });
  });

  test('gets back what failed before it left, once', async () => {
    const { account, keyHash } = await newAccount();
    const sent = await account.send(sendRequest(keyHash));
    if (!sent.ok) throw new Error(sent.message);
    const message = { messageId: sent.answer.messageId, queuedAt: Date.parse(sent.answer.queuedAt) };
    expect(await account.usage()).toMatchObject({ used: 1 });
    await account.giveBack([message], sent.answer.numberId);
    await account.giveBack([message], sent.answer.numberId);
    expect(await account.usage()).toMatchObject({ used: 0 });
  });

  test('is not touched by a send that is refused', async () => {
    const { account, keyHash } = await newAccount(0);
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: false, code: 'NO_HEALTHY_SENDER' });
    expect(await account.send(sendRequest(sha256('unknown')))).toMatchObject({ code: 'INVALID_API_KEY' });
    expect(await account.usage()).toMatchObject({ used: 0 });
  });
});

describe('an Idempotency-Key', () => {
  test('gives the first answer to every repeat, also after an eviction, and one message leaves', async () => {
    const { account, keyHash, senders } = await newAccount();
    const request = sendRequest(keyHash, { idempotencyKey: 'order-17' });
    const first = await account.send(request);
    const second = await account.send(request);
    await evictDurableObject(account);
    const third = await account.send(request);
    if (!first.ok || !second.ok || !third.ok) throw new Error('refused');
    expect([first.replayed, second.replayed, third.replayed]).toEqual([false, true, true]);
    expect(second.answer).toEqual(first.answer);
    expect(third.answer).toEqual(first.answer);
    expect(await account.usage()).toMatchObject({ used: 1 });
    const sends = await senders[0]?.bridge.take('send');
    expect(sends?.messages).toHaveLength(1);
    expect(senders[0]?.bridge.heard.filter(({ type }) => type === 'send')).toEqual([]);
  });

  test('with another body is a conflict, and of another account is another key', async () => {
    const { account, keyHash } = await newAccount();
    await account.send(sendRequest(keyHash, { idempotencyKey: 'k' }));
    const other = sendRequest(keyHash, { idempotencyKey: 'k', content: { type: 'text', text: 'other' } });
    expect(await account.send(other)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    const stranger = await newAccount();
    const theirs = await stranger.account.send(sendRequest(stranger.keyHash, { idempotencyKey: 'k' }));
    expect(theirs).toMatchObject({ ok: true, replayed: false });
  });

  test('gives its answer to many repeats at once, before and after an eviction', async () => {
    const { account, keyHash } = await newAccount();
    const request = sendRequest(keyHash, { idempotencyKey: 'again' });
    const first = await account.send(request);
    for (const evict of [async () => {}, () => evictDurableObject(account)]) {
      await evict();
      const repeats = await Promise.all(Array.from({ length: 10 }, () => account.send(request)));
      for (const repeat of repeats) {
        expect(repeat).toMatchObject({ ok: true, replayed: true, answer: first.ok && first.answer });
      }
    }
    expect(await account.usage()).toMatchObject({ used: 1 });
  });

  test('repeated many times at once makes one message; the others are told to wait or get its answer', async () => {
    const { account, keyHash } = await newAccount();
    const request = sendRequest(keyHash, { idempotencyKey: 'burst' });
    const results = await Promise.all(Array.from({ length: 20 }, () => account.send(request)));
    const ids = new Set(results.flatMap((result) => (result.ok ? [result.answer.messageId] : [])));
    expect(ids.size).toBe(1);
    for (const result of results)
      if (!result.ok) expect(result).toMatchObject({ code: 'CONFLICT', retryAfterSeconds: 1 });
    expect(await account.usage()).toMatchObject({ used: 1 });
  });

  test('brings a send to its end that a crash cut off between the count and the promise', async () => {
    const { account, keyHash } = await newAccount();
    const request = sendRequest(keyHash, { idempotencyKey: 'cut off' });
    const first = await sendIntoTheVoid(account, request);
    expect(first).toMatchObject({ ok: false, code: 'INTERNAL' });
    await evictDurableObject(account);
    const second = await account.send(request);
    expect(second).toMatchObject({ ok: true });
    expect(await account.usage()).toMatchObject({ used: 1 });
  });
});

describe('a send whose outcome got lost', () => {
  test('is undone when its number never had it: not counted, and never sent later', async () => {
    const { account, keyHash, senders } = await newAccount();
    await sendIntoTheVoid(account, sendRequest(keyHash));
    expect(await account.usage()).toMatchObject({ used: 1 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 150_000 });
    try {
      await runDurableObjectAlarm(account);
    } finally {
      vi.useRealTimers();
    }
    expect(await account.usage()).toMatchObject({ used: 0 });
    expect(senders[0]?.bridge.heard.filter(({ type }) => type === 'send')).toEqual([]);
  });

  test('is undone with the next message to its number when the account itself has died', async () => {
    const { account, keyHash } = await newAccount();
    await sendIntoTheVoid(account, sendRequest(keyHash, { idempotencyKey: 'lost' }));
    await evictDurableObject(account);
    expect(await account.usage()).toMatchObject({ used: 1 });
    const sent = await account.send(sendRequest(keyHash));
    if (!sent.ok) throw new Error(sent.message);
    expect(await account.usage()).toMatchObject({ used: 1, byNumber: [{ used: 1 }] });
    // Its key is free again, and it is another message.
    expect(await account.send(sendRequest(keyHash, { idempotencyKey: 'lost' }))).toMatchObject({
      ok: true,
      replayed: false,
    });
    expect(await account.usage()).toMatchObject({ used: 2 });
  });

  test('is undone within a day when nothing more is sent, and what has arrived is no reason to wake up', async () => {
    const { account, keyHash } = await newAccount();
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: true });
    await sendIntoTheVoid(account, sendRequest(keyHash, { to: '628999888000' }));
    await evictDurableObject(account);
    expect(await account.usage()).toMatchObject({ used: 2 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3600_000 });
    try {
      await runDurableObjectAlarm(account);
    } finally {
      vi.useRealTimers();
    }
    expect(await account.usage()).toMatchObject({ used: 1 });
  });

  test('stays counted when its number has it', async () => {
    const { account, keyHash } = await newAccount();
    const sent = await account.send(sendRequest(keyHash));
    if (!sent.ok) throw new Error(sent.message);
    await evictDurableObject(account);
    expect(await account.locate(sent.answer.messageId)).toBe(sent.answer.numberId);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 150_000 });
    try {
      await runDurableObjectAlarm(account);
    } finally {
      vi.useRealTimers();
    }
    expect(await account.usage()).toMatchObject({ used: 1 });
    expect(await phoneNumber(sent.answer.numberId).message(sent.answer.messageId)).toMatchObject({
      status: 'queued',
    });
  });
});

describe('a key', () => {
  test('is refused from the very request after its revocation', async () => {
    const { account, keyHash } = await newAccount();
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: true });
    await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.keyHash, keyHash));
    await account.refresh();
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: false, code: 'INVALID_API_KEY' });
    expect(await account.checkKey(keyHash)).toMatchObject({ ok: false, code: 'INVALID_API_KEY' });
  });

  test('that was revoked while another change was being loaded is refused all the same', async () => {
    const { account, keyHash } = await newAccount();
    const earlier = account.refresh();
    await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.keyHash, keyHash));
    await Promise.all([earlier, account.refresh(), account.refresh()]);
    expect(await account.checkKey(keyHash)).toMatchObject({ code: 'INVALID_API_KEY' });
  });

  test('that asks for more than its rate is told when to come back, and others are not held up', async () => {
    const { accountId, account, keyHash } = await newAccount(0);
    const other = await addKey(accountId);
    await account.refresh();
    const burst = Number(env.KEY_RATE_BURST) + 20;
    // However long it takes, nothing of the rate grows back.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const results = await Promise.all(
      Array.from({ length: burst }, () => account.send(sendRequest(keyHash))),
    ).finally(() => vi.useRealTimers());
    const limited = results.filter((result) => !result.ok && result.code === 'RATE_LIMITED');
    expect(limited).toHaveLength(20);
    expect(limited[0]).toMatchObject({ retryAfterSeconds: 1 });
    expect(await account.send(sendRequest(other))).not.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('shows when it was last used, also after an eviction', async () => {
    const { account, keyHash } = await newAccount();
    const before = Date.now();
    await account.send(sendRequest(keyHash));
    await evictDurableObject(account);
    const [usedAt] = Object.values(await account.keyUsage());
    expect(usedAt).toBeGreaterThanOrEqual(before);
  });
});

describe('an account that does not exist', () => {
  test('admits nobody and leaves nothing behind, and works once it is created', async () => {
    const accountId = newUuid();
    const account = env.ACCOUNT.getByName(accountId);
    expect(await account.checkKey(sha256('made up'))).toMatchObject({ code: 'INVALID_API_KEY' });
    const tables = await runInDurableObject<Account, unknown[]>(account, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    );
    expect(tables).toEqual([]);
    // What numbers of it still tell has no place to go, and does no harm.
    await account.reportSender(senderReport(newUuid()));
    await account.giveBack([{ messageId: 'msg_1', queuedAt: Date.now() }], newUuid());
    await account.noteInbound({
      numberId: newUuid(),
      items: [{ from: '628123456789', at: 1, text: 'stop' }],
    });
    await db.insert(accounts).values({ id: accountId, name: 'Late', plan: 'free', createdAt: Date.now() });
    const keyHash = await addKey(accountId);
    await account.refresh();
    expect(await account.checkKey(keyHash)).toMatchObject({ ok: true });
  });
});

describe('the senders of an account', () => {
  test('take turns', async () => {
    const { account, keyHash, senders } = await newAccount(3);
    const requests = Array.from({ length: 30 }, (_, index) =>
      sendRequest(keyHash, { to: `6289990001${index}` }),
    );
    const results = await Promise.all(requests.map((request) => account.send(request)));
    for (const { numberId } of senders) {
      expect(results.filter((result) => result.ok && result.answer.numberId === numberId)).toHaveLength(10);
    }
  });

  test('are left out as soon as they report that they are down', async () => {
    const { account, keyHash, senders } = await newAccount(2);
    const down = senders[0];
    await down?.bridge.tell({
      type: 'session.disconnected',
      reason: 'connection_lost',
      lastSeenAt: new Date().toISOString(),
    });
    const statusOf = async () => (await account.senders())[down?.numberId ?? '']?.health.status;
    await until(async () => (await statusOf()) === 'unavailable');
    for (let sends = 0; sends < 4; sends += 1) {
      expect(await account.send(sendRequest(keyHash))).toMatchObject({
        answer: { numberId: senders[1]?.numberId },
      });
    }
    await account.reportSender(senderReport(down?.numberId ?? '', { revision: 1 }));
    expect(await statusOf()).toBe('unavailable');
  });

  test('of another account are never chosen', async () => {
    const { account } = await newAccount(0);
    expect(await account.send(sendRequest(sha256(newUuid())))).toMatchObject({ code: 'INVALID_API_KEY' });
    expect(await account.locate('msg_019c1b2a-0000-7000-8000-000000000001')).toBeNull();
  });
});
