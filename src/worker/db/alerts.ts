import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { alerts } from '../../database/schema.ts';
import type { Database, Statement } from './database.ts';

export type AlertRow = typeof alerts.$inferSelect;
export type AlertKey = Pick<AlertRow, 'accountId' | 'id'>;

const isAlert = ({ accountId, id }: AlertKey) => and(eq(alerts.accountId, accountId), eq(alerts.id, id));

/**
 * For the batch of the change that the alert tells of, so that neither is there without the other. `rows` selects
 * account, id, kind, subject, time, detail and null, and ends in a `where`; an alert that was raised before is not raised
 * again. Returns those that were.
 */
export function raiseAlert(db: Database, rows: SQL): Statement {
  return db
    .insert(alerts)
    .select(rows)
    .onConflictDoNothing()
    .returning({ accountId: alerts.accountId, id: alerts.id });
}

export async function findAlert(db: Database, key: AlertKey): Promise<AlertRow | null> {
  return (await db.select().from(alerts).where(isAlert(key)).limit(1))[0] ?? null;
}

/** All channels have it. */
export async function noteAnnounced(db: Database, key: AlertKey, now: number): Promise<void> {
  await db
    .update(alerts)
    .set({ announcedAt: now })
    .where(and(isAlert(key), isNull(alerts.announcedAt)));
}

/** Alerts raised before `before` that the channels do not have yet, oldest first: their queue message was lost. */
export function unannouncedAlerts(db: Database, before: number, rowsMax: number): Promise<AlertKey[]> {
  return db
    .select({ accountId: alerts.accountId, id: alerts.id })
    .from(alerts)
    .where(and(sql`announced_at is null`, lt(alerts.at, before)))
    .orderBy(alerts.at)
    .limit(rowsMax);
}

/** Newest first, one more than the page holds. */
export function listAlerts(db: Database, accountId: string, limit: number, before: string | undefined) {
  return db
    .select()
    .from(alerts)
    .where(and(eq(alerts.accountId, accountId), before === undefined ? undefined : lt(alerts.id, before)))
    .orderBy(desc(alerts.id))
    .limit(limit + 1);
}
