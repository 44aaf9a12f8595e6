import type { Pacing } from '../../../contract/sender-settings.ts';
import { nextDayIn, nextQuietChange } from '../../local-time/zone-time.ts';
import type { Health } from '../health/health.ts';
import { dayLimit } from '../pacing/pacing.ts';

/** What a number knows of itself: its account decides by it what may leave, and weighs its senders by it. */
export interface SenderFacts {
  health: Health;
  /** Messages that it can still take today, what waits already taken off; null without a limit. */
  dailyRemaining: number | null;
  /** Messages a minute that it can send now. */
  perMinute: number;
}

/**
 * Whether the account must hear of it, under a new revision. Of what is left of the day only whether there is a limit and
 * whether it is used up: the account counts it down itself. So each report of a revision says the same of who may be
 * written to, and one that comes late undoes nothing.
 */
export function isWorthTelling(told: SenderFacts, facts: SenderFacts): boolean {
  const { health } = facts;
  return (
    told.health.status !== health.status ||
    told.health.reason !== health.reason ||
    told.health.until !== health.until ||
    told.perMinute !== facts.perMinute ||
    stateOfDay(told) !== stateOfDay(facts)
  );
}

const stateOfDay = ({ dailyRemaining }: SenderFacts) =>
  dailyRemaining === null ? 'unlimited' : dailyRemaining === 0 ? 'used up' : 'open';

/** When they change by the clock alone; null when they do not. */
export function factsChangeAt(pacing: Pacing, pairedAt: number | null, now: number): number | null {
  const { quietHours, timeZone } = pacing;
  const times = [
    quietHours && nextQuietChange(quietHours, timeZone, now),
    dayLimit(pacing, pairedAt, now).limit === null ? null : nextDayIn(timeZone, now),
  ].filter((at) => at !== null);
  return times.length > 0 ? Math.min(...times) : null;
}
