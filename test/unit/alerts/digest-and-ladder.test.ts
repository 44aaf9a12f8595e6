import { expect, test } from 'vitest';
import { nextAttemptAt } from '../../../src/durable/event-log/alerts/deliveries/alert-order.ts';
import { nextDigestAt } from '../../../src/durable/event-log/alerts/deliveries/telling.ts';

const at = (iso: string) => Date.parse(iso);
const digest = (hour: number, timeZone: string) => ({ hour, timeZone, only: false });
const next = (hour: number, timeZone: string, after: string, last: string | null = null) =>
  new Date(nextDigestAt(digest(hour, timeZone), at(after), last === null ? null : at(last))).toISOString();

test('a digest goes out at its hour by the clocks of its zone', () => {
  expect(next(8, 'Asia/Jakarta', '2026-01-31T00:59:59Z')).toBe('2026-01-31T01:00:00.000Z');
  expect(next(8, 'Asia/Jakarta', '2026-01-31T01:00:00Z', '2026-01-31T01:00:00Z')).toBe(
    '2026-02-01T01:00:00.000Z',
  );
  expect(next(0, 'UTC', '2026-01-31T23:59:00Z')).toBe('2026-02-01T00:00:00.000Z');
});

test('where the clocks skip its hour it goes out when they have, and where they show it twice, once', () => {
  // Berlin: 02:00 becomes 03:00 on 29 March, and 03:00 becomes 02:00 on 25 October.
  expect(next(2, 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  const first = next(2, 'Europe/Berlin', '2026-10-24T12:00:00Z');
  expect(first).toBe('2026-10-25T00:00:00.000Z');
  expect(next(2, 'Europe/Berlin', first, first)).toBe('2026-10-26T01:00:00.000Z');
});

test('a digest that could not go out in time is one, not one for each day', () => {
  expect(next(8, 'UTC', '2026-01-04T09:30:00Z', '2026-01-04T09:30:00Z')).toBe('2026-01-05T08:00:00.000Z');
});

const ladder = [30, 120];
const retry = (attempt: number, retryAfterSeconds: number | null = null) =>
  nextAttemptAt({ outcome: 'retry', retryAfterSeconds }, attempt, ladder, 1_000);

test('what fails is tried again on the ladder, then given up', () => {
  expect([retry(1), retry(2), retry(3)]).toEqual([31_000, 121_000, null]);
  expect(nextAttemptAt({ outcome: 'delivered', retryAfterSeconds: null }, 1, ladder, 0)).toBeNull();
  expect(nextAttemptAt({ outcome: 'failed', retryAfterSeconds: null }, 1, ladder, 0)).toBeNull();
});

test('a receiver that asks for patience gets it, a day at most', () => {
  expect(retry(1, 10)).toBe(31_000);
  expect(retry(1, 90)).toBe(91_000);
  expect(retry(1, 1e9)).toBe(1_000 + 86_400_000);
});
