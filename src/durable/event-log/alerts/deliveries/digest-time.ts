import type { Digest } from '../../../../contract/alerts/alert-channels.ts';
import { dayIn, nextMinuteIn } from '../../../local-time/zone-time.ts';

/**
 * When the next digest goes out: at its hour, once on each day of the zone's calendar. If the clocks skip the hour, right after
 * the skip; if they show it twice, only the first time.
 *
 * @param after not before this time
 * @param last when the last one went out; null: there was none
 */
export function nextDigestAt({ hour, timeZone }: Digest, after: number, last: number | null): number {
  const next = nextMinuteIn(timeZone, hour * 60, after);
  const isSameDay = last !== null && dayIn(timeZone, next) === dayIn(timeZone, last);
  return isSameDay ? nextMinuteIn(timeZone, hour * 60, next) : next;
}
