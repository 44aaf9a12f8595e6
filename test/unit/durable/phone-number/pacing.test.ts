import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultPacing, type Pacing } from '../../../../src/contract/numbers/sender-settings.ts';
import { dayIn } from '../../../../src/durable/local-time/zone-time.ts';
import {
  dayLimit,
  freshPace,
  inFlightLimit,
  type Pace,
  paceAfter,
  paceAt,
  paceBefore,
  paceUnder,
  queueLimit,
  ratePerMinute,
  sentOn,
  typingMs,
} from '../../../../src/durable/phone-number/pacing/pacing.ts';

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 4, 10, 12);
const pacing = (more: Partial<Pacing> = {}): Pacing => ({ ...defaultPacing, ...more });

/** The pace after `count` messages, one right after the other. */
function sending(count: number, settings: Pacing, at: number, from: Pace = freshPace): Pace {
  let pace = from;
  for (let index = 0; index < count; index += 1) {
    pace = paceAfter(paceAt(pace, settings, at), settings, at, 1, 0.5);
  }
  return pace;
}

describe('the pause between two messages', () => {
  test('is drawn anew for each, and lies between the two bounds, both included', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 0, max: 5000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (minDelayMs, more, random) => {
          const settings = pacing({ minDelayMs, maxDelayMs: minDelayMs + more });
          const wait = paceAfter(freshPace, settings, noon, 1, random).nextAt - noon;
          expect(wait).toBeGreaterThanOrEqual(minDelayMs);
          expect(wait).toBeLessThanOrEqual(minDelayMs + more);
        },
      ),
    );
    expect(paceAfter(freshPace, pacing(), noon, 1, 0.999999).nextAt).toBe(noon + 2400);
    expect(paceAfter(freshPace, pacing(), noon, 1, 0).nextAt).toBe(noon + 800);
  });

  test('never grows beyond the longest one, even when the clock goes back a month', () => {
    const pace = sending(1, pacing(), noon);
    expect(paceAt(pace, pacing(), noon - 30 * dayMs).nextAt).toBe(noon - 30 * dayMs + 2400);
  });
});

describe('the messages of a day', () => {
  const settings = pacing({ dailyLimit: 3, timeZone: 'Asia/Jakarta' });

  test('are counted from 0 again when the day of the zone begins, over the end of a month too', () => {
    const lastOfMonth = Date.UTC(2026, 0, 31, 16, 59);
    const pace = sending(3, settings, lastOfMonth);
    expect(paceAt(pace, settings, lastOfMonth).sent).toBe(3);
    expect(paceAt(pace, settings, lastOfMonth + 60_000).sent).toBe(0);
  });

  test('are not allowed a second time when the clock goes back over midnight', () => {
    const afterMidnight = Date.UTC(2026, 0, 31, 17, 1);
    const pace = sending(3, settings, afterMidnight);
    const before = paceAt(pace, settings, afterMidnight - 10 * 60_000);
    expect(sentOn(before, settings, afterMidnight - 10 * 60_000)).toBeGreaterThanOrEqual(3);
    expect(paceAt(before, settings, afterMidnight).sent).toBe(3);
    expect(paceAt(before, settings, afterMidnight + dayMs).sent).toBe(0);
  });

  test('that a clock far ahead has counted belong to the day that it really is, and do not block the number for long', () => {
    for (const days of [2, 300]) {
      const corrected = paceAt(sending(2, settings, noon + days * dayMs), settings, noon);
      expect(corrected).toMatchObject({ sent: 2, day: dayIn('Asia/Jakarta', noon) });
      expect(paceAt(corrected, settings, noon + dayMs).sent).toBe(0);
    }
  });

  test('go on counting when the zone is changed', () => {
    const pace = sending(2, settings, noon);
    const moved = pacing({ timeZone: 'Pacific/Auckland' });
    const after = paceUnder(pace, settings, moved, noon);
    expect(after).toMatchObject({ sent: 2, day: dayIn('Pacific/Auckland', noon) });
  });

  test('are counted once: one that comes back without having left is taken off, unless its day is over', () => {
    const pace = sending(2, settings, noon);
    expect(paceBefore(pace, settings, noon).sent).toBe(1);
    expect(paceBefore(pace, settings, noon - dayMs)).toBe(pace);
    expect(paceAfter(pace, settings, noon, 0, 0).sent).toBe(2);
  });

  test('never exceed the limit, however the clock jumps about within a day', () => {
    const jumps = fc.array(fc.integer({ min: -6 * 60, max: 6 * 60 }), { maxLength: 200 });
    fc.assert(
      fc.property(jumps, fc.integer({ min: 1, max: 10 }), (minutes, limit) => {
        const limited = pacing({ dailyLimit: limit, minDelayMs: 0, maxDelayMs: 0 });
        const byDay = new Map<number, number>();
        let pace = freshPace;
        let now = noon;
        let furthest = now;
        for (const jump of minutes) {
          now = Math.max(now + jump * 60_000, furthest - dayMs);
          furthest = Math.max(furthest, now);
          pace = paceAt(pace, limited, now);
          if (sentOn(pace, limited, now) >= limit) continue;
          pace = paceAfter(pace, limited, now, 1, 0);
          const day = dayIn('UTC', now);
          byDay.set(day, (byDay.get(day) ?? 0) + 1);
        }
        expect(Math.max(0, ...byDay.values())).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the limit of a day', () => {
  test('follows the warm-up by the age of the number in calendar days, and then the daily limit', () => {
    const settings = pacing({ dailyLimit: 100, warmUp: [10, 20, 200], timeZone: 'Asia/Jakarta' });
    const paired = Date.UTC(2026, 0, 31, 16, 30);
    expect(dayLimit(settings, paired, paired)).toEqual({ limit: 10, reason: 'warm_up' });
    expect(dayLimit(settings, paired, paired + 3_600_000)).toEqual({ limit: 20, reason: 'warm_up' });
    // The ramp may allow more than the limit does: the lower one holds.
    expect(dayLimit(settings, paired, paired + 2 * dayMs)).toEqual({ limit: 100, reason: 'daily_limit' });
    expect(dayLimit(settings, paired, paired + 3 * dayMs)).toEqual({ limit: 100, reason: 'daily_limit' });
    expect(dayLimit({ ...settings, dailyLimit: null }, paired, paired + 9 * dayMs).limit).toBeNull();
  });

  test('of a clock that went back before the pairing is that of the first day', () => {
    expect(dayLimit(pacing({ warmUp: [5] }), noon, noon - 40 * dayMs).limit).toBe(5);
  });
});

describe('what a number can send now', () => {
  test('is nothing in quiet hours, and one message while it is on trial', () => {
    const quiet = pacing({ quietHours: { start: '11:00', end: '13:00' } });
    expect(ratePerMinute(quiet, false, noon)).toBe(0);
    expect(ratePerMinute(quiet, false, noon + 3_600_000)).toBe(38);
    expect(ratePerMinute(pacing(), true, noon)).toBe(1);
    expect(ratePerMinute(pacing({ minDelayMs: 0, maxDelayMs: 0 }), false, noon)).toBe(600);
  });
});

describe('what a number keeps', () => {
  test('is one message while it is on trial, and what it sends in a minute or so otherwise', () => {
    const unpaced = pacing({ minDelayMs: 0, maxDelayMs: 0 });
    for (const settings of [unpaced, pacing(), pacing({ typing: true })]) {
      expect(queueLimit(settings, true)).toBe(1);
      expect(inFlightLimit(settings, true)).toBe(1);
    }
    expect(queueLimit(unpaced, false)).toBe(64);
    expect(queueLimit(pacing({ minDelayMs: 1, maxDelayMs: 1 }), false)).toBe(20);
    expect(queueLimit(pacing({ minDelayMs: 10_000, maxDelayMs: 10_000 }), false)).toBe(6);
    expect(queueLimit(pacing({ minDelayMs: 300_000, maxDelayMs: 300_000 }), false)).toBe(2);
    expect(inFlightLimit(pacing(), false)).toBe(32);
    expect(inFlightLimit(pacing({ typing: true }), false)).toBe(8);
  });
});

describe('typing before a text', () => {
  test('takes as long as the text is, but no longer than three seconds, and only where it is wanted', () => {
    const typing = pacing({ typing: true });
    expect(typingMs(typing, { type: 'text', text: 'hello' })).toBe(150);
    expect(typingMs(typing, { type: 'text', text: 'x'.repeat(4096) })).toBe(3000);
    expect(typingMs(pacing(), { type: 'text', text: 'hello' })).toBe(0);
    // What is done to a message is not typed.
    const edit = { type: 'edit', messageId: 'msg_1', providerMessageId: '3A1', text: 'hello' } as never;
    expect(typingMs(typing, edit)).toBe(0);
  });
});
