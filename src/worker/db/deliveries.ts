import { and, desc, eq, lt, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { EventName } from '../../contract/events.ts';
import { type DeliveryAttempt, deliveries, webhooks } from '../../database/schema.ts';
import { type Database, type Statement, slices } from './database.ts';
import { retryTransient } from './transient-errors.ts';

export type DeliveryRow = typeof deliveries.$inferSelect;
type DeliveryStatus = DeliveryRow['status'];
export type DeliveryKey = Pick<DeliveryRow, 'webhookId' | 'deliveryId'>;

const columnsOfDelivery = 9;

const isDelivery = ({ webhookId, deliveryId }: DeliveryKey) =>
  and(eq(deliveries.webhookId, webhookId), eq(deliveries.deliveryId, deliveryId));

/** The delivery is not over, and holds exactly so many attempts: what an attempt's outcome may still be written to. */
export const attemptPending = (key: DeliveryKey, attempts: number): SQL | undefined =>
  and(
    isDelivery(key),
    eq(deliveries.status, 'pending'),
    sql`json_array_length(${deliveries.attempts}) = ${attempts}`,
  );

/** New deliveries; those that are there already stay as they are. */
export function insertDeliveries(db: Database, rows: readonly DeliveryRow[]): Statement[] {
  return [...slices(rows, columnsOfDelivery)].map((slice) =>
    db.insert(deliveries).values(slice).onConflictDoNothing(),
  );
}

/** Which of these still wait for their first attempt: asked in the batch that inserts them. */
export function untriedAmong(db: Database, keys: readonly DeliveryKey[]): Statement[] {
  return [...slices(keys, 3)].map((slice) =>
    db
      .select({ webhookId: deliveries.webhookId, deliveryId: deliveries.deliveryId })
      .from(deliveries)
      .where(
        and(
          or(...slice.map(isDelivery)),
          eq(deliveries.status, 'pending'),
          sql`${deliveries.attempts} = '[]'`,
          sql`${deliveries.nextAttemptAt} is not null`,
        ),
      ),
  );
}

/** Deliveries with their webhook, as both are now. */
export async function loadDeliveries(db: Database, keys: readonly DeliveryKey[]) {
  if (keys.length === 0) return [];
  return retryTransient(() =>
    db
      .select({ delivery: deliveries, webhook: webhooks })
      .from(deliveries)
      .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
      .where(or(...keys.map(isDelivery))),
  );
}

/** What an attempt came to. A second report of the same attempt changes nothing. */
export function recordAttempt(
  db: Database,
  before: DeliveryRow,
  attempt: DeliveryAttempt,
  after: Pick<DeliveryRow, 'status' | 'nextAttemptAt'>,
): Statement {
  return db
    .update(deliveries)
    .set({ ...after, attempts: [...before.attempts, attempt] })
    .where(attemptPending(before, before.attempts.length));
}

/** Lets a delivery wait, without a date, until its webhook is switched on again. */
export function parkDelivery(db: Database, key: DeliveryKey): Statement {
  return db
    .update(deliveries)
    .set({ nextAttemptAt: null })
    .where(and(isDelivery(key), eq(deliveries.status, 'pending')));
}

/** Forgets deliveries whose webhook was deleted while they were being made. */
export function deleteOrphan(db: Database, key: DeliveryKey): Statement {
  return db
    .delete(deliveries)
    .where(
      and(
        isDelivery(key),
        notExists(db.select({ one: sql`1` }).from(webhooks).where(eq(webhooks.id, key.webhookId))),
      ),
    );
}

/** The statement of {@link claimOverdue}: reads no more of the table than it takes. */
export function overdueClaim(db: Database, dueBefore: number, now: number, rowsMax: number) {
  // The index of due deliveries is partial, and SQLite uses it for exactly this comparison.
  const overdue = sql`select webhook_id, delivery_id from deliveries where next_attempt_at < ${dueBefore} order by next_attempt_at limit ${rowsMax}`;
  return db
    .update(deliveries)
    .set({ nextAttemptAt: now })
    .where(sql`(webhook_id, delivery_id) in (${overdue})`)
    .returning({ webhookId: deliveries.webhookId, deliveryId: deliveries.deliveryId });
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
  const rows = await overdueClaim(db, dueBefore, now, rowsMax);
  // A delivery's id begins with the time of its event.
  return rows.sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
}

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: EventName | undefined;
}

/** Deliveries of one webhook, newest event first, one more than the page holds. */
export function listDeliveries(
  db: Database,
  webhookId: string,
  filter: DeliveryFilter,
  limit: number,
  before: string | undefined,
) {
  return db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhookId),
        filter.status === undefined ? undefined : eq(deliveries.status, filter.status),
        filter.event === undefined ? undefined : eq(deliveries.event, filter.event),
        before === undefined ? undefined : lt(deliveries.deliveryId, before),
      ),
    )
    .orderBy(desc(deliveries.deliveryId))
    .limit(limit + 1);
}
