import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RateHold } from '../../../src/session-bridge/session/outbox/rate-hold.ts';

const firstMs = 10_000;
const dayMs = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Whether a wait is this long, or half as much again at most. */
const expectAbout = (waitMs: number, stepMs: number) => {
  expect(waitMs).toBeGreaterThanOrEqual(stepMs);
  expect(waitMs).toBeLessThanOrEqual(stepMs * 1.5);
};

test('after a limit nothing leaves that has to ask first, and whoever was written to before needs no asking', () => {
  const hold = new RateHold(firstMs);
  expect(hold.waitMs('stranger')).toBe(0);
  hold.reached('friend');
  const waitMs = hold.limited();
  expectAbout(waitMs, firstMs);
  expect(hold.waitMs('stranger')).toBe(waitMs);
  expect(hold.waitMs('friend')).toBe(0);
  vi.advanceTimersByTime(waitMs + 1);
  expect(hold.waitMs('stranger')).toBe(0);
});

test('each time that the network limits again the wait is twice as long, up to a quarter of an hour', () => {
  const hold = new RateHold(firstMs);
  for (let times = 0; times < 12; times += 1) {
    expectAbout(hold.limited(), Math.min(firstMs * 2 ** times, 15 * 60_000));
    vi.advanceTimersByTime(dayMs);
  }
});

test('a message that goes through once the wait is over ends the series, and one within it does not', () => {
  const hold = new RateHold(firstMs);
  hold.limited();
  hold.reached('friend');
  expectAbout(hold.limited(), 2 * firstMs);
  vi.advanceTimersByTime(dayMs);
  hold.reached('stranger');
  expectAbout(hold.limited(), firstMs);
});

test('a later limit never shortens a wait', () => {
  const hold = new RateHold(firstMs);
  for (let times = 0; times < 4; times += 1) hold.limited();
  const before = hold.waitMs('stranger');
  vi.advanceTimersByTime(1_000);
  hold.limited();
  expect(hold.waitMs('stranger')).toBeGreaterThanOrEqual(before - 1_000);
});
