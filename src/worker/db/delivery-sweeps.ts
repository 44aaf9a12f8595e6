import { and, eq, exists, sql } from 'drizzle-orm';
import { deliveries, webhooks } from '../../database/schema.ts';
import { batch, type Database, type Statement } from './database.ts';
import { type DeliveryKey, firstDeliveryId } from './deliveries.ts';
import { retryTransient } from './transient-errors.ts';

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
  const waiting = sql`select webhook_id, delivery_id from deliveries
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

/** Deletes deliveries of events before `before`, at most `rowsMax`; returns how many. */
export async function deleteOldDeliveries(db: Database, before: number, rowsMax: number): Promise<number> {
  const first = firstDeliveryId(before);
  const old = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(sql`${deliveries.webhookId} = ${webhooks.id} and ${deliveries.deliveryId} < ${first}`);
  // One look at the primary key a webhook finds those that have any.
  const owners = await retryTransient(() =>
    db.select({ id: webhooks.id }).from(webhooks).where(exists(old)).limit(10),
  );
  let deleted = 0;
  for (const { id } of owners) {
    if (deleted >= rowsMax) break;
    const slice = sql`select webhook_id, delivery_id from deliveries
      where webhook_id = ${id} and delivery_id < ${first} order by delivery_id limit ${rowsMax - deleted}`;
    const rows = await db
      .delete(deliveries)
      .where(sql`(webhook_id, delivery_id) in (${slice})`)
      .returning({ deliveryId: deliveries.deliveryId });
    deleted += rows.length;
  }
  return deleted;
}
