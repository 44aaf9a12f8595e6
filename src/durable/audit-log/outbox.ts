import { asc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { auditOutbox } from '../../database/schema.ts';
import type { BareEntry } from './chain.ts';

/** Entries of an account that wait in D1 for their place in the chain, the oldest first. */
export async function readOutbox(d1: D1Database, accountId: string, limit: number): Promise<BareEntry[]> {
  const rows = await drizzle(d1)
    .select()
    .from(auditOutbox)
    .where(eq(auditOutbox.accountId, accountId))
    .orderBy(asc(auditOutbox.id))
    .limit(limit);
  return rows.map(({ accountId: _own, ...entry }) => entry);
}

/** The chain has them. */
export async function forgetInOutbox(
  d1: D1Database,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await drizzle(d1)
    .delete(auditOutbox)
    .where(sql`account_id = ${accountId} and id in (select value from json_each(${JSON.stringify(ids)}))`);
}
