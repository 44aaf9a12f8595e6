import { countsTableSql } from '../counts/summed-counts.ts';
import type { ObjectMigration } from '../storage/object-migrations.ts';
import { bridgeCredentialTablesSql, bridgeGenerationSql } from './credential-rows.ts';
import { fleetNameTableSql } from './fleet-of.ts';
import { bridgeLossTablesSql } from './lost-bridges.ts';
import { revokedLinkTablesSql } from './revoked-links.ts';

/** Append only. */
export const bridgeFleetMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      CREATE TABLE bridges (
        bridge_id TEXT PRIMARY KEY,
        capacity INTEGER NOT NULL,
        draining INTEGER NOT NULL,
        -- How many leases it holds, so that no placement has to count them.
        leases INTEGER NOT NULL
      );

      -- Which bridge drives which number. bridge_id is null while none can; epoch rises with every new holder, and is
      -- kept when a number is released, so that it never falls.
      CREATE TABLE leases (
        number_id TEXT PRIMARY KEY,
        bridge_id TEXT,
        epoch INTEGER NOT NULL,
        wanted INTEGER NOT NULL,
        -- Whose number it is: room is shared out by account. Null: nobody has said.
        account_id TEXT
      );
      CREATE INDEX leases_held ON leases (bridge_id);
      CREATE INDEX leases_of_account ON leases (account_id) WHERE bridge_id IS NOT NULL;
      CREATE INDEX leases_waiting ON leases (number_id) WHERE wanted = 1 AND bridge_id IS NULL;
    `,
  },
  {
    id: '2-holders',
    sql: `
      -- Which bridge was given a number under which epoch, the last ones: it may still report what it knows.
      CREATE TABLE lease_holders (
        number_id TEXT NOT NULL,
        epoch INTEGER NOT NULL,
        bridge_id TEXT NOT NULL,
        PRIMARY KEY (number_id, epoch)
      ) WITHOUT ROWID;
    `,
  },
  {
    id: '3-expiry',
    sql: `
      ALTER TABLE bridges ADD COLUMN linked_at INTEGER;
      -- When the leases of a bridge that is gone run out; null while it is linked.
      ALTER TABLE bridges ADD COLUMN leases_until INTEGER;
      -- They have: others may have its numbers.
      ALTER TABLE bridges ADD COLUMN is_expired INTEGER NOT NULL DEFAULT 0;
      -- The operator wants it empty.
      ALTER TABLE bridges ADD COLUMN is_drained INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE bridges ADD COLUMN resident_bytes INTEGER;
    `,
  },
  { id: '4-losses', sql: bridgeLossTablesSql },
  { id: '5-version', sql: 'ALTER TABLE bridges ADD COLUMN version INTEGER;' },
  { id: '6-credentials', sql: bridgeCredentialTablesSql },
  // Who had a number before all of this was lost may think for so long that they have it still.
  { id: '7-recovery', sql: 'ALTER TABLE leases ADD COLUMN free_at INTEGER;' },
  { id: '8-release', sql: 'ALTER TABLE bridges ADD COLUMN release TEXT;' },
  { id: '9-revoked-links', sql: revokedLinkTablesSql },
  {
    id: '10-waiting',
    sql: `
      ${fleetNameTableSql}
      -- Since when the number has no bridge; null while it has one.
      ALTER TABLE leases ADD COLUMN waits_since INTEGER;
      UPDATE leases SET waits_since = unixepoch() * 1000 WHERE wanted = 1 AND bridge_id IS NULL;
    `,
  },
  { id: '11-generations', sql: bridgeGenerationSql },
  {
    id: '12-counts',
    sql: `
      ${countsTableSql}
      -- What the process of the bridge has counted since it began: JSON.
      ALTER TABLE bridges ADD COLUMN counts TEXT;
    `,
  },
  {
    id: '13-filling-logs',
    sql: `
      -- Accounts whose log is larger than it is meant to be, as it said last. Only in the fleet of those without a region.
      CREATE TABLE filling_logs (account_id TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
    `,
  },
];
