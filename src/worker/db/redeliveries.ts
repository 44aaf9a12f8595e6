import { sql } from 'drizzle-orm';
import { deliveries } from '../../database/schema.ts';
import { newUuid } from '../../durable/new-ids.ts';
import { batch, type Database } from './database.ts';
import { type DeliveryKey, type DeliveryRow, firstDeliveryId, insertDeliveries } from './deliveries.ts';
import type { WebhookRow } from './webhooks.ts';

/** How a delivery begins: at once, or held while its webhook is off. */
export const beginning = (webhook: Pick<WebhookRow, 'enabled'>, now: number) =>
  webhook.enabled
    ? { status: 'pending' as const, nextAttemptAt: now }
    : { status: 'held' as const, nextAttemptAt: null };

/** The same event to the same webhook once more, under a new delivery id. */
export async function insertRedelivery(
  db: Database,
  webhook: WebhookRow,
  original: DeliveryRow,
  now: number,
): Promise<DeliveryRow> {
  const row: DeliveryRow = {
    ...original,
    ...beginning(webhook, now),
    deliveryId: newUuid(),
    attempts: [],
  };
  await batch(db, insertDeliveries(db, [row]));
  return row;
}

/**
 * New deliveries of the events since `since` whose last delivery to this webhook ended in `status`, oldest event first,
 * at most `rowsMax`. An event that is on its way, or has been redelivered with another end, is left alone: a repeated
 * call finds nothing more. Bodies are copied inside the database.
 */
export async function insertRedeliveriesSince(
  db: Database,
  webhook: WebhookRow,
  since: number,
  status: 'failed' | 'delivered',
  now: number,
  rowsMax: number,
): Promise<DeliveryKey[]> {
  // Beside one max() SQLite gives the other columns of the row that holds it. Event ids sort by time.
  const found = await db.all<{ id: string }>(sql`
    select id from (
      select max(delivery_id) as id, event_id, status from deliveries
      where webhook_id = ${webhook.id} and delivery_id >= ${firstDeliveryId(since)}
        and event <> 'webhook.test'
      group by event_id
    ) where status = ${status} order by event_id limit ${rowsMax}`);
  if (found.length === 0) return [];
  const pairs = found.map(({ id }) => ({ original: id, deliveryId: newUuid() }));
  const begin = beginning(webhook, now);
  await batch(db, [
    db
      .insert(deliveries)
      .select(sql`
        select d.webhook_id, pair.value ->> 'deliveryId', d.account_id, d.event_id, d.event, d.body,
          ${begin.status}, '[]', ${begin.nextAttemptAt}
        from json_each(${JSON.stringify(pairs)}) as pair
          cross join deliveries d on d.webhook_id = ${webhook.id} and d.delivery_id = pair.value ->> 'original'
        where true`)
      .onConflictDoNothing(),
  ]);
  return pairs.map(({ deliveryId }) => ({ webhookId: webhook.id, deliveryId }));
}
