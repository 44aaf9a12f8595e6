import type { fleetRegionNames } from '../../contract/bridge/bridge-token.ts';
import { settingsOf } from '../../settings/worker-settings.ts';

/** One of the platform's places; null: the fleet of whoever has none of their own. */
export type FleetRegion = (typeof fleetRegionNames)[number] | null;

/** The fleet of a region, made there. */
export function fleetOf(env: Pick<Env, 'BRIDGE_FLEET'>, region: FleetRegion) {
  return region === null
    ? env.BRIDGE_FLEET.getByName('fleet')
    : env.BRIDGE_FLEET.getByName(`fleet/${region}`, { locationHint: region });
}

/** The regions that have a fleet, behind the one of all others. */
export function fleetRegions(env: object): FleetRegion[] {
  return [null, ...settingsOf(env).FLEET_REGIONS];
}

/** The region of a number that is made near this place. It stays with the number for good. */
export function regionNear(env: object, near: DurableObjectLocationHint | null): FleetRegion {
  return fleetRegions(env).find((region) => region === near) ?? null;
}

export const fleetNameTableSql = `
  -- The platform may not know an object's name when an alarm wakes it, so it is kept.
  CREATE TABLE fleet_name (name TEXT NOT NULL);
`;

/** The region of this fleet; null where it is that of all other numbers. */
export function regionOf({ id, storage }: DurableObjectState): string | null {
  const [known] = storage.sql.exec<{ name: string }>('SELECT name FROM fleet_name').toArray();
  if (known === undefined && id.name !== undefined)
    storage.sql.exec('INSERT INTO fleet_name (name) VALUES (?)', id.name);
  const name = known?.name ?? id.name;
  return name?.startsWith('fleet/') ? name.slice('fleet/'.length) : null;
}
