import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { apiKeys, numbers as numbersTable } from '../../../src/database/schema.ts';
import type { Account } from '../../../src/durable/account/account.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import { db, news, poolOf, sendRequest } from './account-fixture.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Nobody tells the account: its refresh has failed. */
const revokeInSilence = (keyHash: string) =>
  db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.keyHash, keyHash));

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('an account in use that nobody tells of a revocation', () => {
  test.for([false, true])(
    'accepts the key no longer than a minute (evicted meanwhile: %s)',
    async (isEvicted) => {
      const { account, keyHash } = await poolOf(1);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      const check = () => account.checkKey({ keyHash }, 'usage:read');
      expect(await check()).toMatchObject({ ok: true });
      await revokeInSilence(keyHash);
      if (isEvicted) await evictDurableObject(account);
      pass(30_000);
      expect(await check()).toMatchObject({ ok: true });
      pass(20_000);
      // This one is not held up; what it has begun holds for those behind it.
      await check();
      await until(async () => !(await check()).ok);
      expect(await account.send(sendRequest(keyHash))).toMatchObject({ code: 'INVALID_API_KEY' });
    },
  );

  test('fails what waits for a number that was deleted in silence', async () => {
    const numbers = await StandInNumbers.begin();
    const logs = await StandInLogs.begin();
    const { accountId, account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    numbers.unreachable.add(numberId);
    await account.hear(news(numberId, { room: 0 }));
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: true });
    await db.delete(numbersTable).where(eq(numbersTable.id, numberId));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    pass(50_000);
    // Nothing else wakes the account meanwhile.
    await runInDurableObject(account, (_, { storage }) => storage.deleteAlarm());
    await account.checkKey({ keyHash }, 'usage:read');
    const failed = () => logs.of(accountId).filter(({ kind }) => kind === 'message.failed');
    await until(() => failed().length > 0);
    expect(failed()).toMatchObject([{ errorCode: 'number_deleted' }]);
  });

  test('goes on with what it knows while the database is away, and asks again a little later, one at a time', async () => {
    const { account, keyHash } = await poolOf(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await revokeInSilence(keyHash);
    let asked = 0;
    const setDatabase = (DB: D1Database) =>
      runInDurableObject<Account, void>(account, (instance) => {
        (instance as unknown as { env: Env }).env = { ...env, DB };
      });
    const away = new Proxy(env.DB, {
      get: () => () => {
        asked += 1;
        throw new Error('the database is away');
      },
    });
    await setDatabase(away);
    const check = () => account.checkKey({ keyHash }, 'usage:read');
    pass(50_000);
    await check();
    const once = asked;
    expect(once).toBeGreaterThan(0);
    for (let use = 0; use < 10; use += 1) expect(await check()).toMatchObject({ ok: true });
    expect(asked).toBe(once);
    await setDatabase(env.DB);
    pass(6_000);
    await check();
    await until(async () => !(await check()).ok);
  });
});
