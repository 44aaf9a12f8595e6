import { expect, test } from 'vitest';
import {
  mutedUntil,
  nextAttemptAt,
  wants,
} from '../../../../src/durable/event-log/alerts/deliveries/alert-order.ts';
import { nextDigestAt } from '../../../../src/durable/event-log/alerts/deliveries/telling.ts';

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

test('a mute silences its kind and its number alone, until the last one ends', () => {
  const [until, later] = [now + 1_000, now + 2_000];
  const mutes = [
    { id: '1', kind: 'device.banned' as const, numberId: null, until },
    { id: '2', kind: null, numberId: 'one', until: later },
  ];
  const muted = (kind: 'device.banned' | 'device.logged_out', numberId: string) =>
    mutedUntil({ kind, subject: `number:${numberId}`, detail: {} }, mutes, now);
  expect([muted('device.banned', 'one'), muted('device.banned', 'other')]).toEqual([later, until]);
  expect([muted('device.logged_out', 'one'), muted('device.logged_out', 'other')]).toEqual([later, null]);
});

test('a digest comes once on a day on which the clocks show its hour twice', () => {
  const digest = { hour: 2, timeZone: 'Europe/Berlin', only: true };
  const first = Date.parse('2026-10-25T02:00:00+02:00');
  expect(nextDigestAt(digest, first - 1, null)).toBe(first);
  expect(nextDigestAt(digest, first + 1, first)).toBe(Date.parse('2026-10-26T02:00:00+01:00'));
});
