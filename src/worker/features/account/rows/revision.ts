import { and, eq, lt, sql } from 'drizzle-orm';
import { accounts } from '../../../../database/schema.ts';
import type { Database, Statement } from '../../../db/database.ts';

/**
 * For every batch that changes something of which the account's objects have a snapshot. Put it last: an entry of the audit
 * log checks the statement before it. The time keeps the revision above what the objects know, even if D1 was restored to an
 * earlier state.
 */
export function raiseRevision(db: Database, accountId: string): Statement {
  return db
    .update(accounts)
    .set({ revision: sql`max(revision + 1, ${Date.now()})` })
    .where(eq(accounts.id, accountId));
}

/** Null: there is no such account. */
export async function findRevision(db: Database, accountId: string): Promise<number | null> {
  const rows = await db
    .select({ revision: accounts.revision })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .limit(1);
  return rows[0]?.revision ?? null;
}

/** The account's objects have read this revision, or a later one. */
export async function noteRefreshed(db: Database, accountId: string, revision: number): Promise<void> {
  await db
    .update(accounts)
    .set({ refreshedRevision: revision })
    .where(and(eq(accounts.id, accountId), lt(accounts.refreshedRevision, revision)));
}

/** Accounts whose objects may not have read their last change: any of them, so that none is in the way of the others. */
export async function accountsToRefresh(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`revision > refreshed_revision`)
    .orderBy(sql`random()`)
    .limit(limit);
  return rows.map(({ id }) => id);
}
