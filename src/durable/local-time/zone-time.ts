/*
 * What the clocks of a time zone show; a day is counted in whole days since 1970, by the zone's own calendar.
 */
import { dayMs, minuteMs } from '../../contract/times.ts';

/** A zone changes its clocks at most once in that time. */
const lookAheadMs = 2 * dayMs;

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's clocks are ahead of UTC, in milliseconds. */
export function offsetMs(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT`, `GMT+07:00`; before the railways also `GMT-03:06:28`.
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs + Number(seconds ?? 0) * 1000;
  return sign === '-' ? -ahead : ahead;
}

/** The calendar day in the zone. */
export function dayIn(timeZone: string, at: number): number {
  return Math.floor((at + offsetMs(at, timeZone)) / dayMs);
}

/** When the zone's next calendar day begins: at midnight, or where the clocks skip midnight, when they do. */
export function nextDayIn(timeZone: string, at: number): number {
  const today = dayIn(timeZone, at);
  return first(instants(timeZone, at, [0]).filter((instant) => dayIn(timeZone, instant) > today));
}

interface QuietHours {
  /** `HH:MM`, the first minute that is quiet. */
  start: string;
  /** `HH:MM`, the first minute that is not. */
  end: string;
}

export const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether the zone's clocks show a quiet time. Equal ends mean none. */
export function isQuiet(quiet: QuietHours, timeZone: string, at: number): boolean {
  const local = at + offsetMs(at, timeZone);
  const minute = Math.floor((local - Math.floor(local / dayMs) * dayMs) / minuteMs);
  const [start, end] = [minuteOfDay(quiet.start), minuteOfDay(quiet.end)];
  return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
}

/** When it next becomes quiet, or stops being so; null where it never does. */
export function nextQuietChange(quiet: QuietHours, timeZone: string, at: number): number | null {
  if (quiet.start === quiet.end) return null;
  const before = isQuiet(quiet, timeZone, at);
  const turns = instants(timeZone, at, [minuteOfDay(quiet.start), minuteOfDay(quiet.end)]);
  return first(turns.filter((instant) => isQuiet(quiet, timeZone, instant) !== before));
}

/** When the zone's clocks next show this minute of the day, or skip it. */
export function nextMinuteIn(timeZone: string, minute: number, at: number): number {
  const shown = (instant: number) => {
    const local = instant + offsetMs(instant, timeZone);
    return Math.floor((local - Math.floor(local / dayMs) * dayMs) / minuteMs);
  };
  const isSkipped = (instant: number) => shown(instant - 1) < minute && minute < shown(instant);
  return first(
    instants(timeZone, at, [minute]).filter((instant) => shown(instant) === minute || isSkipped(instant)),
  );
}

const first = (instants: number[]): number => Math.min(...instants);

/** Every instant of the next two days at which the clocks show one of these minutes of the day, or are changed. */
function instants(timeZone: string, at: number, minutes: readonly number[]): number[] {
  const offsets = [offsetMs(at, timeZone), offsetMs(at + lookAheadMs, timeZone)] as const;
  const found: number[] = [];
  for (const offset of new Set(offsets)) {
    const today = Math.floor((at + offset) / dayMs);
    for (let day = today; day <= today + 2; day += 1) {
      for (const minute of minutes) found.push(day * dayMs + minute * minuteMs - offset);
    }
  }
  if (offsets[0] !== offsets[1]) found.push(clockChange(timeZone, at, at + lookAheadMs));
  return found.filter((instant) => instant > at);
}

/** The instant between two times at which the offset becomes that of the later one. */
export function clockChange(timeZone: string, from: number, to: number): number {
  const after = offsetMs(to, timeZone);
  let [early, late] = [from, to];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetMs(middle, timeZone) === after) late = middle;
    else early = middle;
  }
  return late;
}
