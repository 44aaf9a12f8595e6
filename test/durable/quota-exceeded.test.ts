import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { EventEnvelope } from '../../src/contract/events.ts';
import type { Account } from '../../src/durable/account/account.ts';
import { addSenders, newAccount, sendRequest, setUsed } from './account-fixture.ts';
import { keepRelayedEvents } from './relayed.ts';

keepRelayedEvents();
const limit = Number(env.FREE_PLAN_MESSAGES);

afterEach(() => {
  vi.useRealTimers();
});

const told = (account: DurableObjectStub<Account>) =>
  runInDurableObject<Account, EventEnvelope[]>(account, (_, { storage }) =>
    storage.sql
      .exec<{ events: string }>('SELECT events FROM relay ORDER BY seq')
      .toArray()
      .flatMap(({ events }) => JSON.parse(events))
      .map(({ envelope }) => envelope),
  );

test('quota.exceeded is told at the first rejected send, once a minute at most while more are rejected, and anew in a new month', async () => {
  const { accountId, account, keyHash } = await newAccount(0);
  await addSenders(accountId, 1);
  const start = Date.UTC(2031, 0, 31, 23, 57);
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await setUsed(account, limit - 1);
  const send = () => account.send(sendRequest(keyHash));
  expect(await send()).toMatchObject({ ok: true });
  expect(await told(account)).toEqual([]);
  const refused = await Promise.all(Array.from({ length: 10 }, send));
  for (const refusal of refused) expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  expect(await told(account)).toMatchObject([
    { event: 'quota.exceeded', data: { used: limit, limit, resetAt: '2031-02-01T00:00:00.000Z' } },
  ]);
  vi.setSystemTime(start + 59_999);
  await evictDurableObject(account);
  await send();
  expect(await told(account)).toHaveLength(1);
  vi.setSystemTime(start + 60_000);
  await Promise.all([send(), send()]);
  expect(await told(account)).toHaveLength(2);
  // The month has turned: there is room, and then the first rejection is told at once.
  vi.setSystemTime(start + 185_000);
  expect(await send()).toMatchObject({ ok: true });
  await setUsed(account, limit);
  expect(await send()).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const events = await told(account);
  expect(events).toHaveLength(3);
  expect(events[2]?.data).toMatchObject({ resetAt: '2031-03-01T00:00:00.000Z' });
});
