import { and, eq, exists, sql } from 'drizzle-orm';
import { deliveries, deliveryPacks, webhooks } from '../../database/schema.ts';
import { batch, type Database, type Statement } from './database.ts';
import { type DeliveryKey, firstDeliveryId } from './deliveries.ts';

const keyColumns = {
  webhookId: deliveries.webhookId,
  deliveryId: deliveries.deliveryId,
  eventId: deliveries.eventId,
};

/** The ids of events are in the order of the events. */
const oldestFirst = (rows: (DeliveryKey & { eventId: string })[]): DeliveryKey[] =>
  rows.sort((a, b) => (a.eventId < b.eventId ? -1 : 1));

/** The statement of {@link claimOverdue}: reads no more of the table than it takes. */
export function overdueClaim(db: Database, dueBefore: number, now: number, rowsMax: number) {
  // The index of due deliveries is partial, and SQLite uses it for exactly this comparison.
  const overdue = sql`select webhook_id, delivery_id from deliveries where next_attempt_at < ${dueBefore} order by next_attempt_at limit ${rowsMax}`;
  return db
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(sql`(webhook_id, delivery_id) in (${overdue})`)
    .returning(keyColumns);
}

/**
 * Takes the deliveries that should have been attempted before `dueBefore`, oldest first, at most `rowsMax`. They count as
 * due at `now` from then on, so the next sweep leaves them alone unless they are overdue again.
 */
export async function claimOverdue(
  db: Database,
  dueBefore: number,
  now: number,
  rowsMax: number,
): Promise<DeliveryKey[]> {
  return oldestFirst(await overdueClaim(db, dueBefore, now, rowsMax));
}

/**
 * Holds what is on its way to a webhook that is off, at most `rowsMax`, found in the index of what is due: what is left
 * over is held when it comes due.
 */
export function holdPending(db: Database, webhookId: string, rowsMax: number): Statement {
  const waiting = sql`select webhook_id, delivery_id from deliveries indexed by deliveries_due
    where next_attempt_at is not null and webhook_id = ${webhookId} limit ${rowsMax}`;
  return db
    .update(deliveries)
    .set({ status: 'held', nextAttemptAt: null })
    .where(
      and(
        sql`(webhook_id, delivery_id) in (${waiting})`,
        eq(deliveries.status, 'pending'),
        exists(
          db
            .select({ one: sql`1` })
            .from(webhooks)
            .where(and(eq(webhooks.id, webhookId), eq(webhooks.enabled, false))),
        ),
      ),
    );
}

/** Webhooks that were switched on and may still have deliveries that are held. */
export async function releasingWebhooks(db: Database, webhooksMax: number): Promise<string[]> {
  const rows = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(sql`releasing = 1`, eq(webhooks.enabled, true)))
    .limit(webhooksMax);
  return rows.map(({ id }) => id);
}

/**
 * Makes the oldest held deliveries of a webhook that is on due again, at most `rowsMax`, oldest first. Once none is left
 * the webhook is no longer marked as releasing.
 */
export async function releaseHeld(
  db: Database,
  webhookId: string,
  now: number,
  rowsMax: number,
): Promise<DeliveryKey[]> {
  // In these words SQLite reads the partial index of what is held.
  const held = sql`select webhook_id, delivery_id from deliveries
    where status = 'held' and webhook_id = ${webhookId}`;
  const isOn = db
    .select({ one: sql`1` })
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.enabled, true)));
  const [released] = await batch(db, [
    db
      .update(deliveries)
      .set({ status: 'pending', nextAttemptAt: now })
      .where(
        and(sql`(webhook_id, delivery_id) in (${held} order by delivery_id limit ${rowsMax})`, exists(isOn)),
      )
      .returning(keyColumns),
    db
      .update(webhooks)
      .set({ releasing: false })
      .where(and(eq(webhooks.id, webhookId), sql`releasing = 1`, sql`not exists (${held})`)),
  ]);
  return oldestFirst(released as (DeliveryKey & { eventId: string })[]);
}

/**
 * Deletes the deliveries of events before `before`, those with rows and those in packs, oldest first of each webhook, at
 * most `rowsMax` rows of either table; returns how many rows. A pack goes when its newest event is that old.
 */
export async function deleteOldDeliveries(db: Database, before: number, rowsMax: number): Promise<number> {
  const first = firstDeliveryId(before);
  // In this order each webhook takes one look at the primary key.
  const oldRows = sql`select d.webhook_id, d.delivery_id
    from webhooks w cross join deliveries d on d.webhook_id = w.id and d.delivery_id < ${first} limit ${rowsMax}`;
  const oldPacks = sql`select p.webhook_id, p.last_id, p.pack_id
    from webhooks w cross join delivery_packs p on p.webhook_id = w.id and p.last_id < ${first} limit ${rowsMax}`;
  const deleted = (await batch(db, [
    db.delete(deliveries).where(sql`(webhook_id, delivery_id) in (${oldRows})`).returning({ one: sql`1` }),
    db
      .delete(deliveryPacks)
      .where(sql`(webhook_id, last_id, pack_id) in (${oldPacks})`)
      .returning({ one: sql`1` }),
  ])) as unknown[][];
  return deleted.flat().length;
}
