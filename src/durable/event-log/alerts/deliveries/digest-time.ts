import type { Digest } from '../../../../contract/alerts/alert-channels.ts';
import { dayIn, nextMinuteIn } from '../../../local-time/zone-time.ts';

/**
 * When the next digest goes out: at its hour, or where the clocks skip that, when they have skipped it; one a day of the
 * zone's calendar, also where the clocks show the hour twice.
 *
 * @param after not before this time
 * @param last when the last one went out; null: there was none
 */
export function nextDigestAt({ hour, timeZone }: Digest, after: number, last: number | null): number {
  const next = nextMinuteIn(timeZone, hour * 60, after);
  const isSameDay = last !== null && dayIn(timeZone, next) === dayIn(timeZone, last);
  return isSameDay ? nextMinuteIn(timeZone, hour * 60, next) : next;
}
