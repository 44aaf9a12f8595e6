import { and, eq, exists, inArray, lt, lte, notExists, or, type SQL, sql } from 'drizzle-orm';
import { type DeliveryAttempt, deliveries, webhooks } from '../../database/schema.ts';
import { type Database, jsonSlices, type Statement, slices } from './database.ts';
import { retryTransient } from './transient-errors.ts';

export type DeliveryRow = typeof deliveries.$inferSelect;
export type DeliveryKey = Pick<DeliveryRow, 'webhookId' | 'deliveryId'>;

export const columnsOfDelivery = 9;

export const isDelivery = ({ webhookId, deliveryId }: DeliveryKey) =>
  and(eq(deliveries.webhookId, webhookId), eq(deliveries.deliveryId, deliveryId));

/**
 * The delivery is not over, and holds exactly so many attempts: what an attempt's outcome may still be written to. It may
 * have been held while the attempt was under way.
 */
export const attemptOpen = (key: DeliveryKey, attempts: number): SQL | undefined =>
  and(
    isDelivery(key),
    inArray(deliveries.status, ['pending', 'held']),
    sql`json_array_length(${deliveries.attempts}) = ${attempts}`,
  );

/** New deliveries; those that are there already stay as they are. */
export function insertDeliveries(db: Database, rows: readonly DeliveryRow[]): Statement[] {
  return [...slices(rows, columnsOfDelivery)].map((slice) =>
    db.insert(deliveries).values(slice).onConflictDoNothing(),
  );
}

/** How long a delivery stays in the log: 30 days. */
export const deliveryKeptMs = 30 * 24 * 60 * 60 * 1000;

/** The smallest delivery id of this time: ids are UUIDv7, which begin with their milliseconds. */
export function firstDeliveryId(at: number): string {
  const hex = Math.max(0, at).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** It waits for its first attempt. */
export const isUntried = ({ status, attempts, nextAttemptAt }: DeliveryRow): boolean =>
  status === 'pending' && attempts.length === 0 && nextAttemptAt !== null;

/** Which of these have a row. */
export const storedAmong = (db: Database, keys: readonly DeliveryKey[]): Statement[] =>
  rowsAmong(db, keys, undefined);

/** Which of these still wait for their first attempt: asked in the batch that inserts them. */
export const untriedAmong = (db: Database, keys: readonly DeliveryKey[]): Statement[] =>
  rowsAmong(
    db,
    keys,
    and(
      eq(deliveries.status, 'pending'),
      sql`${deliveries.attempts} = '[]'`,
      sql`${deliveries.nextAttemptAt} is not null`,
    ),
  );

/** Those of the deliveries that have a row, and one of which the condition is true. */
function rowsAmong(db: Database, keys: readonly DeliveryKey[], condition: SQL | undefined): Statement[] {
  const pairs = keys.map(({ webhookId, deliveryId }) => [webhookId, deliveryId]);
  return jsonSlices(pairs).map((json) =>
    db
      .select({ webhookId: deliveries.webhookId, deliveryId: deliveries.deliveryId })
      .from(sql`json_each(${json}) as wanted`)
      // Each is looked up by its key, instead of the whole table row by row.
      .crossJoin(deliveries)
      .where(
        and(
          eq(deliveries.webhookId, sql`wanted.value ->> 0`),
          eq(deliveries.deliveryId, sql`wanted.value ->> 1`),
          condition,
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

/**
 * What an attempt came to. A second report of the same attempt changes nothing. What would be tried again is held
 * instead when its webhook is off by now.
 */
export function recordAttempt(
  db: Database,
  before: DeliveryRow,
  attempt: DeliveryAttempt,
  after: { status: 'delivered' | 'failed' } | { status: 'pending'; nextAttemptAt: number },
): Statement {
  const isOn = webhookIs(db, before.webhookId, true);
  const outcome =
    after.status === 'pending'
      ? {
          status: sql`case when ${isOn} then 'pending' else 'held' end`,
          nextAttemptAt: sql`case when ${isOn} then ${after.nextAttemptAt} end`,
        }
      : { status: after.status, nextAttemptAt: null };
  return db
    .update(deliveries)
    .set({ ...outcome, attempts: [...before.attempts, attempt] })
    .where(attemptOpen(before, before.attempts.length));
}

/** Lets deliveries of webhooks that are off wait until those are switched on again. */
export function holdDeliveries(db: Database, keys: readonly DeliveryKey[]): Statement[] {
  return keys.map((key) =>
    db
      .update(deliveries)
      .set({ status: 'held', nextAttemptAt: null })
      .where(and(isDelivery(key), eq(deliveries.status, 'pending'), webhookIs(db, key.webhookId, false))),
  );
}

const webhookIs = (db: Database, id: string, enabled: boolean) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(webhooks)
      .where(and(eq(webhooks.id, id), eq(webhooks.enabled, enabled))),
  );

/**
 * Moves those of the deliveries that are due before `dueBefore` on to `dueAt`, and returns their ids. Of several queue
 * messages about one delivery only one moves it: that one attempts it, or queues it for its new time.
 */
export async function moveDue(
  db: Database,
  keys: readonly DeliveryKey[],
  dueBefore: number,
  dueAt: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const moved = await db
    .update(deliveries)
    .set({ nextAttemptAt: dueAt })
    .where(
      and(
        or(...keys.map(isDelivery)),
        eq(deliveries.status, 'pending'),
        lte(deliveries.nextAttemptAt, dueBefore),
      ),
    )
    .returning({ deliveryId: deliveries.deliveryId });
  return new Set(moved.map(({ deliveryId }) => deliveryId));
}

/** Keeps the sweep away from a delivery whose attempt takes long. */
export function extendLease(db: Database, before: DeliveryRow, until: number): Statement {
  return db
    .update(deliveries)
    .set({ nextAttemptAt: until })
    .where(
      and(
        attemptOpen(before, before.attempts.length),
        eq(deliveries.status, 'pending'),
        lt(deliveries.nextAttemptAt, until),
      ),
    );
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
