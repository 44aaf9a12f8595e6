import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { webhooks } from '../../../database/schema.ts';
import { accountRows } from '../../db/account-rows.ts';
import { batch, type Database } from '../../db/database.ts';
import { insertWhileFewer } from '../account/rows/caps.ts';
import { raiseRevision } from '../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookChanges = Partial<
  Pick<
    WebhookRow,
    'url' | 'description' | 'numberIds' | 'events' | 'enabled' | 'headerNames' | 'sealedHeaders'
  >
>;

const { own, find, list } = accountRows(webhooks);

export { find as findWebhook, list as listWebhooks };

/** False when the account has `most` of them. */
export async function insertWebhook(
  db: Database,
  row: WebhookRow,
  audit: AuditContext,
  most: number | null,
): Promise<boolean> {
  await batch(db, [
    insertWhileFewer(db, webhooks, row, 'webhooks', most),
    auditEntry(db, audit, 'webhook.created', `webhook:${row.id}`, row.description, true),
    raiseRevision(db, row.accountId),
  ]);
  return (await find(db, row.accountId, row.id)) !== null;
}

/** Where the account's webhooks point: plans keep them few. */
export function webhookTargets(db: Database, accountId: string): Promise<{ id: string; url: string }[]> {
  return db
    .select({ id: webhooks.id, url: webhooks.url })
    .from(webhooks)
    .where(eq(webhooks.accountId, accountId));
}

/** As it was read: nobody has changed it meanwhile. */
const isStill = ({ url, description, numberIds, events, enabled, sealedHeaders }: WebhookRow) =>
  and(
    eq(webhooks.url, url),
    sql`${webhooks.description} is ${description}`,
    sql`${webhooks.numberIds} is ${numberIds && JSON.stringify(numberIds)}`,
    sql`${webhooks.events} is ${events && JSON.stringify(events)}`,
    eq(webhooks.enabled, enabled),
    sql`${webhooks.sealedHeaders} is ${sealedHeaders}`,
  );

/**
 * Changes a webhook; returns it as it is then, or null when it is gone. With `onlyIfUnchanged` also where somebody else
 * has changed it since `row` was read.
 */
export async function updateWebhook(
  db: Database,
  row: WebhookRow,
  changes: WebhookChanges,
  audit: AuditContext,
  onlyIfUnchanged = false,
): Promise<WebhookRow | null> {
  if (Object.keys(changes).length === 0) return row;
  const [updated] = await batch(db, [
    db
      .update(webhooks)
      .set(changes)
      // A repeated batch finds its own change, and answers as it did the first time.
      .where(
        and(
          own(row.accountId, row.id),
          onlyIfUnchanged ? or(isStill(row), isStill({ ...row, ...changes })) : undefined,
        ),
      )
      .returning(),
    auditEntry(
      db,
      audit,
      'webhook.updated',
      `webhook:${row.id}`,
      changes.description ?? row.description,
      true,
    ),
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
        and(own(row.accountId, row.id), inArray(webhooks.sealedSecret, [row.sealedSecret, sealedSecret])),
      )
      .returning(),
    auditEntry(db, audit, 'webhook.secret_rotated', `webhook:${row.id}`, row.description),
    raiseRevision(db, row.accountId),
  ]);
  return (rotated as WebhookRow[])[0] ?? null;
}

export async function deleteWebhook(db: Database, row: WebhookRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(webhooks).where(own(row.accountId, row.id)),
    auditEntry(db, audit, 'webhook.deleted', `webhook:${row.id}`, row.description),
    raiseRevision(db, row.accountId),
  ]);
}
