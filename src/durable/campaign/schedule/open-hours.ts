import type { CampaignWindow } from '../../../contract/campaigns/campaign.ts';
import { weekdays } from '../../../contract/times.ts';
import { dayIn, isQuiet, nextQuietChange } from '../../local-time/zone-time.ts';

/** The days and hours of a campaign, without the zone by whose clocks they go. */
export type OpenHours = Pick<CampaignWindow, 'days' | 'from' | 'to'>;

/** 1970 began on a Thursday. */
const thursday = 3;
/** Looked ahead so many changes of the clocks' verdict: more than a week has. */
const changesMax = 64;

/** Whether the zone's clocks show a time within the hours. One that goes over midnight belongs to the day it began on. */
function isOpenIn({ days, from, to }: OpenHours, timeZone: string, at: number): boolean {
  if (!isQuiet({ start: from, end: to }, timeZone, at)) return false;
  const goesOverMidnight = from > to;
  const beganToday = !goesOverMidnight || isQuiet({ start: from, end: '00:00' }, timeZone, at);
  const day = dayIn(timeZone, at) - (beganToday ? 0 : 1);
  const weekday = weekdays[(((day + thursday) % 7) + 7) % 7];
  return weekday !== undefined && days.includes(weekday);
}

/** Whether it is open by the clocks of all these zones. */
export const isOpen = (hours: OpenHours, zones: readonly string[], at: number): boolean =>
  zones.every((zone) => isOpenIn(hours, zone, at));

/** When it is open by all of them next, `at` itself included; null: within the next week it never is. */
export function opensAt(hours: OpenHours, zones: readonly string[], at: number): number | null {
  let next = at;
  for (let changes = 0; changes < changesMax * zones.length; changes += 1) {
    if (isOpen(hours, zones, next)) return next;
    const turns = zones.flatMap(
      (zone) => nextQuietChange({ start: hours.from, end: hours.to }, zone, next) ?? [],
    );
    if (turns.length === 0) return null;
    next = Math.min(...turns);
    if (next > at + 8 * 86_400_000) return null;
  }
  return null;
}
