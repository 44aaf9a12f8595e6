import { and, eq, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type AccountSettings, defaultAccountSettings } from '../../contract/account-settings.ts';
import { type Filters, openFilters } from '../../contract/sender-settings.ts';
import { accounts, apiKeys, numbers } from '../../database/schema.ts';
import { compileFilters, type FilterCheck } from './recipient-filters.ts';

/** An API key as admission needs it. */
export interface KeySnapshot {
  id: string;
  /** Lower-case hex SHA-256 of the key. */
  hash: string;
  pinnedNumberId: string | null;
  onPinFailure: 'strict' | 'fallback';
  /** Milliseconds since 1970; null or missing (stored before there was one): never. */
  expiresAt?: number | null;
}

/** The part of an account's configuration that a send depends on. */
export interface AccountSnapshot {
  plan: string;
  settings: AccountSettings;
  keys: KeySnapshot[];
  senders: { numberId: string; inPool: boolean; filters: Filters }[];
}

/** A snapshot with its keys and filters ready to be asked at every send. */
export interface Configuration extends AccountSnapshot {
  keysByHash: ReadonlyMap<string, KeySnapshot>;
  accountFilter: FilterCheck;
  /** By number. */
  senderFilters: ReadonlyMap<string, FilterCheck>;
}

export function configurationOf(snapshot: AccountSnapshot): Configuration {
  return {
    ...snapshot,
    // One that was stored before there was some setting lacks it.
    settings: { ...defaultAccountSettings, ...snapshot.settings },
    keysByHash: new Map(snapshot.keys.map((key) => [key.hash, key] as const)),
    accountFilter: compileFilters(snapshot.settings.filters),
    senderFilters: new Map(
      snapshot.senders.map(({ numberId, filters }) => [numberId, compileFilters(filters)] as const),
    ),
  };
}

/** Of an account that does not exist. */
export const noAccount: Configuration = configurationOf({
  plan: 'free',
  settings: defaultAccountSettings,
  keys: [],
  senders: [],
});

/** Reads the configuration from D1, as of now; null for an account that does not exist. */
export async function loadSnapshot(d1: D1Database, accountId: string): Promise<AccountSnapshot | null> {
  const db = drizzle(d1);
  const [account, keys, senders] = await db.batch([
    db
      .select({ plan: accounts.plan, settings: accounts.settings })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
    db
      .select({
        id: apiKeys.id,
        hash: apiKeys.keyHash,
        pinnedNumberId: apiKeys.pinnedNumberId,
        onPinFailure: apiKeys.onPinFailure,
        expiresAt: apiKeys.expiresAt,
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt))),
    db
      .select({ numberId: numbers.id, inPool: numbers.inPool, filters: numbers.filters })
      .from(numbers)
      .where(eq(numbers.accountId, accountId)),
  ]);
  if (!account[0]) return null;
  return {
    plan: account[0].plan,
    settings: { ...defaultAccountSettings, ...account[0].settings },
    keys,
    senders: senders.map((sender) => ({ ...sender, filters: { ...openFilters, ...sender.filters } })),
  };
}

/** A row of an object holds 2 MB: a larger snapshot is read from D1 in each life of the object. */
const storedCharactersMax = 1_500_000;

/** The snapshot as it was last stored; null when there is none. */
export function storedSnapshot(sql: SqlStorage): AccountSnapshot | null {
  const row = sql.exec<{ json: string }>('SELECT json FROM snapshot').toArray()[0];
  return row ? JSON.parse(row.json) : null;
}

export function storeSnapshot(sql: SqlStorage, snapshot: AccountSnapshot): void {
  const json = JSON.stringify(snapshot);
  if (json.length > storedCharactersMax) sql.exec('DELETE FROM snapshot');
  else sql.exec('INSERT OR REPLACE INTO snapshot (id, json) VALUES (1, ?)', json);
}
