import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import { poolOf, sendRequest, setUsed } from './account-fixture.ts';

const limit = Number(env.FREE_PLAN_MESSAGES);

afterEach(() => {
  vi.useRealTimers();
});

test('quota.exceeded is told at the first rejected send, once a minute at most while more are rejected, and anew in a new month', async () => {
  await StandInNumbers.begin();
  const logs = await StandInLogs.begin();
  const { accountId, account, keyHash } = await poolOf(1);
  const told = async (count: number) => {
    const facts = () => logs.of(accountId).filter(({ kind }) => kind !== 'quota.warning');
    await until(() => facts().length >= count);
    return facts().filter(({ kind }) => kind === 'quota.exceeded');
  };
  const start = Date.UTC(2031, 0, 31, 23, 57);
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await setUsed(account, limit - 1);
  const send = () => account.send(sendRequest(keyHash));
  expect(await send()).toMatchObject({ ok: true });
  expect(await told(1)).toEqual([]);
  const refused = await Promise.all(Array.from({ length: 10 }, send));
  for (const refusal of refused) expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const [first, ...more] = await told(2);
  if (first?.kind !== 'quota.exceeded') throw new Error('it was not told');
  expect(more).toEqual([]);
  expect(first).toMatchObject({ used: limit, limit, resetAt: '2031-02-01T00:00:00.000Z' });
  vi.setSystemTime(first.at + 59_999);
  await evictDurableObject(account);
  await send();
  vi.setSystemTime(first.at + 60_000);
  await Promise.all([send(), send()]);
  expect(await told(3)).toHaveLength(2);
  // The month has turned: there is room, and then the first rejection is told at once.
  vi.setSystemTime(start + 185_000);
  expect(await send()).toMatchObject({ ok: true });
  await setUsed(account, limit);
  expect(await send()).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const facts = await told(5);
  expect(facts).toHaveLength(3);
  expect(facts[2]).toMatchObject({ resetAt: '2031-03-01T00:00:00.000Z' });
});

test('that most of the quota is used is told once a month, whatever becomes of the object meanwhile', async () => {
  await StandInNumbers.begin();
  const logs = await StandInLogs.begin();
  const { accountId, account, keyHash } = await poolOf(1);
  const warnings = () => logs.of(accountId).filter(({ kind }) => kind === 'quota.warning');
  const queued = () => logs.of(accountId).filter(({ kind }) => kind === 'message.queued');
  await setUsed(account, Math.ceil(limit * 0.8) - 2);
  for (const warned of [0, 1, 1]) {
    const before = queued().length;
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: true });
    await until(() => queued().length > before);
    expect(warnings()).toHaveLength(warned);
    await evictDurableObject(account);
  }
});
