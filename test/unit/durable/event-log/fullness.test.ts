import { afterEach, beforeEach, expect, test } from 'vitest';
import { FillNotice, Fullness, sizeLimits } from '../../../../src/durable/event-log/archive/fullness.ts';
import type { LogState } from '../../../../src/durable/event-log/log-state.ts';

const usual = { ...sizeLimits };

beforeEach(() => {
  Object.assign(sizeLimits, { bytesMax: 45, roomBytes: 10, pressingBytes: 80, objectBytes: 100 });
});

afterEach(() => {
  Object.assign(sizeLimits, usual);
});

/** A log of which only the size, in percent of an object, and what it has noted are known. */
function logOf(percent: number) {
  const noted = new Map<string, unknown>();
  const sql = { databaseSize: percent };
  const state = {
    get: (name: string) => noted.get(name) ?? null,
    put: (name: string, value: unknown) => void noted.set(name, value),
  } as unknown as LogState;
  const fullness = () => new Fullness(sql as unknown as SqlStorage, state);
  return { sql, state, noted, fullness };
}

test('what cannot go makes a log full no more, until as much has come in as what can go may take', () => {
  const { sql, fullness } = logOf(60);
  const log = fullness();
  expect(log.pressure).toBe('full');
  log.foundNothing();
  expect(log.pressure).toBe('none');
  sql.databaseSize = 70;
  expect(log.pressure).toBe('none');
  sql.databaseSize = 71;
  expect(log.pressure).toBe('full');
  sql.databaseSize = 81;
  expect(log.pressure).toBe('pressing');
  // The next life knows it too.
  expect(fullness().pressure).toBe('pressing');
});

test('what could not go, and has gone all the same, is room again', () => {
  const { sql, fullness } = logOf(60);
  const log = fullness();
  log.foundNothing();
  sql.databaseSize = 50;
  expect(log.pressure).toBe('none');
  sql.databaseSize = 61;
  expect(log.pressure).toBe('full');
});

test('a log that is not full notes nothing when it finds nothing to give away', () => {
  const { noted, fullness } = logOf(40);
  fullness().foundNothing();
  expect(noted.size).toBe(0);
});

test('the operator is told later where they could not be told', async () => {
  const { state, fullness } = logOf(61);
  const told: (number | null)[] = [];
  let isAway = true;
  const notice = new FillNotice('account', state, fullness(), async (bytes) => {
    if (isAway) throw new Error('the fleet is away');
    told.push(bytes);
  });
  const now = Date.UTC(2026, 10, 27);
  await notice.run(now);
  expect(notice.dueAt()).toBe(now + 60_000);
  isAway = false;
  await notice.run(now + 60_000);
  expect(told).toEqual([61]);
});

test('the operator is told when a log passes 60 and 80 percent, each day above them, and once it is well below again', async () => {
  const { sql, state, fullness } = logOf(59);
  const told: (number | null)[] = [];
  const notice = new FillNotice('account', state, fullness(), async (bytes) => void told.push(bytes));
  const now = Date.UTC(2026, 10, 27);
  const day = 24 * 3_600_000;
  expect(notice.dueAt()).toBeNull();
  for (const [percent, isTold] of [
    [60, true],
    [59, false],
    [58.5, false],
    [79, false],
    [80, true],
    [79, false],
    [78.5, false],
    [77, true],
    [57, true],
    [59, false],
  ] as const) {
    sql.databaseSize = percent;
    const isDue = (notice.dueAt() ?? Number.POSITIVE_INFINITY) <= now;
    expect([percent, isDue]).toEqual([percent, isTold]);
    if (isDue) await notice.run(now);
  }
  expect(told).toEqual([60, 80, 77, null]);
  sql.databaseSize = 61;
  await notice.run(now);
  expect(notice.dueAt()).toBe(now + day);
});
