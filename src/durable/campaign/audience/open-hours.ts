import { getCountry } from 'countries-and-timezones';
import type { CampaignWindow } from '../../../contract/campaigns/campaign.ts';
import type { AudienceMember } from '../../../contract/contacts/audience.ts';
import { weekdays } from '../../../contract/times.ts';
import { dayIn, isQuiet, nextQuietChange } from '../../local-time/zone-time.ts';
import { Tables } from '../../storage/rows.ts';
import type { CampaignDefinition } from '../definition.ts';

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

/**
 * The time zones in which a recipient's sending window must be open: the recipient's own zone; if it is not known, all zones
 * of their country; if that is not known either, the campaign's. If the window is never open in all zones of a country at
 * once, only the first zone counts.
 */
export function zonesOf(
  { timeZone, country }: Pick<AudienceMember, 'timeZone' | 'country'>,
  { window, timeZone: otherwise }: Pick<CampaignDefinition, 'window' | 'timeZone'>,
  now: number,
): string[] {
  if (window === null) return [];
  if (window.timeZone !== 'recipient') return [window.timeZone];
  if (timeZone !== null) return [timeZone];
  const zones = country === null ? [] : countryZones(country, now);
  if (zones.length === 0) return [otherwise];
  return opensAt(window, zones, now) === null ? zones.slice(0, 1) : zones;
}

const offsetOf = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

const knownZones = new Map<string, string[]>();

/** Of zones whose clocks show the same now and in half a year, the first. */
function countryZones(country: string, now: number): string[] {
  const found = knownZones.get(country);
  if (found !== undefined) return found;
  const byOffsets = new Map<string, string>();
  for (const zone of getCountry(country)?.timezones ?? []) {
    const offsets = `${offsetOf(zone, now)} ${offsetOf(zone, now + 182 * 86_400_000)}`;
    if (!byOffsets.has(offsets)) byOffsets.set(offsets, zone);
  }
  const zones = [...byOffsets.values()];
  knownZones.set(country, zones);
  return zones;
}

/** The zones of a campaign's recipients, each list under a number. */
export class RecipientZones extends Tables {
  /** Call inside a transaction. */
  idOf(zones: readonly string[]): number {
    const json = JSON.stringify(zones);
    const known = this.queryValue<number>('SELECT id FROM zones WHERE zones = ?', json);
    if (known !== null) return known;
    return this.queryOne<{ id: number }>('INSERT INTO zones (zones) VALUES (?) RETURNING id', json).id;
  }

  of(id: number): string[] {
    return this.queryJson<string[]>('SELECT zones FROM zones WHERE id = ?', id) ?? [];
  }
}
