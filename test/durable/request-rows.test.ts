import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newUuid } from '../../src/durable/new-ids.ts';
import { fits, RequestBounds, type RequestWithBodies } from '../../src/durable/request-log/request-entry.ts';
import { FailureCounts, RequestRows, requestsKeptMs } from '../../src/durable/request-log/request-rows.ts';

const requestAt = (at: number): RequestWithBodies => {
  const hex = at.toString(16).padStart(12, '0');
  return {
    requestId: `req_${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`,
    keyId: 'key',
    at,
    method: 'GET',
    route: '/v1/messages',
    status: 200,
    durationMs: 5,
    code: null,
    messageId: null,
    bodies: null,
  };
};

test('a request is found for seven days, and then no more, though its row is still there', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const rows = new RequestRows(storage.sql);
    const at = Date.now();
    const { requestId } = requestAt(at);
    const bodies = '{"body":"its own"}';
    rows.insert(
      [
        { ...requestAt(at - 1), bodies: '{}' },
        { ...requestAt(at), bodies },
      ],
      at,
    );
    // What comes a week later stands in another table.
    rows.insert([requestAt(at + requestsKeptMs)], at + requestsKeptMs);
    expect(rows.find(requestId, at + requestsKeptMs)).toMatchObject({ requestId, bodies });
    const listed = (now: number) => rows.page({}, 10, null, now).data.map((request) => request.at);
    expect(listed(at + requestsKeptMs)).toEqual([at + requestsKeptMs, at, at - 1]);
    expect(listed(at + requestsKeptMs + 1)).toEqual([at + requestsKeptMs]);
    expect(rows.find(requestId, at + requestsKeptMs + 1)).toBeNull();
  });
});

test('a time of a filter begins with its first millisecond, and ends before its last', () => {
  const request = requestAt(1_000);
  expect(fits({ since: 1_000 }, request)).toBe(true);
  expect(fits({ since: 1_001 }, request)).toBe(false);
  expect(fits({ until: 1_001 }, request)).toBe(true);
  expect(fits({ until: 1_000 }, request)).toBe(false);
});

test('a status of a filter is one, or all of its class', () => {
  const [missing, broken] = [404, 500].map((status) => ({ ...requestAt(1_000), status }));
  const fitting = (status: string) => [missing, broken].filter((entry) => entry && fits({ status }, entry));
  expect(['404', '4xx', '403', '5xx'].map(fitting)).toEqual([[missing], [missing], [], [broken]]);
});

test('a page looks at a part of many requests, and goes on behind its cursor', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const rows = new RequestRows(storage.sql);
    const now = Date.now();
    rows.insert([{ ...requestAt(now), status: 500 }], now);
    storage.transactionSync(() => {
      for (let row = 0; row < 120; row += 1) rows.insert(Array(100).fill(requestAt(now)), now);
    });
    const first = rows.page({ status: '500' }, 10, null, now);
    expect(first).toEqual({ data: [], nextBefore: expect.any(Number) });
    expect(rows.page({ status: '500' }, 10, first.nextBefore, now)).toMatchObject({
      data: [{ status: 500 }],
      nextBefore: null,
    });
  });
});

test('a page that ends among requests that came together goes on with the rest of them', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const rows = new RequestRows(storage.sql);
    const now = Date.now();
    rows.insert(
      [1, 2, 3, 4, 5].map((durationMs) => ({ ...requestAt(now), durationMs })),
      now,
    );
    const first = rows.page({}, 2, null, now);
    const next = rows.page({}, 3, first.nextBefore, now);
    expect([first, next].map(({ data }) => data.map(({ durationMs }) => durationMs))).toEqual([
      [5, 4],
      [3, 2, 1],
    ]);
  });
});

test('a request that is known late stands where it came, and two of one moment beside each other', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const now = Date.now();
    new RequestRows(storage.sql).insert([requestAt(now)], now + 60_000);
    const later = new RequestRows(storage.sql);
    later.insert([requestAt(now + 1)], now + 60_000);
    expect(later.page({ until: now + 1 }, 10, null, now + 60_000).data.map(({ at }) => at)).toEqual([now]);
    expect(later.page({}, 10, null, now + 60_000).data.map(({ at }) => at)).toEqual([now + 1, now]);
  });
});

test('of a minute the bodies of thirty requests are kept, three hundred failures, and as many successes', () => {
  const bounds = new RequestBounds();
  const requests = (count: number, status: number) =>
    Array.from({ length: count }, () => ({ ...requestAt(0), status, bodies: '{}' }));
  const kept = bounds.keep([...requests(310, 400), ...requests(310, 304)], 0);
  expect(kept.filter(({ bodies }) => bodies !== null)).toHaveLength(30);
  expect(kept.filter(({ status }) => status === 400)).toHaveLength(300);
  expect(kept.filter(({ status }) => status === 304)).toHaveLength(300);
  expect(bounds.keep(requests(1, 400), 59_999)).toEqual([]);
  expect(bounds.keep(requests(1, 400), 60_000)).toHaveLength(1);
});

test('requests and the counts of failures go by themselves, a while after nobody can look them up', async () => {
  const now = Date.UTC(2026, 10, 26, 12);
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const log = env.REQUEST_LOG.getByName(newUuid());
  const failure = { keyId: 'a', method: 'GET', route: '/v1/messages', code: 'NOT_FOUND', status: 404 };
  await log.take({
    entries: [{ ...requestAt(now), status: 404 }],
    failures: [{ ...failure, count: 1, lastAt: now, lastRequestId: 'req_1' }],
  });
  const left = () =>
    runInDurableObject(log, (_, { storage }) =>
      ['requests_0', 'requests_1', 'requests_2', 'failures'].flatMap((table) =>
        storage.sql.exec(`SELECT 1 FROM ${table}`).toArray(),
      ),
    );
  expect(await left()).toHaveLength(2);
  vi.setSystemTime(now + 3 * requestsKeptMs);
  await runDurableObjectAlarm(log);
  expect(await left()).toEqual([]);
});

test('a flood of which nothing is kept any more makes no rows', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 26, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const log = env.REQUEST_LOG.getByName(newUuid());
  const entries = Array(60).fill({ ...requestAt(Date.now()), status: 429 });
  for (let round = 0; round < 10; round += 1) await log.take({ entries, failures: [] });
  const rows = await runInDurableObject(log, (_, { storage }) =>
    [0, 1, 2].flatMap((index) => storage.sql.exec(`SELECT id FROM requests_${index}`).toArray()),
  );
  expect(rows).toHaveLength(5);
});

test('of very many kinds of failures the two hundred most frequent are told, the most frequent first', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const failures = new FailureCounts(storage.sql);
    const now = Date.now();
    const kinds = Array.from({ length: 210 }, (_, kind) => ({
      ...{ keyId: 'a', method: 'GET', route: `/v1/${kind}`, code: 'NOT_FOUND', status: 404 },
      ...{ count: kind + 1, lastAt: now, lastRequestId: 'req_1' },
    }));
    failures.add(kinds, now);
    const counts = failures.groups(null, 0, now, now).map(({ count }) => count);
    expect(counts).toEqual(Array.from({ length: 200 }, (_, place) => 210 - place));
  });
});

test('failures are counted by key, and together', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const failures = new FailureCounts(storage.sql);
    const now = Date.now();
    const failure = (keyId: string, count: number) => ({
      ...{ keyId, count, method: 'GET', route: '/v1/messages', code: 'UNAUTHORIZED', status: 401 },
      ...{ lastAt: now, lastRequestId: 'req_1' },
    });
    failures.add([failure('a', 2), failure('b', 3)], now);
    failures.add([{ ...failure('a', 1), lastAt: now + 1, lastRequestId: 'req_2' }], now);
    for (const keyId of ['a', null])
      expect(failures.groups(keyId, 0, now, now)).toMatchObject([
        { lastAt: now + 1, lastRequestId: 'req_2' },
      ]);
    const countsOf = (keyId: string | null) => failures.groups(keyId, 0, now, now).map(({ count }) => count);
    expect([countsOf('a'), countsOf('b'), countsOf(null)]).toEqual([[3], [3], [6]]);
  });
});

test('failures are told for seven days, and go within a day of that', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const failures = new FailureCounts(storage.sql);
    const hourMs = 3_600_000;
    const at = Math.floor(Date.now() / hourMs) * hourMs;
    const failure = { keyId: 'a', method: 'GET', route: '/v1/messages', code: 'NOT_FOUND', status: 404 };
    failures.add([{ ...failure, count: 1, lastAt: at, lastRequestId: 'req_1' }], at);
    const end = at + requestsKeptMs;
    expect(failures.groups(null, 0, end, end)).toHaveLength(1);
    expect(failures.groups(null, 0, end + hourMs, end + hourMs)).toEqual([]);
    // Nor are those that came after the time of a filter.
    expect(failures.groups(null, 0, at - 1, end)).toEqual([]);
    expect(failures.sweepDueAt()).toBe(end + 24 * hourMs);
    failures.sweep(end);
    expect(failures.sweepDueAt()).not.toBeNull();
    failures.sweep(end + hourMs);
    expect(failures.sweepDueAt()).toBeNull();
  });
});
