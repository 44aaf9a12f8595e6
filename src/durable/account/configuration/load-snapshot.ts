import { and, eq, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { withDefaultSettings } from '../../../contract/account-settings.ts';
import { openFilters } from '../../../contract/sender-settings.ts';
import { accounts, apiKeys, numbers } from '../../../database/schema.ts';
import type { AccountSnapshot } from './snapshot.ts';

/** Reads the configuration from D1, as of now; null for an account that does not exist. */
export async function loadSnapshot(d1: D1Database, accountId: string): Promise<AccountSnapshot | null> {
  const db = drizzle(d1);
  const [account, keys, senders] = await db.batch([
    db
      .select({ revision: accounts.revision, plan: accounts.plan, settings: accounts.settings })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
    db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        hash: apiKeys.keyHash,
        pinnedNumberId: apiKeys.pinnedNumberId,
        onPinFailure: apiKeys.onPinFailure,
        expiresAt: apiKeys.expiresAt,
        scopes: apiKeys.scopes,
        allowedAddresses: apiKeys.allowedAddresses,
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt))),
    db
      .select({ numberId: numbers.id, inPool: numbers.inPool, filters: numbers.filters })
      .from(numbers)
      .where(eq(numbers.accountId, accountId))
      .orderBy(numbers.id),
  ]);
  if (!account[0]) return null;
  const { revision, plan, settings } = account[0];
  return {
    revision,
    plan,
    settings: withDefaultSettings(settings),
    keys,
    senders: senders.map((sender) => ({ ...sender, filters: { ...openFilters, ...sender.filters } })),
  };
}
