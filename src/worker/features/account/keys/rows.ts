import { and, count, isNull, lt } from 'drizzle-orm';
import { apiKeys } from '../../../../database/schema.ts';
import type { Database } from '../../../db/database.ts';
import type { AuditContext } from '../../audit-log/rows.ts';
import { hasRoom } from '../rows/caps.ts';
import { configuredRows } from '../rows/configured-rows.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;

const { list, find, insert, update } = configuredRows(apiKeys, 'api_key', ({ name }) => name);
const isActive = isNull(apiKeys.revokedAt);

/** Stores a new key's hash; false when the account has `most` of them. */
export const insertApiKey = (row: ApiKeyRow, audit: AuditContext, most: number | null) =>
  insert(row, audit, hasRoom(row.accountId, 'keys', most));

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

/** One that is not revoked; null when the account has no such one. */
export async function findApiKey(db: Database, accountId: string, id: string): Promise<ApiKeyRow | null> {
  const row = await find(db, accountId, id);
  return row?.revokedAt === null ? row : null;
}

/** The key as it is then; null when it is revoked. */
export const updateApiKey = (
  row: ApiKeyRow,
  changes: Partial<ApiKeyRow>,
  audit: AuditContext,
  what?: 'revoked',
) => update(row, changes, audit, isActive, what);
