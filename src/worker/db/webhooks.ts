import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import { webhooks } from '../../database/schema.ts';
import { type AuditContext, auditEntry } from './audit-log.ts';
import { batch, type Database } from './database.ts';
import { raiseRevision } from './revision.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookChanges = Partial<
  Pick<WebhookRow, 'url' | 'description' | 'numberIds' | 'events' | 'enabled'>
>;

const ownWebhook = (accountId: string, id: string) =>
  and(eq(webhooks.accountId, accountId), eq(webhooks.id, id));

export async function insertWebhook(db: Database, row: WebhookRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.insert(webhooks).values(row).onConflictDoNothing(),
    auditEntry(db, audit, 'webhook.created', `webhook:${row.id}`, row.description),
    raiseRevision(db, row.accountId),
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

/** Changes a webhook; returns it as it is then, or null when it is gone. */
export async function updateWebhook(
  db: Database,
  row: WebhookRow,
  changes: WebhookChanges,
  audit: AuditContext,
): Promise<WebhookRow | null> {
  if (Object.keys(changes).length === 0) return row;
  const [updated] = await batch(db, [
    db.update(webhooks).set(changes).where(ownWebhook(row.accountId, row.id)).returning(),
    auditEntry(db, audit, 'webhook.updated', `webhook:${row.id}`, changes.description ?? row.description),
    raiseRevision(db, row.accountId),
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
    raiseRevision(db, row.accountId),
  ]);
  return (rotated as WebhookRow[])[0] ?? null;
}

export async function deleteWebhook(db: Database, row: WebhookRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(webhooks).where(ownWebhook(row.accountId, row.id)),
    auditEntry(db, audit, 'webhook.deleted', `webhook:${row.id}`, row.description),
    raiseRevision(db, row.accountId),
  ]);
}
