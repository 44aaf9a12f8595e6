import { and, desc, eq, isNull, lt } from 'drizzle-orm';
import { apiKeys } from '../../database/schema.ts';
import { type AuditContext, auditEntry } from './audit-log.ts';
import { batch, type Database } from './database.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** Stores a new key's hash, with its entry in the audit log. */
export async function insertApiKey(db: Database, row: ApiKeyRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.insert(apiKeys).values(row).onConflictDoNothing(),
    auditEntry(db, audit, 'api_key.created', `api_key:${row.id}`, row.name),
  ]);
}

const active = (accountId: string, id?: string) =>
  and(
    eq(apiKeys.accountId, accountId),
    isNull(apiKeys.revokedAt),
    id === undefined ? undefined : eq(apiKeys.id, id),
  );

/** Keys that are not revoked, newest first, one more than the page holds. */
export function listApiKeys(db: Database, accountId: string, limit: number, before: string | undefined) {
  return db
    .select()
    .from(apiKeys)
    .where(and(active(accountId), before === undefined ? undefined : lt(apiKeys.id, before)))
    .orderBy(desc(apiKeys.id))
    .limit(limit + 1);
}

/** Revokes a key, with its entry in the audit log; false when the account has no such key, or no longer. */
export async function revokeApiKey(
  db: Database,
  accountId: string,
  id: string,
  audit: AuditContext,
): Promise<boolean> {
  const row = (await db.select().from(apiKeys).where(active(accountId, id)).limit(1))[0];
  if (row === undefined) return false;
  await batch(db, [
    db.update(apiKeys).set({ revokedAt: Date.now() }).where(active(accountId, id)),
    auditEntry(db, audit, 'api_key.revoked', `api_key:${id}`, row.name),
  ]);
  return true;
}
