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
