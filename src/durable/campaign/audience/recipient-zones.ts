import { getCountry } from 'countries-and-timezones';
import type { AudienceMember } from '../../../contract/contacts/audience.ts';
import type { CampaignDefinition } from '../definition.ts';
import { opensAt } from '../schedule/open-hours.ts';

/**
 * The time zones in which a recipient's sending window has to be open: the recipient's own zone; if it is not known, all zones of
 * their country; if that is not known either, the campaign's. When the window is never open in all zones of a country at once,
 * the first zone counts.
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
export class RecipientZones {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Call inside a transaction. */
  idOf(zones: readonly string[]): number {
    const json = JSON.stringify(zones);
    const known = this.#sql.exec<{ id: number }>('SELECT id FROM zones WHERE zones = ?', json).toArray()[0];
    if (known !== undefined) return known.id;
    return this.#sql.exec<{ id: number }>('INSERT INTO zones (zones) VALUES (?) RETURNING id', json).one().id;
  }

  of(id: number): string[] {
    const row = this.#sql.exec<{ zones: string }>('SELECT zones FROM zones WHERE id = ?', id).toArray()[0];
    return row === undefined ? [] : JSON.parse(row.zones);
  }
}
