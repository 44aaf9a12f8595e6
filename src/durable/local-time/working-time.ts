import type { OpenHours } from '../../contract/support/business-hours.ts';
import { OpenDays, type Stretch } from './open-days.ts';
import { dayIn } from './zone-time.ts';

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
