import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Comeback } from '../../../src/session-bridge/session/machine/comeback.ts';

const timings = { reconnectBaseMs: 1_000, reconnectCapMs: 60_000, stableAfterMs: 30_000 };
const hourMs = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  // Each wait is half of the most that it may be.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('each connection that is lost at once is waited for twice as long as the one before, until one has lasted', () => {
  const comeback = new Comeback(timings);
  expect(comeback.nextWaitMs()).toBe(500);
  const openedAt = performance.now();
  vi.advanceTimersByTime(29_999);
  comeback.closed(openedAt);
  expect([comeback.nextWaitMs(), comeback.nextWaitMs()]).toEqual([1_000, 2_000]);
  vi.advanceTimersByTime(1);
  comeback.closed(openedAt);
  expect(comeback.nextWaitMs()).toBe(500);
  for (let lost = 0; lost < 30; lost += 1) comeback.nextWaitMs();
  expect(comeback.nextWaitMs()).toBe(30_000);
  comeback.beginAnew();
  expect(comeback.nextWaitMs()).toBe(500);
});

test('the network may ask for three restarts in a row, and each further one waits as after a loss', () => {
  const comeback = new Comeback(timings);
  const waits = Array.from({ length: 5 }, () => comeback.waitAfterRestartMs());
  expect(waits).toEqual([0, 0, 0, 500, 1_000]);
  const openedAt = performance.now();
  vi.advanceTimersByTime(30_000);
  comeback.closed(openedAt);
  expect(comeback.waitAfterRestartMs()).toBe(0);
});

test('after a ban that passes it comes back at its end, or looks after an hour; no wait is longer than a timer takes', () => {
  const after = (expiresInMs?: number) =>
    new Comeback(timings).waitAfterLossMs('at its end', {
      code: 402,
      detail: 'banned',
      ...(expiresInMs !== undefined && { expiresInMs }),
    });
  expect(after(5 * hourMs)).toBe(5 * hourMs + 500);
  expect(after()).toBe(hourMs + 500);
  expect(after(90 * 24 * hourMs)).toBe(2 ** 31 - 1);
});

test('where another client has taken over it comes back slowly from the first time on', () => {
  const comeback = new Comeback(timings);
  expect(comeback.waitAfterLossMs('slowly', { code: 440, detail: 'replaced' })).toBe(60_000);
  expect(comeback.waitAfterLossMs('with backoff', { code: 428, detail: 'closed' })).toBe(500);
});
