import type { Pacing } from '../../contract/sender-settings.ts';
import type { Health } from './health.ts';
import { dayLimit, type Pace, ratePerMinute, sentOn } from './pacing.ts';
import { nextDayIn, nextQuietChange } from './zone-time.ts';

/** What a number expects of itself: its account weighs its senders by it. */
export interface SenderOutlook {
  health: Health;
  /** Messages that it can still take today, what waits already taken off; null without a limit. */
  dailyRemaining: number | null;
  /** Messages a minute that it can send now. */
  perMinute: number;
}

/** A change of the remaining allowance smaller than that part of the day's limit is not told at once. */
const remainingStep = 0.05;

export function senderOutlook(input: {
  health: Health;
  isOnTrial: boolean;
  pacing: Pacing;
  pace: Pace;
  pairedAt: number | null;
  waiting: number;
  now: number;
}): SenderOutlook {
  const { health, isOnTrial, pacing, pace, pairedAt, waiting, now } = input;
  const { limit } = dayLimit(pacing, pairedAt, now);
  return {
    health,
    dailyRemaining: limit === null ? null : Math.max(0, limit - sentOn(pace, pacing, now) - waiting),
    perMinute: ratePerMinute(pacing, isOnTrial, now),
  };
}

/** Whether the account must hear of it: anything but a small step of the remaining allowance. */
export function isWorthTelling(told: SenderOutlook, outlook: SenderOutlook, limit: number | null): boolean {
  const { health } = outlook;
  if (
    told.health.status !== health.status ||
    told.health.reason !== health.reason ||
    told.health.until !== health.until ||
    told.perMinute !== outlook.perMinute
  ) {
    return true;
  }
  const [before, after] = [told.dailyRemaining, outlook.dailyRemaining];
  if (before === null || after === null) return before !== after;
  if ((before === 0) !== (after === 0)) return true;
  return Math.abs(before - after) > (limit ?? 0) * remainingStep;
}

/** When the outlook changes by the clock alone; null when it does not. */
export function outlookChangesAt(pacing: Pacing, pairedAt: number | null, now: number): number | null {
  const { quietHours, timeZone } = pacing;
  const times = [
    quietHours && nextQuietChange(quietHours, timeZone, now),
    dayLimit(pacing, pairedAt, now).limit === null ? null : nextDayIn(timeZone, now),
  ].filter((at) => at !== null);
  return times.length > 0 ? Math.min(...times) : null;
}
