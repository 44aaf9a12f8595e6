import { and, desc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { deliveries, deliveryPacks, webhooks } from '../../database/schema.ts';
import { type AuditContext, auditEntry } from './audit-log.ts';
import { batch, type Database, type Statement, slices } from './database.ts';
import { holdPending } from './delivery-sweeps.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookChanges = Partial<
  Pick<WebhookRow, 'url' | 'description' | 'numberIds' | 'events' | 'enabled'>
>;

/** How exact `lastDeliveryAt` is: a row is written no more often than this. */
const lastDeliveryMs = 60_000;

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

/**
 * The webhooks of these accounts that events are stored for: those that are on, and those that a circuit breaker has
 * switched off, whose events are held. What a person has switched off gets nothing.
 */
export function listeningWebhooks(db: Database, accountIds: readonly string[]): Statement[] {
  return [...slices(accountIds, 3)].map((slice) =>
    db
      .select()
      .from(webhooks)
      .where(
        and(
          inArray(webhooks.accountId, slice),
          or(eq(webhooks.enabled, true), eq(webhooks.disabledReason, 'circuit_open')),
        ),
      ),
  );
}

/** For the batch that holds deliveries: a webhook that was switched on meanwhile lets them out again. */
export function releaseAgain(db: Database, webhookId: string): Statement {
  return db
    .update(webhooks)
    .set({ releasing: true })
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.enabled, true), eq(webhooks.releasing, false)));
}

/** Of the deliveries on their way to a webhook that is switched off, so many are held at once. */
export const heldAtOnceMax = 2000;

/**
 * Changes a webhook; returns it as it is then, or null when it is gone. Switching it on is a fresh start: no streak, and
 * what was held is released (see `releaseHeld`). Switching it off holds what is on its way.
 */
export async function updateWebhook(
  db: Database,
  row: WebhookRow,
  changes: WebhookChanges,
  audit: AuditContext,
): Promise<WebhookRow | null> {
  if (Object.keys(changes).length === 0) return row;
  // Decided by the row as it is at that moment: the circuit breaker may have been quicker.
  const unlessOn = (fresh: 0 | 1, column: string) =>
    sql`case when enabled = 1 then ${sql.raw(column)} else ${sql.raw(String(fresh))} end`;
  const switched =
    changes.enabled === undefined
      ? {}
      : changes.enabled
        ? {
            disabledReason: null,
            failureStreak: unlessOn(0, 'failure_streak'),
            releasing: unlessOn(1, 'releasing'),
          }
        : { disabledReason: null, releasing: false };
  const [updated] = await batch(db, [
    db
      .update(webhooks)
      .set({ ...changes, ...switched })
      .where(ownWebhook(row.accountId, row.id))
      .returning(),
    ...(changes.enabled === false ? [holdPending(db, row.id, heldAtOnceMax)] : []),
    auditEntry(db, audit, 'webhook.updated', `webhook:${row.id}`, changes.description ?? row.description),
  ]);
  return (updated as WebhookRow[])[0] ?? null;
}

/**
 * Puts a new secret in the place of the one that `row` holds, which signs too until `previousUntil`. Null when another
 * rotation was quicker.
 */
export async function rotateSecret(
  db: Database,
  row: WebhookRow,
  sealedSecret: string,
  previousUntil: number,
  audit: AuditContext,
): Promise<WebhookRow | null> {
  const [rotated] = await batch(db, [
    db
      .update(webhooks)
      .set({ sealedSecret, previousSealedSecret: row.sealedSecret, previousSecretUntil: previousUntil })
      // A repeated batch finds its own secret, and answers as it did the first time.
      .where(
        and(
          ownWebhook(row.accountId, row.id),
          inArray(webhooks.sealedSecret, [row.sealedSecret, sealedSecret]),
        ),
      )
      .returning(),
    auditEntry(db, audit, 'webhook.secret_rotated', `webhook:${row.id}`, row.description),
  ]);
  return (rotated as WebhookRow[])[0] ?? null;
}

/** Its receiver lets us wait: until `until` its deliveries take the slow lane. Written now and then only. */
export function noteSlow(db: Database, webhookId: string, now: number, until: number): Statement {
  const halfway = now + (until - now) / 2;
  return db
    .update(webhooks)
    .set({ slowUntil: until })
    .where(and(eq(webhooks.id, webhookId), or(isNull(webhooks.slowUntil), lt(webhooks.slowUntil, halfway))));
}

/** Deletes a webhook, what is on its way to it, and its log. */
export async function deleteWebhook(db: Database, row: WebhookRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(webhooks).where(ownWebhook(row.accountId, row.id)),
    db.delete(deliveries).where(eq(deliveries.webhookId, row.id)),
    db.delete(deliveryPacks).where(eq(deliveryPacks.webhookId, row.id)),
    auditEntry(db, audit, 'webhook.deleted', `webhook:${row.id}`, row.description),
  ]);
}

/** Whether {@link noteDelivered} would change the webhook as it was a moment ago. */
export const isDeliveryNews = (webhook: WebhookRow, now: number): boolean =>
  webhook.failureStreak !== 0 ||
  webhook.lastDeliveryAt === null ||
  webhook.lastDeliveryAt < now - lastDeliveryMs;

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
