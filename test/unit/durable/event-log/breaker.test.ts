import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterFailure,
  afterSuccess,
  circuitAfterMs,
  freshStreak,
  type Streak,
} from '../../../../src/durable/event-log/deliveries/webhooks/breaker.ts';

const openAfterMs = 750_000;

/** The streak after failures that ended at these times, and the alerts on the way. */
function failed(times: readonly number[], from: Streak = freshStreak) {
  let streak = from;
  const alerts: [number, string][] = [];
  for (const at of times) {
    const after = afterFailure(streak, at, openAfterMs);
    streak = after.streak;
    if (after.alert !== null) alerts.push([streak.failures, after.alert]);
  }
  return { streak, alerts };
}

test('25 failures in a row open the circuit once the first of them is 12 min 30 s ago', () => {
  const quick = Array.from({ length: 60 }, (_, index) => index);
  const { streak, alerts } = failed(quick);
  expect(streak).toEqual({ failures: 60, since: 0, isOpen: false });
  expect(alerts).toEqual([
    [10, 'webhook.failing'],
    [20, 'webhook.failing'],
  ]);
  expect(failed([openAfterMs - 1], streak).streak.isOpen).toBe(false);
  expect(failed([openAfterMs], streak)).toEqual({
    streak: { failures: 61, since: 0, isOpen: true },
    alerts: [[61, 'webhook.disabled']],
  });
});

test('24 failures do not open it, however long they last', () => {
  const slow = Array.from({ length: 24 }, (_, index) => index * openAfterMs);
  expect(failed(slow).streak.isOpen).toBe(false);
  expect(failed([25 * openAfterMs], failed(slow).streak).alerts).toEqual([[25, 'webhook.disabled']]);
});

test('failures last since the first of them, also where that one is heard of later', () => {
  expect(failed([5_000, 1_000, 7_000]).streak).toEqual({ failures: 3, since: 1_000, isOpen: false });
});

test('a success begins everything anew but does not close the circuit', () => {
  const open = failed(Array.from({ length: 25 }, (_, index) => index * openAfterMs)).streak;
  expect(afterSuccess(open)).toEqual({ failures: 0, since: null, isOpen: true });
  expect(failed([5], afterSuccess(freshStreak)).streak).toEqual({ failures: 1, since: 5, isOpen: false });
});

test('it opens once, and tells of each step once, whatever the failures', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 * openAfterMs }), { maxLength: 80 }), (times) => {
      const { streak, alerts } = failed(times);
      expect(streak.failures).toBe(times.length);
      expect(alerts.filter(([, kind]) => kind === 'webhook.disabled')).toHaveLength(streak.isOpen ? 1 : 0);
      expect(new Set(alerts.map(([at]) => at)).size).toBe(alerts.length);
    }),
  );
});

test('a circuit opens after the first three waits of the ladder, or all where it is shorter', () => {
  expect(circuitAfterMs([30, 120, 600, 1800])).toBe(openAfterMs);
  expect(circuitAfterMs([1])).toBe(1000);
});
