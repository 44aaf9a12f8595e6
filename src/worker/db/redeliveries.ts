import { and, eq, gte, sql } from 'drizzle-orm';
import { deliveries, deliveryPacks } from '../../database/schema.ts';
import { newUuid } from '../../durable/new-ids.ts';
import { batch, type Database } from './database.ts';
import { type DeliveryKey, type DeliveryRow, firstDeliveryId, insertDeliveries } from './deliveries.ts';
import { entryColumns, entryHolds, packEntries } from './delivery-packs.ts';
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
  const first = firstDeliveryId(since);
  const { deliveryId, eventId, body } = entryColumns;
  const packed = and(
    eq(deliveryPacks.webhookId, webhook.id),
    gte(deliveryPacks.lastId, first),
    sql`${deliveryId} >= ${first}`,
  );
  const rows = sql`select delivery_id, event_id, status from deliveries
    where webhook_id = ${webhook.id} and delivery_id >= ${first} and event <> 'webhook.test'`;
  const entries = sql`select ${deliveryId}, ${eventId}, 'delivered' from delivery_packs cross join ${packEntries}
    where ${packed} and ${entryHolds(db)}`;
  // What is packed is the first delivery of its event: one of the same event that failed came later.
  const logged = status === 'failed' ? rows : sql`${rows} union all ${entries}`;
  // Beside one max() SQLite gives the other columns of the row that holds it. Event ids sort by time.
  const found = await db.all<{ id: string }>(sql`
    with logged (delivery_id, event_id, status) as (${logged})
    select id from (
      select max(delivery_id) as id, event_id, status from logged group by event_id
    ) where status = ${status} order by event_id limit ${rowsMax}`);
  if (found.length === 0) return [];
  const pairs = found.map(({ id }) => ({ original: id, deliveryId: newUuid() }));
  const begin = beginning(webhook, now);
  const pair = sql`with pair (original, delivery_id) as materialized (
    select value ->> 'original', value ->> 'deliveryId' from json_each(${JSON.stringify(pairs)}))`;
  const copies = [
    sql`${pair}
      select d.webhook_id, pair.delivery_id, d.account_id, d.event_id, d.event, d.body,
        ${begin.status}, '[]', ${begin.nextAttemptAt}
      from pair cross join deliveries d on d.webhook_id = ${webhook.id} and d.delivery_id = pair.original
      where true`,
    sql`${pair}
      select ${webhook.id}, pair.delivery_id, ${webhook.accountId}, ${eventId}, ${entryColumns.event}, ${body},
        ${begin.status}, '[]', ${begin.nextAttemptAt}
      from delivery_packs cross join ${packEntries} cross join pair on pair.original = ${deliveryId}
      where ${packed}`,
  ];
  await batch(
    db,
    copies
      .slice(0, status === 'failed' ? 1 : 2)
      .map((copy) => db.insert(deliveries).select(copy).onConflictDoNothing()),
  );
  return pairs.map((it) => ({ webhookId: webhook.id, deliveryId: it.deliveryId }));
}
