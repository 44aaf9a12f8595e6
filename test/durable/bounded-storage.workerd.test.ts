import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newUuid } from '../../src/durable/new-ids.ts';
import type { PhoneNumber } from '../../src/durable/phone-number/phone-number.ts';
import { SweptTable } from '../../src/durable/storage/housekeeping.ts';
import { TableRing, tableRingSql } from '../../src/durable/storage/table-ring.ts';
import { connectedNumber, giveBatch, phoneNumber, textMessage } from './phone-number/fake-bridge.ts';
import { until } from './until.ts';

const dayMs = 24 * 3600_000;
type AnyObject = ReturnType<typeof phoneNumber>;

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
    await runInDurableObject<PhoneNumber, void>(object, (number) => number.alarm());
  }
  expect(await isDone()).toBe(true);
  vi.useRealTimers();
}

/** `count` rows made by a query with `n` from 1 on. */
const rowsOf = (insert: string, total: number) =>
  `INSERT INTO ${insert} FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${total}) SELECT n FROM c)`;

describe('what a number keeps', () => {
  test('of a message goes when the log knows that it was sent; what waits stays', async () => {
    const { numberId, bridge } = await connectedNumber();
    const number = phoneNumber(numberId);
    const [settled, waits] = [textMessage('settled'), textMessage('waits')];
    await giveBatch(numberId, settled, waits);
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId: settled.messageId, at: new Date().toISOString() }],
    });
    expect(await count(number, 'queue')).toBe(1);
    expect(await count(number, 'queue', `message_id = '${waits.messageId}'`)).toBe(1);
  });

  test('of recipients goes when no pause could be as long, slice by slice, and what earlier versions have kept of them', async () => {
    const { numberId } = await connectedNumber();
    const number = phoneNumber(numberId);
    await giveBatch(numberId, textMessage('the first of many'));
    await execute(number, rowsOf(`chats SELECT 'out' || n, ${Date.now()}, ${Date.now()}`, 1_500));
    await later(number, 1, async () => (await count(number, 'chats')) === 1_500);
    await later(number, 3, async () => (await count(number, 'chats')) === 0);
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

  test('keep what is newest in them while a clock that was set back writes to them', async () => {
    const kept = await inObject((sql) => {
      const ring = new TableRing(sql, shape);
      store(sql, ring, 'newest', 13_500);
      store(sql, ring, 'set back', 10_500);
      ring.sweep(13_600);
      return found(sql, ring, 13_600);
    });
    expect(kept).toContain('newest');
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
    const sweep = new SweptTable(storage.sql, { table: 'some', key: 'key', isOver: 'at < ?1', keptMs: 50 });
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
  await until(async () => (await count(phoneNumber(numberId), 'number_state', "name = 'sweptAt'")) === 0);
  expect(await count(phoneNumber(numberId), 'number_state', "name = 'sweptAt'")).toBe(0);
});
