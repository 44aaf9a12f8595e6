import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultPacing, type Filters } from '../../../src/contract/numbers/sender-settings.ts';
import { accounts, apiKeys, numbers as numbersTable } from '../../../src/database/schema.ts';
import type { Account } from '../../../src/durable/account/account.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import {
  addKey,
  addSenders,
  banned,
  db,
  disconnected,
  inbound,
  newAccount,
  newRecipient,
  news,
  noted,
  poolOf,
  rowsOf,
  sendRequest,
  setUsed,
  sha256,
} from './account-fixture.ts';

const limit = Number(env.FREE_PLAN_MESSAGES);
let numbers: StandInNumbers;
let logs: StandInLogs;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  logs = await StandInLogs.begin();
});

describe('the quota', () => {
  test('accepts exactly as many as are left, however many come at once, and survives eviction', async () => {
    const { account, keyHash } = await poolOf(1);
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
    const { account, keyHash } = await poolOf(1);
    await setUsed(account, limit - 3);
    await runInDurableObject<Account, void>(account, (_, { storage }) => {
      storage.sql.exec('DELETE FROM snapshot');
    });
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
    const { accountId, account, keyHash } = await poolOf(1);
    const sent = await account.send(sendRequest(keyHash));
    if (!sent.ok) throw new Error(sent.message);
    const { numberId } = sent.answer;
    const message = await until(() => numbers.givenTo(numberId)[0]);
    expect(await account.usage()).toMatchObject({ used: 1 });
    const returned = noted(numberId, {
      kind: 'returned',
      message,
      reason: 'not_sendable',
      errorMessage: 'No.',
      errorCode: 'network_403',
    });
    await account.hear(returned);
    await evictDurableObject(account);
    await account.hear(returned);
    expect(await account.usage()).toMatchObject({ used: 0, byNumber: [], byDay: [] });
    // The network's own code is kept to the end.
    const failed = () => logs.of(accountId).find(({ kind }) => kind === 'message.failed');
    expect(await until(failed)).toMatchObject({ errorMessage: 'No.', errorCode: 'network_403' });
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
    const { account, keyHash, numberIds } = await poolOf(1);
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
    await until(() => numbers.givenTo(...numberIds).length > 0);
    expect(numbers.givenTo(...numberIds)).toHaveLength(1);
    // Nothing is left for another send.
    await setUsed(account, limit);
    expect(await account.send(request)).toMatchObject({ ok: true, replayed: true, answer: first.answer });
  });

  test('with another body is a conflict, and of another account is another key', async () => {
    const { account, keyHash } = await poolOf(1);
    await account.send(sendRequest(keyHash, { idempotencyKey: 'k' }));
    const other = sendRequest(keyHash, { idempotencyKey: 'k', content: { type: 'text', text: 'other' } });
    expect(await account.send(other)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    const stranger = await poolOf(1);
    const theirs = await stranger.account.send(sendRequest(stranger.keyHash, { idempotencyKey: 'k' }));
    expect(theirs).toMatchObject({ ok: true, replayed: false });
  });

  test('gives its answer to many repeats at once, before and after an eviction', async () => {
    const { account, keyHash } = await poolOf(1);
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

  test('repeated many times at once makes one message, and all get its answer', async () => {
    const { account, keyHash } = await poolOf(1);
    const request = sendRequest(keyHash, { idempotencyKey: 'burst' });
    const results = await Promise.all(Array.from({ length: 20 }, () => account.send(request)));
    const ids = results.map((result) => result.ok && result.answer.messageId);
    expect(new Set(ids).size).toBe(1);
    expect(results.filter((result) => result.ok && !result.replayed)).toHaveLength(1);
    expect(await account.usage()).toMatchObject({ used: 1 });
  });
});

describe('an accepted message', () => {
  test('is there until the log and its number have it, whatever dies in between', async () => {
    const { accountId, account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    logs.isAway = true;
    numbers.unreachable.add(numberId);
    const sent = await account.send(sendRequest(keyHash));
    if (!sent.ok) throw new Error(sent.code);
    const { messageId } = sent.answer;
    await evictDurableObject(account);
    expect(await account.accepted(messageId)).toMatchObject({ messageId, numberId, to: '628999888777' });
    numbers.forecast = { heldReason: 'pacing', expectedAt: 5 };
    expect(await account.waiting(messageId, numberId)).toEqual({ heldReason: 'pacing', expectedAt: 5 });
    numbers.forecast = { heldReason: 'not_connected', expectedAt: 5 };
    expect(await account.waiting(messageId, numberId)).toEqual({
      heldReason: 'not_connected',
      expectedAt: null,
    });
    logs.isAway = false;
    numbers.unreachable.clear();
    await until(() => numbers.takersOf(messageId).length > 0 && logs.of(accountId).length > 0);
    expect(logs.of(accountId)).toMatchObject([{ kind: 'message.queued', message: { messageId, numberId } }]);
    await until(
      async () => (await rowsOf(account, 'accepted')) + (await rowsOf(account, 'log_outbox')) === 0,
    );
    expect(await account.accepted(messageId)).toBeNull();
    expect(await account.waiting(messageId, numberId)).toBeNull();
    expect(numbers.takersOf(messageId)).toEqual([numberId]);
  });

  test('is told to the log before anything else of it, and once', async () => {
    const { accountId, account, keyHash, numberIds } = await poolOf(2);
    await Promise.all(Array.from({ length: 20 }, () => account.send(sendRequest(keyHash))));
    await until(() => numbers.givenTo(...numberIds).length === 20 && logs.of(accountId).length === 20);
    const ids = logs.of(accountId).map((fact) => fact.kind === 'message.queued' && fact.message.messageId);
    expect(new Set(ids)).toEqual(new Set(numbers.givenTo(...numberIds).map(({ messageId }) => messageId)));
  });
});

describe('a key', () => {
  test('is refused from the very request after its revocation', async () => {
    const { account, keyHash } = await poolOf(1);
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: true });
    await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.keyHash, keyHash));
    await account.refresh();
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: false, code: 'INVALID_API_KEY' });
    expect(await account.checkKey({ keyHash }, 'usage:read')).toMatchObject({
      ok: false,
      code: 'INVALID_API_KEY',
    });
  });

  test('that was revoked while another change was being loaded is refused all the same', async () => {
    const { account, keyHash } = await poolOf(1);
    const earlier = account.refresh();
    await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.keyHash, keyHash));
    await Promise.all([earlier, account.refresh(), account.refresh()]);
    expect(await account.checkKey({ keyHash }, 'usage:read')).toMatchObject({ code: 'INVALID_API_KEY' });
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
    // What a dry run asks counts as a request, too.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const tried = [await account.dryRun(sendRequest(other)), await account.dryRun(sendRequest(other))];
    vi.useRealTimers();
    const [before = 0, after = 0] = tried.map(({ limits }) => limits?.[0]?.remaining);
    expect(after).toBe(before - 1);
  });

  test('shows when it was last used, also after an eviction', async () => {
    const { account, keyHash } = await poolOf(1);
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
    expect(await account.checkKey({ keyHash: sha256('made up') }, 'usage:read')).toMatchObject({
      code: 'INVALID_API_KEY',
    });
    const tables = await runInDurableObject<Account, unknown[]>(account, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    );
    expect(tables).toEqual([]);
    // What numbers of it still tell has no place to go, and does no harm.
    const told = noted(newUuid(), inbound('628123456789', 1, 'stop'));
    expect(await account.hear(told)).toMatchObject({ takenUpTo: 1 });
    await account.knowAliases([{ lid: '100000000000018', phoneNumber: '628123456789' }]);
    await db.insert(accounts).values({ id: accountId, name: 'Late', plan: 'free', createdAt: Date.now() });
    const keyHash = await addKey(accountId);
    await account.refresh();
    expect(await account.checkKey({ keyHash }, 'usage:read')).toMatchObject({ ok: true });
    expect(await account.senders()).toEqual({});
    expect(await rowsOf(account, 'aliases')).toBe(0);
  });

  test('any more, as far as D1 knows, keeps what it has: one wrong read deletes nothing', async () => {
    const { accountId, account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    await account.send(sendRequest(keyHash, { idempotencyKey: 'kept' }));
    await account.hear(noted(numberId, inbound('628777', Date.now(), 'stop')));
    await db.delete(accounts).where(eq(accounts.id, accountId));
    await account.refresh();
    await evictDurableObject(account);
    expect(await account.send(sendRequest(keyHash, { idempotencyKey: 'kept' }))).toMatchObject({
      ok: true,
      replayed: true,
    });
    expect(await account.usage()).toMatchObject({ used: 1 });
    expect(await account.optOuts(10, null)).toMatchObject([{ phoneNumber: '628777' }]);
  });
});

describe('the configuration', () => {
  test('that is older than what the account has already changes nothing', async () => {
    const { accountId, account, keyHash } = await poolOf(1);
    await db.update(accounts).set({ revision: 7 }).where(eq(accounts.id, accountId));
    await account.refresh();
    await db.update(apiKeys).set({ revokedAt: 1 }).where(eq(apiKeys.keyHash, keyHash));
    await db.update(accounts).set({ revision: 6 }).where(eq(accounts.id, accountId));
    await account.refresh();
    expect(await account.checkKey({ keyHash }, 'usage:read')).toMatchObject({ ok: true });
    await db.update(accounts).set({ revision: 7 }).where(eq(accounts.id, accountId));
    await account.refresh();
    expect(await account.checkKey({ keyHash }, 'usage:read')).toMatchObject({ code: 'INVALID_API_KEY' });
  });
});

test('when somebody last wrote is when they wrote to any of the numbers, and nothing while they were only written to', async () => {
  const { account, keyHash, numberIds } = await poolOf(3);
  const [asked = '', last = '', before = ''] = numberIds;
  const to = newRecipient();
  const lastInboundAt = async () => (await account.recipients([to]))[0]?.lastInboundAt;
  expect(await account.send(sendRequest(keyHash, { to, senderHint: asked }))).toMatchObject({ ok: true });
  expect(await lastInboundAt()).toBeNull();
  const now = Date.now();
  await account.hear(noted(last, inbound(to, now - 1_000)));
  await account.hear(noted(before, inbound(to, now - 5_000)));
  expect(await lastInboundAt()).toBe(now - 1_000);
});

test('numbers whose filters were stored before there was one of them filter by those that there were', async () => {
  const { accountId, account, keyHash } = await poolOf(0);
  const filters = { blockPrefixes: ['999'] } as Partial<Filters> as Filters;
  await addSenders(accountId, 1, { filters });
  expect(await account.send(sendRequest(keyHash, { to: newRecipient() }))).toMatchObject({ ok: true });
  const blocked = await account.send(sendRequest(keyHash, { to: '999123456789' }));
  expect(blocked).toMatchObject({ code: 'RECIPIENT_FILTERED', details: [{ filter: 'blockPrefixes' }] });
});

describe('the senders of an account', () => {
  test('take turns', async () => {
    const { account, keyHash, numberIds } = await poolOf(3);
    const requests = Array.from({ length: 30 }, () => sendRequest(keyHash, { to: newRecipient() }));
    const results = await Promise.all(requests.map((request) => account.send(request)));
    for (const numberId of numberIds) {
      expect(results.filter((result) => result.ok && result.answer.numberId === numberId)).toHaveLength(10);
    }
  });

  test('are left out as soon as they report that they are down', async () => {
    const { account, keyHash, numberIds } = await poolOf(2);
    const [down = '', other] = numberIds;
    await account.hear(news(down, disconnected));
    for (let sends = 0; sends < 4; sends += 1) {
      expect(await account.send(sendRequest(keyHash))).toMatchObject({ answer: { numberId: other } });
    }
    await account.hear(news(down, { revision: 1 }));
    expect((await account.senders())[down]?.health.status).toBe('unavailable');
  });

  test('are no more once they are deleted, in the next life neither', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    await db.delete(numbersTable).where(eq(numbersTable.id, numberIds[0] ?? ''));
    await account.refresh();
    await evictDurableObject(account);
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ code: 'NO_HEALTHY_SENDER' });
  });

  test('of another account are never chosen', async () => {
    const { account } = await newAccount(0);
    expect(await account.send(sendRequest(sha256(newUuid())))).toMatchObject({ code: 'INVALID_API_KEY' });
    expect(await account.accepted('msg_019c1b2a-0000-7000-8000-000000000001')).toBeNull();
  });

  test('are as they last said, each with everything it said', async () => {
    const { account, numberIds } = await poolOf(2);
    const [first = '', second = ''] = numberIds;
    await account.hear(
      news(second, { ...banned, phoneNumber: '15550000002', connectedAt: 5, lastSeenAt: 6 }),
    );
    expect(await account.senders()).toMatchObject({
      [first]: { state: 'connected', health: { status: 'healthy' } },
      [second]: {
        state: 'banned',
        phoneNumber: '15550000002',
        connectedAt: 5,
        lastSeenAt: 6,
        health: { status: 'unavailable', reason: 'The network banned the number.' },
      },
    });
  });

  test('are made from the account, near where it was first used from', async () => {
    const { account } = await newAccount(0);
    const numberId = newUuid();
    await account.provisionNumber(numberId, defaultPacing, 'weur');
    await account.provisionNumber(numberId, defaultPacing, 'apac');
    expect(await env.PHONE_NUMBER.getByName(numberId).device()).toMatchObject({ state: 'unpaired' });
    const hints = await runInDurableObject<Account, unknown[]>(account, (_, { storage }) =>
      storage.sql.exec('SELECT hint FROM location').toArray(),
    );
    expect(hints).toEqual([{ hint: 'weur' }]);
  });
});
