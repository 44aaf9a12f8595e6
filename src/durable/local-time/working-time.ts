import type { OpenHours, OpenSpan } from '../../contract/support/business-hours.ts';
import { dayMs, minuteMs, weekdays } from '../../contract/times.ts';
import { clockChange, dayIn, minuteOfDay, offsetMs } from './zone-time.ts';

/** From `from` on, and before `to`; milliseconds since 1970. */
interface Stretch {
  from: number;
  to: number;
}

/** Minutes of one day, from `begin` on and before `end`. */
interface Range {
  begin: number;
  end: number;
}

/** Clocks are at most so far ahead of UTC, and behind it. */
const aheadMaxMs = 15 * 3_600_000;
const behindMaxMs = 13 * 3_600_000;
const dayMinutes = 24 * 60;
/** Days that are remembered. */
const knownDaysMax = 4_000;

/** The open hours of each calendar day; days are counted since 1970, by the calendar of the zone. */
class OpenDays {
  readonly #timeZone: string;
  /** By day of the week: what begins on it, and what is left of the night before. */
  readonly #own: readonly Range[][];
  readonly #tails: readonly Range[][];
  readonly #holidays: ReadonlySet<number>;
  /** To ask what a zone's clocks show takes far longer than all the rest. */
  readonly #known = new Map<number, readonly Stretch[]>();

  constructor({ timeZone, spans, holidays }: OpenHours) {
    this.#timeZone = timeZone;
    const on = (index: number) => spans.filter(({ day }) => weekdays.indexOf(day) === index);
    this.#own = weekdays.map((_, index) => on(index).map(ownRange));
    this.#tails = weekdays.map((_, index) => on((index + 6) % 7).flatMap(tailRange));
    this.#holidays = new Set(holidays.map(({ date }) => Date.parse(date) / dayMs));
  }

  /** When it is open on that day, in order. A holiday is closed, and so is the rest of a night that would begin on one. */
  stretches(day: number): readonly Stretch[] {
    const known = this.#known.get(day);
    if (known !== undefined) return known;
    if (this.#known.size === knownDaysMax) this.#known.clear();
    const stretches = this.#stretches(day);
    this.#known.set(day, stretches);
    return stretches;
  }

  #stretches(day: number): Stretch[] {
    if (this.#holidays.has(day)) return [];
    const weekday = (day + 3) % 7;
    const tails = this.#holidays.has(day - 1) ? [] : (this.#tails[weekday] ?? []);
    const ranges = [...tails, ...(this.#own[weekday] ?? [])];
    return ranges.length === 0 ? [] : joined(this.#instants(day, ranges));
  }

  /** The times at which the clocks show these minutes of the day: none that they skip, and twice what they show twice. */
  #instants(day: number, ranges: readonly Range[]): Stretch[] {
    const midnight = day * dayMs;
    const [earliest, latest] = [midnight - aheadMaxMs, midnight + dayMs + behindMaxMs];
    const before = offsetMs(earliest, this.#timeZone);
    const after = offsetMs(latest, this.#timeZone);
    const under = (offset: number) =>
      ranges.map(({ begin, end }) => ({
        from: midnight + begin * minuteMs - offset,
        to: midnight + end * minuteMs - offset,
      }));
    if (before === after) return under(before);
    const change = clockChange(this.#timeZone, earliest, latest);
    return [
      ...under(before).map(({ from, to }) => ({ from, to: Math.min(to, change) })),
      ...under(after).map(({ from, to }) => ({ from: Math.max(from, change), to })),
    ];
  }
}

const isOverMidnight = ({ from, to }: OpenSpan) => minuteOfDay(to) <= minuteOfDay(from);

const ownRange = (span: OpenSpan): Range => ({
  begin: minuteOfDay(span.from),
  end: isOverMidnight(span) ? dayMinutes : minuteOfDay(span.to),
});

const tailRange = (span: OpenSpan): Range[] =>
  isOverMidnight(span) ? [{ begin: 0, end: minuteOfDay(span.to) }] : [];

/** In order; those that touch or overlap are one, and empty ones are none. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const inOrder = stretches.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
  const result: Stretch[] = [];
  for (const stretch of inOrder) {
    const last = result.at(-1);
    if (last !== undefined && stretch.from <= last.to) last.to = Math.max(last.to, stretch.to);
    else result.push({ ...stretch });
  }
  return result;
}

/** So far ahead hours are looked at: what is not reached within three years has no time. */
const lookAheadDays = 3 * 366;

/** Time as it counts for people who work certain hours. Times and lengths in milliseconds. */
export interface WorkingTime {
  isOpen(at: number): boolean;
  /** How much of the time between two counts; of a long time the first three years. */
  between(from: number, to: number): number;
  /** The first time at which so much has counted since `from`; null: not within three years. */
  after(from: number, lengthMs: number): number | null;
}

/** All time counts: where nobody has said when people work. */
export const allTime: WorkingTime = {
  isOpen: () => true,
  between: (from, to) => Math.max(0, to - from),
  after: (from, lengthMs) => from + lengthMs,
};

export function workingTimeOf(hours: OpenHours): WorkingTime {
  const days = new OpenDays(hours);

  /** What is open from a time on, in order; one that has begun, from that time on. */
  function* stretchesFrom(at: number): Generator<Stretch> {
    const today = dayIn(hours.timeZone, at);
    for (let day = today; day < today + lookAheadDays; day += 1) {
      for (const { from, to } of days.stretches(day)) {
        if (to > at) yield { from: Math.max(from, at), to };
      }
    }
  }

  return {
    isOpen(at) {
      return days.stretches(dayIn(hours.timeZone, at)).some(({ from, to }) => from <= at && at < to);
    },

    between(from, to) {
      let length = 0;
      for (const stretch of stretchesFrom(from)) {
        if (stretch.from >= to) break;
        length += Math.min(stretch.to, to) - stretch.from;
      }
      return length;
    },

    after(from, lengthMs) {
      if (lengthMs <= 0) return from;
      let left = lengthMs;
      for (const stretch of stretchesFrom(from)) {
        const length = stretch.to - stretch.from;
        if (length >= left) return stretch.from + left;
        left -= length;
      }
      return null;
    },
  };
}
