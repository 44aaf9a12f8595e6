import type { Pacing } from '../../../contract/sender-settings.ts';
import { nextDayIn, nextQuietChange } from '../../local-time/zone-time.ts';
import type { Health } from '../health/health.ts';
import { dayLimit } from '../pacing/pacing.ts';

/** What a number expects of itself: its account weighs its senders by it. */
export interface SenderOutlook {
  health: Health;
  /** Messages that it can still take today, what waits already taken off; null without a limit. */
  dailyRemaining: number | null;
  /** Messages a minute that it can send now. */
  perMinute: number;
}

/**
 * Whether the account must hear of it. Of a remaining allowance only whether there is one: the account counts it down
 * itself, and whatever raises it is told in any case.
 */
export function isWorthTelling(told: SenderOutlook, outlook: SenderOutlook): boolean {
  const { health } = outlook;
  return (
    told.health.status !== health.status ||
    told.health.reason !== health.reason ||
    told.health.until !== health.until ||
    told.perMinute !== outlook.perMinute ||
    (told.dailyRemaining === null) !== (outlook.dailyRemaining === null)
  );
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
