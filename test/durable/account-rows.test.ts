import { runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { Account } from '../../src/durable/account/account.ts';
import { addKey, addSenders, newAccount, sendRequest } from './account-fixture.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Rows that an account's object has the platform write, by its own count; a move of the alarm is one too. */
async function rowsWritten(
  account: DurableObjectStub<Account>,
  act: () => Promise<unknown>,
): Promise<number> {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  let alarms = 0;
  await runInDurableObject<Account, void>(account, (_, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    vi.spyOn(Object.getPrototypeOf(sql), 'exec').mockImplementation(function (this: SqlStorage, ...args) {
      const [query, ...bindings] = args as [string, ...SqlStorageValue[]];
      const cursor = this === sql ? exec(query, ...bindings) : original.call(this, query, ...bindings);
      if (this === sql) cursors.push(cursor);
      return cursor;
    });
    const setAlarm = storage.setAlarm.bind(storage);
    vi.spyOn(storage, 'setAlarm').mockImplementation((time) => {
      alarms += 1;
      return setAlarm(time);
    });
  });
  await act();
  const rows = cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0);
  vi.restoreAllMocks();
  return rows + alarms;
}
const original = await originalExec();

async function originalExec(): Promise<SqlStorage['exec']> {
  const { account } = await newAccount(0);
  return runInDurableObject<Account, SqlStorage['exec']>(
    account,
    (_, { storage }) => Object.getPrototypeOf(storage.sql).exec,
  );
}

/** An account that has sent before: its alarm is set, its day is open, the recipients are known. */
async function busyAccount() {
  const { accountId, account } = await newAccount(0);
  const [numberId = ''] = await addSenders(accountId, 1);
  const keyHash = await addKey(accountId, { pinnedNumberId: numberId, onPinFailure: 'strict' });
  await account.refresh();
  const send = async (to: string, idempotencyKey: string | null = null) => {
    const sent = await account.send(sendRequest(keyHash, { to, idempotencyKey }));
    expect(sent).toMatchObject({ ok: true, replayed: false });
  };
  const known = Array.from({ length: 20 }, (_, index) => String(628_300_000_000 + index));
  for (const to of known) await send(to, `first ${to}`);
  return { account, keyHash, send, known };
}

test('a send to somebody known writes one row, and with an Idempotency-Key two', async () => {
  const { account, send, known } = await busyAccount();
  const plain = await rowsWritten(account, async () => {
    for (const to of known) await send(to);
  });
  expect(plain / known.length).toBeLessThanOrEqual(1);
  const keyed = await rowsWritten(account, async () => {
    for (const to of known) await send(to, `again ${to}`);
  });
  expect(keyed / known.length).toBeLessThanOrEqual(2);
  // That they are counted at all.
  expect([plain, keyed]).toEqual([known.length, 2 * known.length]);
});

test('sends that come in together share the row of their number', async () => {
  const { account, keyHash, known } = await busyAccount();
  const rows = await rowsWritten(account, () =>
    runInDurableObject<Account, void>(account, async (instance) => {
      const sent = await Promise.all(known.map((to) => instance.send(sendRequest(keyHash, { to }))));
      expect(sent.every(({ ok }) => ok)).toBe(true);
    }),
  );
  // The first one goes alone, unless one came just before it.
  expect(rows).toBeLessThanOrEqual(2);
});

test('a first message to somebody writes one row more, which is the conversation', async () => {
  const { account, send } = await busyAccount();
  const fresh = Array.from({ length: 20 }, (_, index) => String(628_400_000_000 + index));
  const rows = await rowsWritten(account, async () => {
    for (const to of fresh) await send(to);
  });
  expect(rows).toBe(2 * fresh.length);
});

test('a repeat under an Idempotency-Key writes nothing but when its API key was used', async () => {
  const { account, keyHash, send } = await busyAccount();
  await send('628300000001', 'once');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const rows = await rowsWritten(account, async () => {
    for (let repeats = 0; repeats < 20; repeats += 1) {
      const again = sendRequest(keyHash, { to: '628300000001', idempotencyKey: 'once' });
      expect(await account.send(again)).toMatchObject({ ok: true, replayed: true });
    }
  });
  vi.useRealTimers();
  // When the key was last used, to the second.
  expect(rows).toBeLessThanOrEqual(1);
});
