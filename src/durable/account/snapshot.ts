import { and, eq, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, apiKeys, numbers } from '../../database/schema.ts';

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
  plan: 'free';
  keys: KeySnapshot[];
  senders: { numberId: string; inPool: boolean }[];
}

/** Reads the configuration from D1, as of now; null for an account that does not exist. */
export async function loadSnapshot(d1: D1Database, accountId: string): Promise<AccountSnapshot | null> {
  const db = drizzle(d1);
  const [account, keys, senders] = await db.batch([
    db.select({ plan: accounts.plan }).from(accounts).where(eq(accounts.id, accountId)),
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
      .select({ numberId: numbers.id, inPool: numbers.inPool })
      .from(numbers)
      .where(eq(numbers.accountId, accountId)),
  ]);
  return account[0] ? { plan: account[0].plan, keys, senders } : null;
}
