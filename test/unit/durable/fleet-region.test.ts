import { expect, test } from 'vitest';
import { regionOf } from '../../../src/durable/bridge-fleet/fleet-of.ts';
import { bridgeFleetMigrations } from '../../../src/durable/bridge-fleet/migrations.ts';
import { sqliteStorage } from './campaign/sqlite-storage.ts';

test.each([
  ['fleet/weur', 'weur'],
  ['fleet', null],
])('the fleet %s knows its region also when an alarm wakes it', (name, region) => {
  const storage = sqliteStorage();
  for (const { sql } of bridgeFleetMigrations) storage.sql.exec(sql);
  const woken = (id: { name?: string }) => regionOf({ id, storage } as unknown as DurableObjectState);
  expect(woken({ name })).toBe(region);
  expect(woken({})).toBe(region);
});
