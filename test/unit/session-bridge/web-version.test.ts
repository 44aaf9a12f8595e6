import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebVersionSource } from '../../../src/session-bridge/network/client/web-version.ts';

const minuteMs = 60_000;

/** The page that names the current version; null where it cannot be had. */
let page: string | null;
let lookUps: number;

beforeEach(() => {
  page = null;
  lookUps = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2037, 0, 1) });
  vi.stubGlobal('fetch', async () => {
    lookUps += 1;
    if (page === null) throw new Error('unreachable');
    return new Response(page);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const pageOf = (revision: number) => `{"client_revision":${revision}}`;
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

function source(stored: string | null = null, override: string | null = null) {
  const memory = { stored, load: () => memory.stored, save: (version: string) => (memory.stored = version) };
  return { memory, versions: new WebVersionSource('whatsapp', override, memory) };
}

test('the version is looked up once for all numbers, kept, and looked up again after six hours', async () => {
  const { memory, versions } = source();
  page = pageOf(101);
  const both = await Promise.all([versions.current(), versions.current()]);
  expect(both).toEqual([
    [2, 3000, 101],
    [2, 3000, 101],
  ]);
  expect(memory.stored).toBe('2.3000.101');
  page = pageOf(102);
  later(359 * minuteMs);
  expect(await versions.current()).toEqual([2, 3000, 101]);
  expect(lookUps).toBe(1);
  later(2 * minuteMs);
  expect(await versions.current()).toEqual([2, 3000, 102]);
  expect(lookUps).toBe(2);
});

test('a look-up that failed is tried again after five minutes; what was good last serves until then', async () => {
  const { memory, versions } = source('2.3000.99');
  expect(await versions.current()).toEqual([2, 3000, 99]);
  page = pageOf(103);
  later(4 * minuteMs);
  expect(await versions.current()).toEqual([2, 3000, 99]);
  expect(lookUps).toBe(1);
  later(2 * minuteMs);
  expect(await versions.current()).toEqual([2, 3000, 103]);
  expect(memory.stored).toBe('2.3000.103');
  expect(lookUps).toBe(2);
});

test('a page that names no version is a look-up that failed', async () => {
  const { memory, versions } = source('2.3000.99');
  page = 'try again later';
  expect(await versions.current()).toEqual([2, 3000, 99]);
  expect(memory.stored).toBe('2.3000.99');
  page = pageOf(104);
  later(6 * minuteMs);
  expect(await versions.current()).toEqual([2, 3000, 104]);
});

test("without a version that was ever good the client's own is left", async () => {
  expect(await source().versions.current()).toBeUndefined();
  expect(await source('rubbish').versions.current()).toBeUndefined();
});

test('a version that the network refuses is looked up again at the next connection', async () => {
  const { versions } = source();
  page = pageOf(105);
  await versions.current();
  page = pageOf(106);
  versions.expire();
  expect(await versions.current()).toEqual([2, 3000, 106]);
  expect(lookUps).toBe(2);
});

test('a version that is set is the one, and the simulator needs none: nothing is looked up', async () => {
  expect(await source(null, '2.3000.7').versions.current()).toEqual([2, 3000, 7]);
  const memory = { load: () => '2.3000.99', save: () => {} };
  expect(await new WebVersionSource('simulator', null, memory).current()).toBeUndefined();
  expect(lookUps).toBe(0);
});
