import { and, count, isNull, lt } from 'drizzle-orm';
import { apiKeys } from '../../../../database/schema.ts';
import { accountRows } from '../../../db/account-rows.ts';
import { batch, type Database } from '../../../db/database.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';
import { insertWhileFewer } from '../rows/caps.ts';
import { raiseRevision } from '../rows/revision.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** Stores a new key's hash, with its entry in the audit log; false when the account has `most` of them. */
export async function insertApiKey(
  db: Database,
  row: ApiKeyRow,
  audit: AuditContext,
  most: number | null,
): Promise<boolean> {
  await batch(db, [
    insertWhileFewer(db, apiKeys, row, 'keys', most),
    auditEntry(db, audit, 'api_key.created', `api_key:${row.id}`, row.name, true),
    raiseRevision(db, row.accountId),
  ]);
  return (await findApiKey(db, row.accountId, row.id)) !== null;
}

const { own, list } = accountRows(apiKeys);
const isActive = isNull(apiKeys.revokedAt);
const active = (accountId: string, id: string) => and(own(accountId, id), isActive);

/** Keys that are not revoked, newest first, one more than the page holds. */
export const listApiKeys = (db: Database, accountId: string, limit: number, before: string | undefined) =>
  list(db, accountId, limit, before, isActive);

/** Keys of all accounts that are not revoked and were made before then (milliseconds since 1970). */
export async function countKeysMadeBefore(db: Database, at: number): Promise<number> {
  const made = db
    .select({ n: count() })
    .from(apiKeys)
    .where(and(isActive, lt(apiKeys.createdAt, at)));
  return (await made)[0]?.n ?? 0;
}

/** Revokes a key, with its entry in the audit log; false when the account has no such key, or no longer. */
export async function revokeApiKey(
  db: Database,
  accountId: string,
  id: string,
  audit: AuditContext,
): Promise<boolean> {
  const row = await findApiKey(db, accountId, id);
  if (row === null) return false;
  await batch(db, [
    db.update(apiKeys).set({ revokedAt: Date.now() }).where(active(accountId, id)),
    auditEntry(db, audit, 'api_key.revoked', `api_key:${id}`, row.name, true),
    raiseRevision(db, accountId),
  ]);
  return true;
}

export type ApiKeyChanges = Partial<
  Pick<ApiKeyRow, 'name' | 'pinnedNumberId' | 'onPinFailure' | 'scopes' | 'allowedAddresses'>
>;

/** One that is not revoked; null when the account has no such one. */
export async function findApiKey(db: Database, accountId: string, id: string): Promise<ApiKeyRow | null> {
  return (await db.select().from(apiKeys).where(active(accountId, id)).limit(1))[0] ?? null;
}

/** Changes a key, with its entry in the audit log; the key as it is now, or null when the account has no such one. */
export async function updateApiKey(
  db: Database,
  accountId: string,
  id: string,
  changes: ApiKeyChanges,
  audit: AuditContext,
): Promise<ApiKeyRow | null> {
  const row = await findApiKey(db, accountId, id);
  if (row === null || Object.keys(changes).length === 0) return row;
  await batch(db, [
    db.update(apiKeys).set(changes).where(active(accountId, id)),
    auditEntry(db, audit, 'api_key.updated', `api_key:${id}`, changes.name ?? row.name, true),
    raiseRevision(db, accountId),
  ]);
  return findApiKey(db, accountId, id);
}
