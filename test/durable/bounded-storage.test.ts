import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { apiKeys, numbers } from '../../src/database/schema.ts';
import type { Account } from '../../src/durable/account/account.ts';
import { accountMigrations } from '../../src/durable/account/migrations.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { migrateObject } from '../../src/durable/object-migrations.ts';
import { spanOf } from '../../src/durable/phone-number/message-rows.ts';
import { phoneNumberMigrations } from '../../src/durable/phone-number/migrations.ts';
import { TableRing, tableRingSql } from '../../src/durable/table-ring.ts';
import { TableSweep } from '../../src/durable/table-sweep.ts';
import { addKey, addSenders, db, newAccount, sendRequest } from './account-fixture.ts';
import { connectedNumber, phoneNumber, textMessage } from './fake-bridge.ts';
import { until } from './until.ts';

const dayMs = 24 * 3600_000;
type AnyObject = DurableObjectStub<Account> | ReturnType<typeof phoneNumber>;

afterEach(() => {
  vi.useRealTimers();
});

function execute(object: AnyObject, ...statements: string[]): Promise<void> {
  return runInDurableObject(object as DurableObjectStub, (_, { storage }) => {
    for (const statement of statements) storage.sql.exec(statement);
  });
}

async function count(object: AnyObject, table: string, where = '1'): Promise<number> {
  return runInDurableObject(
    object as DurableObjectStub,
    (_, { storage }) =>
      storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).one().n,
  );
}

/** Days later: rings the object's alarm until a whole sweep is over, slice by slice; then `isDone`. */
async function later(object: AnyObject, days: number, isDone: () => Promise<boolean>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs });
  for (let slices = 0; slices < 6; slices += 1) {
    vi.setSystemTime(Date.now() + 2_000);
    await runDurableObjectAlarm(object as DurableObjectStub);
  }
  expect(await isDone()).toBe(true);
  vi.useRealTimers();
}

/** `count` rows made by a query with `n` from 1 on. */
const rowsOf = (insert: string, total: number) =>
  `INSERT INTO ${insert} FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${total}) SELECT n FROM c)`;

const idAt = (at: number) =>
  `msg_${at
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}`;

describe('what an account keeps', () => {
  test('of conversations, checks, moves and returned messages goes when it is too old, slice by slice', async () => {
    const { accountId, account, keyHash } = await newAccount(0);
    await addSenders(accountId, 1);
    await account.send(sendRequest(keyHash));
    const now = Date.now();
    const old = now - 10;
    await execute(
      account,
      rowsOf(`conversations SELECT 'old' || n, 'number', ${old}, NULL`, 2_500),
      rowsOf(`recipient_checks SELECT 'old' || n, 1, ${old}`, 1_200),
      rowsOf(`moves SELECT '${idAt(old)}-' || n, 1, 'a', 'b', 1`, 1_200),
      rowsOf(`given_back SELECT '${idAt(old)}-' || n`, 1_200),
      `INSERT INTO opt_outs SELECT '628111', 'id', 1, ${old}, 'number', 'STOP'`,
      `INSERT INTO sends (day, number_id, used) VALUES ('2020-01-01', 'a', 3)`,
      `INSERT INTO quota (period, exceeded_at) VALUES ('2020-01', 1)`,
    );
    const tables = ['conversations', 'recipient_checks', 'moves', 'given_back', 'quota'];
    // The message that was sent may come back as well: a number looks at the clock when midnight falls into this test.
    const ours = (table: string) => (table === 'given_back' ? `message_id GLOB '${idAt(old)}-*'` : '1');
    const rows = async () => Promise.all(tables.map((table) => count(account, table, ours(table))));
    await later(account, 1, async () => (await count(account, 'quota')) === 0);
    expect(await rows()).toEqual([2_501, 1_200, 1_200, 1_200, 0]);
    expect(await count(account, 'sends')).toBe(0);
    await later(account, 31, async () => (await count(account, 'recipient_checks')) === 0);
    expect(await rows()).toEqual([2_501, 0, 1_200, 1_200, 0]);
    await later(account, 63, async () => (await rows()).slice(1).every((n) => n === 0));
    expect(await count(account, 'conversations')).toBe(2_501);
    await later(account, 91, async () => (await count(account, 'conversations')) === 0);
    // Whoever wants no messages wants none for ever.
    expect(await count(account, 'opt_outs')).toBe(1);
  });

  test('of numbers and keys that it does not have any more goes, but not what they sent this month', async () => {
    const { accountId, account } = await newAccount(0);
    const [stays = '', goes = ''] = await addSenders(accountId, 2);
    const pin = (pinnedNumberId: string) => addKey(accountId, { pinnedNumberId, onPinFailure: 'strict' });
    const [own, other] = [await pin(stays), await pin(goes)];
    await account.refresh();
    for (const key of [own, other, other]) {
      expect(await account.send(sendRequest(key))).toMatchObject({ ok: true });
    }
    await account.checkKey(other);
    const before = await account.usage();
    expect(before.byNumber).toMatchObject([
      { numberId: goes, used: 2 },
      { numberId: stays, used: 1 },
    ]);
    await db.delete(numbers).where(eq(numbers.id, goes));
    await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.keyHash, other));
    await account.refresh();
    await later(account, 2, async () => (await count(account, 'senders')) === 1);
    expect(Object.keys(await account.senders())).toEqual([stays]);
    expect(await count(account, 'books')).toBe(1);
    expect(Object.keys(await account.keyUsage())).toHaveLength(1);
    const after = await account.usage();
    expect([after.used, after.byNumber, after.byDay]).toEqual([before.used, before.byNumber, before.byDay]);
  });

  test('under an Idempotency-Key goes with its day, at no cost', async () => {
    const { accountId, account, keyHash } = await newAccount(0);
    await addSenders(accountId, 1);
    for (const idempotencyKey of ['one', 'two']) await account.send(sendRequest(keyHash, { idempotencyKey }));
    const kept = async () =>
      (await Promise.all([0, 1, 2].map((index) => count(account, `idempotency_${index}`)))).reduce(
        (a, b) => a + b,
      );
    expect(await kept()).toBe(2);
    await later(account, 1, async () => (await kept()) === 2);
    await later(account, 2, async () => (await kept()) === 0);
  });

  test('by an earlier version is taken over', async () => {
    const { accountId, account } = await newAccount(0);
    const [numberId = ''] = await addSenders(accountId, 1);
    const now = Date.now();
    const [day, month] = [new Date(now).toISOString().slice(0, 10), new Date(now).toISOString().slice(0, 7)];
    const answer = {
      messageId: 'msg_1',
      numberId,
      to: '628999888777',
      queuedAt: new Date(now).toISOString(),
    };
    const keyHash = await addKey(accountId);
    await runInDurableObject<Account, void>(account, async (_, { storage }) => {
      await storage.deleteAll();
      migrateObject(storage, accountMigrations, '2-senders');
      const { sql } = storage;
      sql.exec('INSERT INTO quota VALUES (?, 10, NULL)', month);
      sql.exec('INSERT INTO sends VALUES (?, ?, 4, 0, 7, 8)', day, numberId);
      sql.exec("INSERT INTO admissions VALUES ('msg_019c1b2a-0000', ?, ?, 1, 'order')", numberId, month);
      sql.exec(
        'INSERT INTO idempotency VALUES (?, ?, ?, ?, ?)',
        Math.floor(now / dayMs),
        'order',
        sendRequest(keyHash).bodyHash,
        now,
        JSON.stringify({ answer, sender: { keyId: 'k', numberId, source: 'pool' } }),
      );
    });
    await evictDurableObject(account);
    await account.refresh();
    await account.reportSender({
      numberId,
      state: 'connected',
      phoneNumber: null,
      revision: 1,
      health: { status: 'healthy', reason: null, until: null },
      dailyRemaining: null,
      asOf: 1,
      perMinute: 60,
    });
    expect(await account.usage()).toMatchObject({ used: 10, byNumber: [{ numberId, used: 4 }] });
    expect(await account.send(sendRequest(keyHash, { idempotencyKey: 'order' }))).toMatchObject({
      ok: true,
      replayed: true,
      answer,
    });
    expect(await account.send(sendRequest(keyHash))).toMatchObject({ ok: true });
    expect(await account.usage()).toMatchObject({
      used: 11,
      byNumber: [{ numberId, used: 5 }],
      byDay: [{ day, used: 5 }],
    });
  });
});

describe('what a number keeps', () => {
  test('of settled messages, chats and messages that are gone goes when it is too old; what waits stays', async () => {
    const { numberId, bridge } = await connectedNumber();
    const number = phoneNumber(numberId);
    const settled = textMessage('settled', { mayMove: false });
    await number.enqueue(settled);
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', messageId: settled.messageId, at: new Date().toISOString() }],
    });
    const waits = textMessage('waits', { mayMove: false, expiresAt: Date.now() + 400 * dayMs });
    await number.enqueue(waits);
    const old = Date.now();
    const columns =
      'span, provider_message_id, message_id, status, recipient, chat_type, content, sender_source';
    await execute(
      number,
      rowsOf(
        `messages (${columns}, queued_at, expires_at) SELECT ${spanOf(old)}, 'old' || n, 'm', 'sent', '1', 'personal', '{}', 'pool', ${old}, ${old}`,
        2_500,
      ),
      rowsOf(`chats SELECT 'out' || n, ${old}, NULL`, 1_500),
      rowsOf(`moved SELECT '${idAt(old)}-' || n, 1`, 1_500),
      rowsOf(`disowned SELECT '${idAt(old)}-' || n, ${old}`, 1_500),
    );
    const rows = async () =>
      Promise.all(['messages', 'chats', 'moved', 'disowned'].map((table) => count(number, table)));
    await later(number, 29, async () => true);
    expect(await rows()).toEqual([2_502, 1_500, 1_500, 1_500]);
    await later(number, 31, async () => (await rows()).filter((n) => n <= 1).length === 3);
    expect(await rows()).toEqual([1, 1_500, 0, 0]);
    expect(await number.message(waits.messageId)).toMatchObject({ status: 'queued' });
    await later(number, 91, async () => (await count(number, 'chats')) === 0);
  });

  test('of what came in goes after fifteen days at least, and until then nothing is told twice', async () => {
    const { numberId, bridge } = await connectedNumber();
    const number = phoneNumber(numberId);
    const receive = (providerMessageId: string) =>
      bridge.tell({
        type: 'inbound',
        items: [
          {
            providerMessageId,
            at: new Date().toISOString(),
            chatType: 'personal',
            from: '628555555555',
            pushName: '',
            messageType: 'text',
            text: 'hello',
          },
        ],
      });
    const known = async () =>
      (await Promise.all([0, 1, 2].map((index) => count(number, `inbound_${index}`)))).reduce(
        (a, b) => a + b,
      );
    await receive('IN1');
    await receive('IN1');
    expect(await known()).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 14 * dayMs });
    await receive('IN1');
    expect(await known()).toBe(1);
    vi.useRealTimers();
    await later(number, 31, async () => (await known()) === 0);
  });

  test('of what came in under an earlier version is taken over', async () => {
    const numberId = newUuid();
    const number = phoneNumber(numberId);
    await runInDurableObject(number, async (_, { storage }) => {
      await storage.deleteAll();
      migrateObject(storage, phoneNumberMigrations, '2-senders');
      for (const days of [0, 1, 16, 40]) {
        storage.sql.exec('INSERT INTO inbound VALUES (?, ?)', `origin ${days}`, Date.now() - days * dayMs);
      }
    });
    await evictDurableObject(number);
    const tables = [0, 1, 2].map((index) => count(number, `inbound_${index}`));
    expect((await Promise.all(tables)).reduce((a, b) => a + b)).toBe(4);
  });
});

describe('tables in a ring', () => {
  const shape = { name: 'things', columns: 'key TEXT NOT NULL, PRIMARY KEY (span, key)', spanMs: 1_000 };
  const inObject = <Result>(run: (sql: SqlStorage) => Result) =>
    runInDurableObject(env.BRIDGE_FLEET.getByName(newUuid()), (_, { storage }) => {
      storage.sql.exec(tableRingSql(shape));
      return run(storage.sql);
    });
  const store = (sql: SqlStorage, ring: TableRing, key: string, at: number) =>
    sql.exec(`INSERT INTO ${ring.tableFor(at)} VALUES (?, ?)`, ring.spanOf(at), key);
  const found = (sql: SqlStorage, ring: TableRing, at: number) =>
    ring
      .tablesFrom(at)
      .flatMap((table) => sql.exec<{ key: string }>(`SELECT key FROM ${table}`).toArray())
      .map(({ key }) => key)
      .sort();

  test('keep what is stored for one span at least, and forget it after two, without writing a row', async () => {
    const result = await inObject((sql) => {
      const ring = new TableRing(sql, shape);
      store(sql, ring, 'a', 10_500);
      store(sql, ring, 'b', 11_500);
      const kept = [10_900, 11_999].map((at) => {
        ring.sweep(at);
        return found(sql, ring, at);
      });
      const later = new TableRing(sql, shape);
      const dueAt = later.sweepDueAt();
      const before = sql.databaseSize;
      later.sweep(12_000);
      return { kept, dueAt, before, after: found(sql, later, 12_000), end: later.sweepDueAt() };
    });
    expect(result).toMatchObject({
      kept: [
        ['a', 'b'],
        ['a', 'b'],
      ],
      dueAt: 12_000,
      after: ['b'],
      end: 13_000,
    });
  });

  test('are emptied before their turn comes again, also when nobody has swept', async () => {
    const keys = await inObject((sql) => {
      const ring = new TableRing(sql, shape);
      for (let at = 500; at < 9_000; at += 1_000) store(sql, ring, String(at), at);
      return found(sql, new TableRing(sql, shape), 8_500);
    });
    expect(keys).toEqual(['6500', '7500', '8500']);
  });
});

test('a sweep looks at a thousand rows at a time, deletes what is over among them, and comes to an end', async () => {
  const result = await runInDurableObject(env.BRIDGE_FLEET.getByName(newUuid()), (_, { storage }) => {
    storage.sql.exec('CREATE TABLE some (key TEXT PRIMARY KEY, at INTEGER) WITHOUT ROWID');
    storage.sql.exec(rowsOf("some SELECT printf('%05d', n), n % 2 * 100", 3_000));
    const sweep = new TableSweep(storage.sql, { table: 'some', key: 'key', isOver: 'at < ?1', keptMs: 50 });
    const left = () => storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM some').one().n;
    return Array.from({ length: 4 }, () => [sweep.sweep(100), left()]);
  });
  expect(result).toEqual([
    [false, 2_500],
    [false, 2_000],
    [false, 1_500],
    [true, 1_500],
  ]);
});

test('objects that have nothing to forget set no alarm for it', async () => {
  const numberId = newUuid();
  await phoneNumber(numberId).provision({ accountId: newUuid(), numberId });
  await until(async () => (await count(phoneNumber(numberId), 'sender_state', "name = 'sweptAt'")) === 0);
  expect(await count(phoneNumber(numberId), 'sender_state', "name = 'sweptAt'")).toBe(0);
});
