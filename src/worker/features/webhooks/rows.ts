import { eq, inArray } from 'drizzle-orm';
import { webhooks } from '../../../database/schema.ts';
import type { Database } from '../../db/database.ts';
import { hasRoom } from '../account/rows/caps.ts';
import { configuredRows } from '../account/rows/configured-rows.ts';
import type { AuditContext } from '../audit-log/rows.ts';

export type WebhookRow = typeof webhooks.$inferSelect;

const rows = configuredRows(webhooks, 'webhook', ({ description }) => description, [
  'url',
  'description',
  'numberIds',
  'events',
  'enabled',
  'sealedHeaders',
]);

export const { find: findWebhook, list: listWebhooks, delete: deleteWebhook } = rows;

/** False when the account has `most` of them. */
export const insertWebhook = (row: WebhookRow, audit: AuditContext, most: number | null) =>
  rows.insert(row, audit, hasRoom(row.accountId, 'webhooks', most));

/** Where the account's webhooks point: plans keep them few. */
export function webhookTargets(db: Database, accountId: string): Promise<{ id: string; url: string }[]> {
  return db
    .select({ id: webhooks.id, url: webhooks.url })
    .from(webhooks)
    .where(eq(webhooks.accountId, accountId));
}

/**
 * Changes a webhook; returns its new state, or null if it does not exist any more. With `onlyIfUnchanged` also null if
 * somebody else has changed it since `row` was read.
 */
export const updateWebhook = (
  row: WebhookRow,
  changes: Partial<WebhookRow>,
  audit: AuditContext,
  onlyIfUnchanged: boolean,
) => rows.update(row, changes, audit, onlyIfUnchanged ? rows.unchanged(row, changes) : undefined);

/**
 * Puts a new secret in the place of the one that `row` holds, which signs too until `previousSecretUntil`. Null when another
 * rotation was quicker.
 */
export function rotateSecret(
  row: WebhookRow,
  sealedSecret: string,
  previousSecretUntil: number,
  audit: AuditContext,
) {
  const changes = { sealedSecret, previousSealedSecret: row.sealedSecret, previousSecretUntil };
  // A repeated batch finds its own secret, and answers as it did the first time.
  const isAsRead = inArray(webhooks.sealedSecret, [row.sealedSecret, sealedSecret]);
  return rows.update(row, changes, audit, isAsRead, 'secret_rotated');
}
