import { runInDurableObject } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openFilters } from '../../../src/contract/numbers/sender-settings.ts';
import { apiKeys, numbers as numbersTable } from '../../../src/database/schema.ts';
import type { Account } from '../../../src/durable/account/account.ts';
import { StoredSnapshot } from '../../../src/durable/account/configuration/configuration-source.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import {
  type AccountStub,
  addKey,
  at,
  db,
  inbound,
  newAccount,
  newRecipient,
  news,
  noted,
  poolOf,
  rowsOf,
  sendRequest,
} from './account-fixture.ts';

const dayMs = 24 * 3600_000;
let numbers: StandInNumbers;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  await StandInLogs.begin();
});

function execute(account: AccountStub, ...statements: string[]): Promise<void> {
  return runInDurableObject<Account, void>(account, (_, { storage }) => {
    for (const statement of statements) storage.sql.exec(statement);
  });
}

/** `total` rows made by a query with `n` from 1 on. */
const manyRows = (insert: string, total: number) =>
  `INSERT INTO ${insert} FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${total}) SELECT n FROM c)`;

/** Days later: rings the account's alarm until a whole sweep is over, slice by slice. */
async function later(account: AccountStub, days: number): Promise<void> {
  await at(Date.now() + days * dayMs, async () => {
    for (let slices = 0; slices < 6; slices += 1) {
      vi.setSystemTime(Date.now() + 2_000);
      await runInDurableObject<Account, void>(account, (object) => object.alarm());
    }
  });
}

describe('what an account keeps', () => {
  test('of conversations and checks goes when it is too old, slice by slice', async () => {
    const { account, keyHash } = await poolOf(1);
    await account.send(sendRequest(keyHash));
    await until(async () => (await rowsOf(account, 'accepted')) === 0);
    const old = Date.now() - 10;
    await execute(
      account,
      manyRows(`conversations SELECT 'old' || n, 'number', ${old}, NULL`, 2_500),
      manyRows(`recipient_checks SELECT 'old' || n, 1, ${old}, NULL`, 1_200),
      `INSERT INTO opt_outs SELECT '628111', 'id', 1, ${old}, 'number', 'STOP'`,
      "INSERT INTO sends (day, number_id, used) VALUES ('2020-01-01', 'a', 3)",
      "INSERT INTO quota (period, exceeded_at) VALUES ('2020-01', 1)",
    );
    const rows = () =>
      Promise.all(['conversations', 'recipient_checks', 'quota'].map((table) => rowsOf(account, table)));
    await later(account, 1);
    expect(await rows()).toEqual([2_501, 1_200, 0]);
    expect(await rowsOf(account, 'sends')).toBe(1);
    await later(account, 31);
    expect(await rows()).toEqual([2_501, 0, 0]);
    await later(account, 91);
    expect(await rows()).toEqual([0, 0, 0]);
    // Whoever wants no messages wants none for ever.
    expect(await rowsOf(account, 'opt_outs')).toBe(1);
  });

  test('of keys that it does not have any more goes; of a number stays what it may repeat late', async () => {
    const { accountId, account, numberIds } = await poolOf(2);
    const [stays = '', goes = ''] = numberIds;
    const pin = (pinnedNumberId: string) => addKey(accountId, { pinnedNumberId, onPinFailure: 'strict' });
    const [own, other] = [await pin(stays), await pin(goes)];
    await account.refresh();
    for (const key of [own, other, other]) {
      expect(await account.send(sendRequest(key))).toMatchObject({ ok: true });
    }
    await until(async () => (await rowsOf(account, 'accepted')) === 0);
    const [message] = numbers.givenTo(goes);
    if (!message) throw new Error('nothing was handed over');
    const returned = noted(goes, { kind: 'returned', message, reason: 'not_sendable' });
    await account.hear(returned);
    const before = await account.usage();
    expect(before.used).toBe(2);
    await db.delete(numbersTable).where(eq(numbersTable.id, goes));
    await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.keyHash, other));
    await account.refresh();
    await later(account, 2);
    expect(Object.keys(await account.keyUsage())).toHaveLength(1);
    await account.hear(returned);
    expect(await account.usage()).toEqual(before);
  });

  test('under an Idempotency-Key goes with its day, at no cost', async () => {
    const { account, keyHash } = await poolOf(1);
    for (const idempotencyKey of ['one', 'two']) await account.send(sendRequest(keyHash, { idempotencyKey }));
    await until(async () => (await rowsOf(account, 'accepted')) === 0);
    const kept = async () => {
      const rows = await Promise.all([0, 1, 2].map((index) => rowsOf(account, `idempotency_${index}`)));
      return rows.reduce((a, b) => a + b);
    };
    expect(await kept()).toBe(2);
    await later(account, 1);
    expect(await kept()).toBe(2);
    await later(account, 2);
    expect(await kept()).toBe(0);
  });
});

/** What the account asks of its storage while it does something. */
async function statementsOf(account: AccountStub, act: () => Promise<unknown>) {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const restore = await runInDurableObject<Account, () => void>(account, (_, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    const prototype = Object.getPrototypeOf(sql) as SqlStorage;
    const spy = vi.spyOn(prototype, 'exec').mockImplementation(function (this: SqlStorage, ...all) {
      const [query, ...bindings] = all as [string, ...SqlStorageValue[]];
      const cursor = this === sql ? exec(query, ...bindings) : original.call(this, query, ...bindings);
      if (this === sql) cursors.push(cursor);
      return cursor;
    });
    return () => spy.mockRestore();
  });
  await act();
  const sum = (column: 'rowsRead' | 'rowsWritten') => cursors.reduce((all, it) => all + it[column], 0);
  const counted = { statements: cursors.length, rowsRead: sum('rowsRead'), rowsWritten: sum('rowsWritten') };
  restore();
  return counted;
}
const original = await originalExec();

async function originalExec(): Promise<SqlStorage['exec']> {
  const { account } = await newAccount(0);
  return runInDurableObject<Account, SqlStorage['exec']>(
    account,
    (_, { storage }) => Object.getPrototypeOf(storage.sql).exec,
  );
}

describe('what a send asks of the storage', () => {
  test('is a few rows, and no more with a thousand numbers than with ten', async () => {
    const cost = async (count: number) => {
      const { accountId, account } = await poolOf(0);
      const numberIds = Array.from({ length: count }, () => crypto.randomUUID());
      const row = { accountId, label: 'Test', inPool: true, createdAt: Date.now() };
      for (const id of numberIds) await db.insert(numbersTable).values({ ...row, id });
      const key = await addKey(accountId);
      await account.refresh();
      // No room: the messages stay with the account, and nothing else is asked of it meanwhile.
      await runInDurableObject<Account, void>(account, async (instance) => {
        for (const numberId of numberIds) await instance.hear(news(numberId, { room: 0 }));
      });
      await account.send(sendRequest(key, { to: newRecipient() }));
      return statementsOf(account, async () => {
        for (let sends = 0; sends < 20; sends += 1) {
          const sent = await account.send(sendRequest(key, { to: newRecipient() }));
          expect(sent).toMatchObject({ ok: true });
        }
      });
    };
    const [few, many] = [await cost(10), await cost(1_000)];
    // The key's last use is noted once a second, and the log is told in as many calls as it takes.
    expect(Math.abs(many.statements - few.statements)).toBeLessThan(20);
    expect(Math.abs(many.rowsRead - few.rowsRead)).toBeLessThan(60);
    // The message, its fact, the count, the number, the conversation; and the fact goes again.
    expect(many.rowsWritten / 20).toBeLessThan(8);
  });

  test('and what somebody writes, are no more while thousands of messages wait', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    await account.hear(news(numberId, { room: 0 }));
    const [first] = [await account.send(sendRequest(keyHash))];
    if (!first.ok) throw new Error(first.code);
    await execute(
      account,
      manyRows(
        `accepted SELECT '${numberId}', 'new', 'msg_' || n, 1, ${Date.now() + dayMs}, (SELECT message FROM accepted LIMIT 1), '62' || n, NULL`,
        5_000,
      ),
      'UPDATE senders SET backlog = 5001',
    );
    const full = await statementsOf(account, async () => {
      for (let words = 0; words < 10; words += 1) {
        await account.hear(noted(numberId, inbound(newRecipient(), Date.now(), 'hello')));
        await account.send(sendRequest(keyHash, { to: newRecipient() }));
      }
    });
    expect(full.rowsRead).toBeLessThan(1_000);
  });

  test('is no more while thousands of messages to the same recipient wait', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    await account.hear(news(numberId, { room: 0 }));
    const to = newRecipient();
    await account.send(sendRequest(keyHash, { to }));
    await execute(
      account,
      manyRows(
        `accepted SELECT '${numberId}', 'new', 'msg_' || n, 1, ${Date.now() + dayMs}, (SELECT message FROM accepted LIMIT 1), '${to}', NULL`,
        5_000,
      ),
      'UPDATE senders SET backlog = 5001',
    );
    const full = await statementsOf(account, async () => {
      for (let sends = 0; sends < 10; sends += 1) await account.send(sendRequest(keyHash, { to }));
    });
    expect(full.rowsRead).toBeLessThan(1_000);
  });
});

test('a phone number on a list that is too long for the memory is found in storage', async () => {
  const { account } = await newAccount(0);
  const found = await runInDurableObject<Account, boolean[]>(account, (_, { storage }) => {
    const stored = new StoredSnapshot(storage);
    const snapshot = stored.read();
    if (snapshot === null) throw new Error('nothing is stored');
    const filters = { ...openFilters, blockNumbers: ['628111', '628222'] };
    stored.write({ ...snapshot, senders: [{ numberId: 'a', inPool: true, filters }] });
    return ['628222', '628333'].map((phoneNumber) => stored.isBlocked('a', phoneNumber));
  });
  expect(found).toEqual([true, false]);
});
