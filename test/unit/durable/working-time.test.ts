import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  type OpenHours,
  type OpenSpan,
  overlappingSpan,
} from '../../../src/contract/support/business-hours.ts';
import { type Weekday, weekdays } from '../../../src/contract/times.ts';
import { allTime, workingTimeOf } from '../../../src/durable/local-time/working-time.ts';

const utc = (text: string) => Date.parse(text);
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const officeDays: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const office = (timeZone: string, holidays: string[] = []): OpenHours => ({
  timeZone,
  spans: officeDays.map((day) => ({ day, from: '09:00', to: '17:00' })),
  holidays: holidays.map((date) => ({ date })),
});
const nights = (timeZone: string, holidays: string[] = []): OpenHours => ({
  timeZone,
  spans: officeDays.map((day) => ({ day, from: '22:00', to: '06:00' })),
  holidays: holidays.map((date) => ({ date })),
});

describe('an hour of working time', () => {
  test('from Friday 16:30 on is over on Monday at 09:30', () => {
    const time = workingTimeOf(office('Asia/Jakarta'));
    const friday = utc('2026-11-20T16:30:00+07:00');
    expect(iso(time.after(friday, hourMs))).toBe(iso(utc('2026-11-23T09:30:00+07:00')));
    expect(time.between(friday, utc('2026-11-23T09:30:00+07:00'))).toBe(hourMs);
  });

  test('is found without asking again what the clocks of days that are known show', () => {
    const time = workingTimeOf(office('Asia/Jakarta'));
    const begin = utc('2026-09-01T10:00:00+07:00');
    const monthLater = time.after(begin, 22 * 8 * hourMs);
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    expect(time.after(begin, 22 * 8 * hourMs)).toBe(monthLater);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(1);
    asked.mockRestore();
  });

  test('that fills the day to its end is over then, not on the next morning', () => {
    const time = workingTimeOf(office('Asia/Jakarta'));
    expect(iso(time.after(utc('2026-11-20T16:00:00+07:00'), hourMs))).toBe(
      iso(utc('2026-11-20T17:00:00+07:00')),
    );
  });

  test('skips a holiday', () => {
    const time = workingTimeOf(office('Asia/Jakarta', ['2026-11-23']));
    expect(iso(time.after(utc('2026-11-20T16:30:00+07:00'), hourMs))).toBe(
      iso(utc('2026-11-24T09:30:00+07:00')),
    );
  });

  test('runs through midnight', () => {
    const time = workingTimeOf(nights('Asia/Jakarta'));
    expect(iso(time.after(utc('2026-11-23T23:30:00+07:00'), hourMs))).toBe(
      iso(utc('2026-11-24T00:30:00+07:00')),
    );
    // Saturday morning still belongs to Friday night.
    expect(time.isOpen(utc('2026-11-21T05:59:00+07:00'))).toBe(true);
    expect(time.isOpen(utc('2026-11-21T23:00:00+07:00'))).toBe(false);
  });

  test('knows a holiday as closed from midnight to midnight, and the night that would begin on it', () => {
    const time = workingTimeOf(nights('UTC', ['2026-12-24']));
    expect(time.isOpen(utc('2026-12-23T23:59:00Z'))).toBe(true);
    expect(time.isOpen(utc('2026-12-24T03:00:00Z'))).toBe(false);
    expect(time.isOpen(utc('2026-12-24T23:00:00Z'))).toBe(false);
    expect(time.isOpen(utc('2026-12-25T03:00:00Z'))).toBe(false);
    expect(time.isOpen(utc('2026-12-25T22:00:00Z'))).toBe(true);
    expect(iso(time.after(utc('2026-12-23T23:00:00Z'), 2 * hourMs))).toBe('2026-12-25T23:00:00.000Z');
  });

  test('keeps to the clocks of the zone when they are changed', () => {
    // Berlin: on 29 March 2026 the clocks go from 02:00 to 03:00, on 25 October from 03:00 to 02:00.
    const time = workingTimeOf(office('Europe/Berlin'));
    expect(iso(time.after(utc('2026-03-27T16:30:00+01:00'), hourMs))).toBe('2026-03-30T07:30:00.000Z');
    expect(iso(time.after(utc('2026-10-23T16:30:00+02:00'), hourMs))).toBe('2026-10-26T08:30:00.000Z');
  });

  test('has no minute that the clocks skip, and has twice what they show twice', () => {
    const night: OpenHours = {
      timeZone: 'Europe/Berlin',
      spans: [{ day: 'saturday', from: '22:00', to: '06:00' }],
      holidays: [],
    };
    const time = workingTimeOf(night);
    expect(time.between(utc('2026-03-28T00:00:00Z'), utc('2026-03-30T00:00:00Z'))).toBe(7 * hourMs);
    expect(time.between(utc('2026-10-24T00:00:00Z'), utc('2026-10-26T00:00:00Z'))).toBe(9 * hourMs);
    expect(time.between(utc('2026-06-06T00:00:00Z'), utc('2026-06-08T00:00:00Z'))).toBe(8 * hourMs);
  });

  test('counts each span of a day', () => {
    const split: OpenHours = {
      timeZone: 'Europe/Madrid',
      spans: [
        { day: 'monday', from: '09:00', to: '13:30' },
        { day: 'monday', from: '16:00', to: '20:00' },
      ],
      holidays: [],
    };
    const time = workingTimeOf(split);
    expect(iso(time.after(utc('2026-11-23T13:00:00+01:00'), hourMs))).toBe(
      iso(utc('2026-11-23T16:30:00+01:00')),
    );
  });

  test('is any hour where there are no hours', () => {
    const at = utc('2026-11-21T03:00:00Z');
    expect(allTime.after(at, hourMs)).toBe(at + hourMs);
    expect(allTime.between(at, at + dayMs)).toBe(dayMs);
  });

  test('has no end where holidays take every day for years', () => {
    const days = Array.from({ length: 4 * 366 }, (_, index) =>
      new Date(utc('2026-11-01T00:00:00Z') + index * dayMs).toISOString().slice(0, 10),
    );
    const time = workingTimeOf(office('UTC', days));
    expect(time.after(utc('2026-11-22T00:00:00Z'), hourMs)).toBeNull();
  });
});

// --- against a slow and obvious model ------------------------------------------------------------------------------

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'long',
  });
  formats.set(timeZone, format);
  return format;
}

interface Clock {
  date: string;
  weekday: Weekday;
  hour: string;
  minute: number;
}

/** What the clocks show at the beginning of a quarter of an hour, asked of the runtime. No zone changes its clocks within one. */
const clocks = new Map<string, Clock>();

function clockAt(timeZone: string, at: number) {
  const quarter = Math.floor(at / quarterMs) * quarterMs;
  const key = `${timeZone} ${quarter}`;
  const known = clocks.get(key);
  const { date, weekday, hour, minute } = known ?? readClock(timeZone, quarter);
  if (known === undefined) clocks.set(key, { date, weekday, hour, minute });
  const now = minute + Math.floor((at - quarter) / minuteMs);
  return { date, weekday, time: `${hour}:${String(now).padStart(2, '0')}` };
}

function readClock(timeZone: string, at: number): Clock {
  const format = formatOf(timeZone);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: parts.weekday?.toLowerCase() as Weekday,
    hour: String(parts.hour),
    minute: Number(parts.minute),
  };
}

/** Whether the minute that begins at `at` is one in which people work: read off the clock and the calendar. */
function isWorkingMinute(hours: OpenHours, at: number): boolean {
  const { date, weekday, time } = clockAt(hours.timeZone, at);
  const yesterday = new Date(utc(date) - dayMs).toISOString().slice(0, 10);
  const eve = weekdays[(weekdays.indexOf(weekday) + 6) % 7];
  const isHoliday = (it: string) => hours.holidays.some((holiday) => holiday.date === it);
  if (isHoliday(date)) return false;
  return hours.spans.some(({ day, from, to }) => {
    const isOvernight = to <= from;
    if (day === weekday && time >= from && (isOvernight || time < to)) return true;
    return day === eve && isOvernight && !isHoliday(yesterday) && time < to;
  });
}

/** With changes of the clocks on both halves of the earth, by half an hour, at midnight, and never. */
const anyZone = fc.constantFrom(
  'UTC',
  'Asia/Jakarta',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Casablanca',
);
const timeOfMinute = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const anySpan: fc.Arbitrary<OpenSpan> = fc
  .record({
    day: fc.constantFrom(...weekdays),
    begin: fc.integer({ min: 0, max: 1439 }),
    end: fc.integer({ min: 0, max: 1440 }),
  })
  .filter(({ begin, end }) => begin !== end)
  .map(({ day, begin, end }) => ({ day, from: timeOfMinute(begin), to: timeOfMinute(end) }));

/** Around the changes of the clocks, and at any other time. */
const changes = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-05', '2026-09-06'];
const anyDay = fc.oneof(
  fc.constantFrom(...changes).map((date) => utc(`${date}T00:00:00Z`) - 2 * dayMs),
  fc.integer({ min: 0, max: 720 }).map((days) => utc('2026-01-01T00:00:00Z') + days * dayMs),
);
const anyCase = fc
  .record({
    timeZone: anyZone,
    spans: fc.array(anySpan, { minLength: 1, maxLength: 8 }),
    first: anyDay,
    startMinute: fc.integer({ min: 0, max: 2 * 1440 }),
    closed: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }),
    minutes: fc.integer({ min: 1, max: 1200 }),
  })
  .map(({ first, closed, startMinute, ...rest }) => ({
    ...rest,
    from: first + startMinute * minuteMs,
    holidays: closed.map((days) => ({ date: new Date(first + days * dayMs).toISOString().slice(0, 10) })),
  }));

describe('working time, held against a model that looks at every minute', () => {
  test('is as long as there are such minutes, and ends where the last of them ends', () => {
    fc.assert(
      fc.property(anyCase, ({ from, minutes, ...hours }) => {
        const time = workingTimeOf(hours);
        const horizon = from + 4 * dayMs;
        let counted = 0;
        let end: number | null = null;
        for (let at = from; at < horizon; at += minuteMs) {
          const isWorking = isWorkingMinute(hours, at);
          if (at % (13 * minuteMs) === 0) expect(time.isOpen(at)).toBe(isWorking);
          if (!isWorking) continue;
          counted += 1;
          if (counted === minutes) end = at + minuteMs;
        }
        expect(time.between(from, horizon)).toBe(counted * minuteMs);
        const due = time.after(from, minutes * minuteMs);
        if (end === null) expect(due === null || due > horizon).toBe(true);
        else expect(iso(due)).toBe(iso(end));
      }),
      { numRuns: 60 },
    );
  });

  test('that lies behind a time is as long as was asked for, to the millisecond', () => {
    fc.assert(
      fc.property(anyCase, fc.integer({ min: 0, max: 59_999 }), ({ from, minutes, ...hours }, more) => {
        const time = workingTimeOf(hours);
        const length = minutes * minuteMs + more;
        const due = time.after(from + more, length);
        if (due === null) return;
        expect(time.between(from + more, due)).toBe(length);
        expect(time.between(from + more, due - 1)).toBe(length - 1);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the spans of a week', () => {
  const span = (day: Weekday, from: string, to: string): OpenSpan => ({ day, from, to });

  test('may touch, and may not overlap, over midnight and over the end of the week neither', () => {
    expect(overlappingSpan([span('monday', '09:00', '12:00'), span('monday', '12:00', '15:00')])).toBe(-1);
    expect(overlappingSpan([span('monday', '09:00', '12:00'), span('monday', '11:59', '15:00')])).toBe(1);
    expect(overlappingSpan([span('monday', '09:00', '12:00'), span('monday', '09:00', '15:00')])).toBe(1);
    expect(overlappingSpan([span('sunday', '22:00', '06:00'), span('monday', '05:00', '09:00')])).toBe(1);
    expect(overlappingSpan([span('sunday', '22:00', '06:00'), span('monday', '06:00', '09:00')])).toBe(-1);
    expect(overlappingSpan([span('monday', '00:00', '24:00'), span('tuesday', '00:00', '24:00')])).toBe(-1);
  });
});
