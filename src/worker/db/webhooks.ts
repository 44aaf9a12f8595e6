import { and, desc, eq, exists, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { deliveries, webhooks } from '../../database/schema.ts';
import { type AuditContext, auditEntry } from './audit-log.ts';
import { batch, type Database, type Statement, slices } from './database.ts';
import { attemptPending, type DeliveryKey } from './deliveries.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookChanges = Partial<
  Pick<
    WebhookRow,
    'url' | 'description' | 'numberIds' | 'events' | 'enabled' | 'disabledReason' | 'failureStreak'
  >
>;

/** How exact `lastDeliveryAt` is: a row is written no more often than this. */
export const lastDeliveryMs = 60_000;

const ownWebhook = (accountId: string, id: string) =>
  and(eq(webhooks.accountId, accountId), eq(webhooks.id, id));

export async function insertWebhook(db: Database, row: WebhookRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.insert(webhooks).values(row).onConflictDoNothing(),
    auditEntry(db, audit, 'webhook.created', `webhook:${row.id}`, row.description),
  ]);
}

export async function findWebhook(db: Database, accountId: string, id: string): Promise<WebhookRow | null> {
  return (await db.select().from(webhooks).where(ownWebhook(accountId, id)).limit(1))[0] ?? null;
}

/** Newest first, one more than the page holds. */
export function listWebhooks(db: Database, accountId: string, limit: number, before: string | undefined) {
  return db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.accountId, accountId), before === undefined ? undefined : lt(webhooks.id, before)))
    .orderBy(desc(webhooks.id))
    .limit(limit + 1);
}

/** The webhooks of these accounts that are switched on. */
export async function enabledWebhooks(db: Database, accountIds: readonly string[]): Promise<WebhookRow[]> {
  const found: WebhookRow[] = [];
  for (const slice of slices(accountIds, 2)) {
    found.push(
      ...(await db
        .select()
        .from(webhooks)
        .where(and(inArray(webhooks.accountId, slice), eq(webhooks.enabled, true)))),
    );
  }
  return found;
}

/** Changes a webhook. One that is switched on again gets what was parked while it was off: due since `parkedDueAt`. */
export async function updateWebhook(
  db: Database,
  row: WebhookRow,
  changes: WebhookChanges,
  parkedDueAt: number,
  audit: AuditContext,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const unpark = db
    .update(deliveries)
    .set({ nextAttemptAt: parkedDueAt })
    .where(
      and(
        eq(deliveries.webhookId, row.id),
        eq(deliveries.status, 'pending'),
        isNull(deliveries.nextAttemptAt),
      ),
    );
  await batch(db, [
    db.update(webhooks).set(changes).where(ownWebhook(row.accountId, row.id)),
    ...(changes.enabled === true && !row.enabled ? [unpark] : []),
    auditEntry(db, audit, 'webhook.updated', `webhook:${row.id}`, changes.description ?? row.description),
  ]);
}

/** Deletes a webhook and everything that was on its way to it. */
export async function deleteWebhook(db: Database, row: WebhookRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(webhooks).where(ownWebhook(row.accountId, row.id)),
    db.delete(deliveries).where(eq(deliveries.webhookId, row.id)),
    auditEntry(db, audit, 'webhook.deleted', `webhook:${row.id}`, row.description),
  ]);
}

/** The streak is over. Writes no row when there was none and `lastDeliveryAt` is fresh enough. */
export function noteDelivered(db: Database, webhookId: string, now: number): Statement {
  return db
    .update(webhooks)
    .set({ failureStreak: 0, lastDeliveryAt: now })
    .where(
      and(
        eq(webhooks.id, webhookId),
        or(
          ne(webhooks.failureStreak, 0),
          isNull(webhooks.lastDeliveryAt),
          lt(webhooks.lastDeliveryAt, now - lastDeliveryMs),
        ),
      ),
    );
}

/**
 * One failed attempt more in a row. Goes before {@link recordAttempt} in its batch: counted only while the row does not
 * hold that attempt yet, so a repeated batch counts it once.
 */
export function noteFailedAttempt(db: Database, delivery: DeliveryKey, attemptsBefore: number): Statement {
  return db
    .update(webhooks)
    .set({ failureStreak: sql`${webhooks.failureStreak} + 1` })
    .where(
      and(
        eq(webhooks.id, delivery.webhookId),
        exists(db.select({ one: sql`1` }).from(deliveries).where(attemptPending(delivery, attemptsBefore))),
      ),
    );
}
