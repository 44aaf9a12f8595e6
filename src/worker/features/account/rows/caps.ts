import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type CapName, type Plan, type Plans, planOf } from '../../../../settings/plans.ts';
import type { Database } from '../../../db/database.ts';

/** How many an account has of each thing that plans cap; invitations count as the members that they may become. */
const counts = (accountId: string, now: number): Record<Exclude<CapName, 'pairings'>, SQL> => ({
  numbers: sql`(select count(*) from numbers where account_id = ${accountId})`,
  webhooks: sql`(select count(*) from webhooks where account_id = ${accountId})`,
  keys: sql`(select count(*) from api_keys where account_id = ${accountId} and revoked_at is null
    and (expires_at is null or expires_at > ${now}))`,
  members: sql`(select count(*) from memberships where account_id = ${accountId})
    + (select count(*) from invitations where account_id = ${accountId} and expires_at > ${now})`,
});

type Counted = keyof ReturnType<typeof counts>;

/** What a plan allows of something, and what of it is used. */
interface Room {
  planName: string;
  /** Null: as many as they like. */
  most: number | null;
  used: number;
}

/** Null: there is no such account. */
export async function findPlan(
  db: Database,
  plans: Plans,
  accountId: string,
): Promise<(Plan & { name: string }) | null> {
  const row = await db.get<{ plan: string } | undefined>(
    sql`select plan from accounts where id = ${accountId}`,
  );
  return row ? { name: row.plan, ...planOf(plans, row.plan) } : null;
}

/** How much room an account has; null when there is no such account. */
export async function findRoom(
  db: Database,
  plans: Plans,
  accountId: string,
  cap: Counted,
): Promise<Room | null> {
  const used = counts(accountId, Date.now())[cap];
  const row = await db.get<{ plan: string; used: number } | undefined>(
    sql`select plan, ${used} as used from accounts where id = ${accountId}`,
  );
  return row ? { planName: row.plan, most: planOf(plans, row.plan).caps[cap], used: row.used } : null;
}

/** An account with its plan, and how many it has of each thing; null when there is no such account. */
export async function findAccount(
  db: Database,
  accountId: string,
): Promise<{ name: string; plan: string; createdAt: number; used: Record<Counted, number> } | null> {
  const of = counts(accountId, Date.now());
  const row = await db.get<
    ({ name: string; plan: string; createdAt: number } & Record<Counted, number>) | undefined
  >(
    sql`select name, plan, created_at as createdAt, ${of.numbers} as numbers, ${of.webhooks} as webhooks,
      ${of.keys} as keys, ${of.members} as members from accounts where id = ${accountId}`,
  );
  if (!row) return null;
  const { name, plan, createdAt, ...used } = row;
  return { name, plan, createdAt, used };
}

/** While the account has fewer than `most` of them, however many insert at once; null: as many as they like. */
export const hasRoom = (accountId: string, cap: Counted, most: number | null): SQL =>
  most === null ? sql`true` : sql`${counts(accountId, Date.now())[cap]} < ${most}`;

/**
 * Inserts the row only where the condition holds at that moment; one that is there stays as it is. Whether it got in, the caller
 * looks.
 */
export function insertWhere<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  row: Table['$inferSelect'],
  condition: SQL,
) {
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param((row as Record<string, unknown>)[name] ?? null, column),
  );
  return db
    .insert(table)
    .select(sql`select ${sql.join(values, sql`, `)} where ${condition}`)
    .onConflictDoNothing();
}
