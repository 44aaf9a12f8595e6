import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dayIn,
  isQuiet,
  nextDayIn,
  nextMinuteIn,
  nextQuietChange,
} from '../../../src/durable/local-time/zone-time.ts';

const utc = (text: string) => Date.parse(text);
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** With changes of the clocks on both halves of the earth, by half an hour, at midnight, and never. */
const zones = [
  'UTC',
  'Asia/Jakarta',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
];
const anyZone = fc.constantFrom(...zones);
const anyTime = fc.integer({ min: utc('2025-01-01T00:00:00Z'), max: utc('2028-01-01T00:00:00Z') });
const anyTimeOfDay = fc
  .integer({ min: 0, max: 1439 })
  .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);

describe('a day in a time zone', () => {
  test('ends at its own midnight, not at that of UTC', () => {
    const before = utc('2026-01-31T16:59:59.999Z');
    expect(dayIn('Asia/Jakarta', before) + 1).toBe(dayIn('Asia/Jakarta', before + 1));
    expect(iso(nextDayIn('Asia/Jakarta', before))).toBe('2026-01-31T17:00:00.000Z');
  });

  test('turns with the month and the year', () => {
    expect(dayIn('UTC', utc('2026-02-01T00:00:00Z')) - dayIn('UTC', utc('2026-01-31T00:00:00Z'))).toBe(1);
    expect(iso(nextDayIn('Europe/Berlin', utc('2026-12-31T20:00:00Z')))).toBe('2026-12-31T23:00:00.000Z');
  });

  test('of 23 hours is one day, and so is one whose midnight the clocks skip', () => {
    const spring = utc('2026-03-28T23:00:00Z');
    expect(nextDayIn('Europe/Berlin', spring) - spring).toBe(23 * hourMs);
    // In Santiago summer time begins at midnight: Sunday begins at 01:00.
    expect(iso(nextDayIn('America/Santiago', utc('2026-09-05T20:00:00Z')))).toBe('2026-09-06T04:00:00.000Z');
  });

  test('begins exactly where the number of the day rises, at any time in any zone', () => {
    fc.assert(
      fc.property(anyZone, anyTime, (zone, at) => {
        const next = nextDayIn(zone, at);
        expect(next).toBeGreaterThan(at);
        expect(dayIn(zone, next)).toBe(dayIn(zone, at) + 1);
        expect(dayIn(zone, next - 1)).toBe(dayIn(zone, at));
        expect(next - at).toBeLessThanOrEqual(25 * hourMs);
      }),
    );
  });
});

describe('quiet hours', () => {
  const night = { start: '22:00', end: '07:00' };

  test('over midnight hold in the evening and in the morning, by the clocks of their zone', () => {
    expect(isQuiet(night, 'Asia/Jakarta', utc('2026-05-10T14:59:59Z'))).toBe(false);
    expect(isQuiet(night, 'Asia/Jakarta', utc('2026-05-10T15:00:00Z'))).toBe(true);
    expect(isQuiet(night, 'Asia/Jakarta', utc('2026-05-10T23:59:59Z'))).toBe(true);
    expect(isQuiet(night, 'Asia/Jakarta', utc('2026-05-11T00:00:00Z'))).toBe(false);
  });

  test('end an hour earlier in UTC in the night in which summer time begins', () => {
    const evening = utc('2026-03-28T21:30:00Z');
    expect(iso(nextQuietChange(night, 'Europe/Berlin', evening))).toBe('2026-03-29T05:00:00.000Z');
    expect(iso(nextQuietChange(night, 'Europe/Berlin', evening - 24 * hourMs))).toBe(
      '2026-03-28T06:00:00.000Z',
    );
  });

  test('whose end the clocks skip end when they are changed', () => {
    const quiet = { start: '23:00', end: '02:30' };
    const at = utc('2026-03-29T00:30:00Z');
    expect(isQuiet(quiet, 'Europe/Berlin', at)).toBe(true);
    expect(iso(nextQuietChange(quiet, 'Europe/Berlin', at))).toBe('2026-03-29T01:00:00.000Z');
  });

  test('with equal ends are none', () => {
    const none = { start: '08:00', end: '08:00' };
    expect(isQuiet(none, 'UTC', utc('2026-01-01T08:00:00Z'))).toBe(false);
    expect(nextQuietChange(none, 'UTC', utc('2026-01-01T08:00:00Z'))).toBeNull();
  });

  test('change exactly where they are said to change, and nowhere before', () => {
    fc.assert(
      fc.property(anyZone, anyTime, anyTimeOfDay, anyTimeOfDay, (zone, at, start, end) => {
        fc.pre(start !== end);
        const quiet = { start, end };
        const change = nextQuietChange(quiet, zone, at) ?? 0;
        const before = isQuiet(quiet, zone, at);
        expect(isQuiet(quiet, zone, change)).toBe(!before);
        for (let minute = at; minute < change; minute += 7 * minuteMs) {
          expect(isQuiet(quiet, zone, minute)).toBe(before);
        }
        expect(isQuiet(quiet, zone, change - 1)).toBe(before);
      }),
      { numRuns: 60 },
    );
  });
});

test('a minute comes when the clocks show it, and where they skip it when they do', () => {
  const next = (at: string) => iso(nextMinuteIn('Europe/Berlin', 150, utc(at)));
  expect(next('2026-03-27T20:00:00Z')).toBe('2026-03-28T01:30:00.000Z');
  expect(next('2026-03-28T20:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
});
