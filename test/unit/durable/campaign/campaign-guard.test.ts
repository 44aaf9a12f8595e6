import { describe, expect, test } from 'vitest';
import {
  afterOutcome,
  freshGuard,
  type GuardOutcome,
  type GuardRecord,
} from '../../../../src/durable/campaign/outcomes/guard.ts';
import { winnerOf } from '../../../../src/durable/campaign/recipient.ts';
import { allowedNow, nextDue } from '../../../../src/durable/campaign/sending/batches.ts';

/** After how many of these outcomes the campaign stops, and why; null: it goes on. */
function stopsAt(outcomes: readonly GuardOutcome[], stopAfterFailures = 1_000) {
  let record: GuardRecord = freshGuard;
  for (const [index, outcome] of outcomes.entries()) {
    const after = afterOutcome(record, outcome, stopAfterFailures);
    record = after.record;
    if (after.stop !== null) return [index + 1, after.stop];
  }
  return null;
}

const times = (count: number, ...outcomes: GuardOutcome[]) => Array(count).fill(outcomes).flat();

describe('a campaign stops by itself', () => {
  test('at the failure at which its owner wants it to', () => {
    expect(stopsAt(times(10, 'sent', 'failed'), 4)).toEqual([8, 'failures']);
  });

  test('at the first refusal that restricts a number', () => {
    expect(stopsAt(['sent', 'failed', 'network_restricted'])).toEqual([3, 'network_restricted']);
  });

  test('where more than three in ten fail, of twenty at least and of the last fifty', () => {
    expect(stopsAt(times(19, 'failed'))).toBeNull();
    expect(stopsAt(times(20, 'failed'))).toEqual([20, 'failure_rate']);
    expect(
      stopsAt(
        times(40, 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'failed', 'failed', 'failed'),
      ),
    ).toBeNull();
    // However much went well before: 16 of the last 50.
    expect(stopsAt([...times(1_000, 'sent'), ...times(16, 'failed')])).toEqual([1_016, 'failure_rate']);
    expect(stopsAt([...times(1_000, 'sent'), ...times(15, 'failed')])).toBeNull();
  });

  test('where more than one in twenty of those who got it opt out, and five at least', () => {
    expect(stopsAt([...times(10, 'sent'), ...times(4, 'opted_out')])).toBeNull();
    expect(stopsAt([...times(10, 'sent'), ...times(5, 'opted_out')])).toEqual([15, 'opt_outs']);
    expect(stopsAt([...times(100, 'sent'), ...times(5, 'opted_out')])).toBeNull();
    expect(stopsAt([...times(100, 'sent'), ...times(6, 'opted_out')])).toEqual([106, 'opt_outs']);
  });
});

test('the text with the greatest share of answers wins, the first of equals, one that nobody got never', () => {
  const winner = (...texts: [sent: number, replied: number][]) =>
    winnerOf({ variants: texts.map(([sent, replied]) => ({ sent, replied })) } as never);
  expect(winner([100, 10], [50, 6])).toBe(1);
  expect(winner([100, 10], [50, 5])).toBe(0);
  expect(winner([0, 0], [50, 1], [10, 1])).toBe(2);
  expect(winner([10, 0], [0, 0])).toBe(0);
});

test('a rate lets through what it says over any hour, and half a minute of it in one go', () => {
  const begin = Date.UTC(2026, 10, 26, 12);
  for (const ratePerHour of [60, 600, 3_600]) {
    let nextAt = 0;
    let gone = 0;
    for (let now = begin; now < begin + 3_600_000; now += 7_000) {
      const allowed = allowedNow(nextAt, ratePerHour, now) ?? 0;
      expect(allowed).toBeLessThanOrEqual(ratePerHour / 120 + 1);
      if (allowed > 0) nextAt = nextDue(nextAt, ratePerHour, now, allowed);
      gone += allowed;
    }
    expect(gone).toBeGreaterThan(ratePerHour * 0.95);
    expect(gone).toBeLessThanOrEqual(ratePerHour * (1 + 1 / 120) + 1);
  }
  expect(allowedNow(begin + 1_000, null, begin)).toBeNull();
});
