import { expect, test } from 'vitest';
import { nextAttemptAt, wants } from '../../../../src/durable/event-log/alerts/deliveries/alert-order.ts';

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

test('a channel of single numbers hears of these, and of what concerns no number', () => {
  const channel = { kinds: null, numberIds: ['one'] };
  const about = (subject: string) => wants(channel, { kind: 'device.banned', subject, detail: {} });
  expect(['number:one', 'number:other', 'webhook:one'].map(about)).toEqual([true, false, true]);
});
