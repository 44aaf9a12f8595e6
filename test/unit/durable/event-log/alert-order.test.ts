import { expect, test } from 'vitest';
import { nextAttemptAt } from '../../../../src/durable/event-log/alerts/deliveries/alert-order.ts';

const now = Date.UTC(2026, 10, 26, 12);
const ladder = [30, 120];

test('a receiver may ask for more patience than the ladder has, for a day at most, and not for less', () => {
  const secondsAfter = (retryAfterSeconds: number | null, attempt = 1) => {
    const at = nextAttemptAt({ outcome: 'retry', retryAfterSeconds }, attempt, ladder, now);
    return at === null ? null : (at - now) / 1000;
  };
  expect([null, 0, 5, 77.2, 1_000_000].map((asked) => secondsAfter(asked))).toEqual([
    30, 30, 30, 77.2, 86_400,
  ]);
  expect([2, 3].map((attempt) => secondsAfter(300, attempt))).toEqual([300, null]);
});
