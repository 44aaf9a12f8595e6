import { and, desc, eq, exists, inArray, lt, lte, notExists, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { EventName } from '../../contract/events.ts';
import { type DeliveryAttempt, deliveries, webhooks } from '../../database/schema.ts';
import { type Database, type Statement, slices } from './database.ts';
import { retryTransient } from './transient-errors.ts';

export type DeliveryRow = typeof deliveries.$inferSelect;
type DeliveryStatus = DeliveryRow['status'];
export type DeliveryKey = Pick<DeliveryRow, 'webhookId' | 'deliveryId'>;

const columnsOfDelivery = 9;
const storedStatuses: DeliveryStatus[] = ['pending', 'held', 'delivered', 'failed'];

const isDelivery = ({ webhookId, deliveryId }: DeliveryKey) =>
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

/**
 * The same, in rows whose time in the log is over: one row written, where to delete the old one and to insert the new
 * one would be two. Each outdated row is used once; what finds none is inserted, and so is what came too late for its
 * own.
 */
export function insertInOutdated(
  db: Database,
  rows: readonly DeliveryRow[],
  outdated: readonly DeliveryKey[],
): Statement[] {
  const spare = [...outdated];
  const reused = rows.flatMap((row) => {
    const index = spare.findIndex(({ webhookId }) => webhookId === row.webhookId);
    const [key] = index === -1 ? [] : spare.splice(index, 1);
    if (key === undefined) return [];
    const isNew = notExists(
      db
        .select({ one: sql`1` })
        .from(alias(deliveries, 'stored'))
        .where(sql`stored.webhook_id = ${row.webhookId} and stored.delivery_id = ${row.deliveryId}`),
    );
    return [
      db
        .update(deliveries)
        .set(row)
        .where(and(isDelivery(key), isNew)),
    ];
  });
  return [...reused, ...insertDeliveries(db, rows)];
}

/** Statements that find deliveries of events before `before`, oldest first, at most so many of each webhook. */
export function outdatedDeliveries(
  db: Database,
  wanted: ReadonlyMap<string, number>,
  before: number,
): Statement[] {
  return [...wanted].map(([webhookId, rowsMax]) =>
    db
      .select({ webhookId: deliveries.webhookId, deliveryId: deliveries.deliveryId })
      .from(deliveries)
      .where(and(eq(deliveries.webhookId, webhookId), lt(deliveries.deliveryId, firstDeliveryId(before))))
      .orderBy(deliveries.deliveryId)
      .limit(rowsMax),
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

/** Which of these are stored. */
export const storedAmong = (db: Database, keys: readonly DeliveryKey[]): Statement[] =>
  [...slices(keys, 2)].map((slice) =>
    db
      .select({ webhookId: deliveries.webhookId, deliveryId: deliveries.deliveryId })
      .from(deliveries)
      .where(or(...slice.map(isDelivery))),
  );

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

/** The same for all of a webhook's; while the webhook is there, not a row is read. */
export const deleteOrphansOf = (db: Database, webhookId: string): Statement =>
  db
    .delete(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhookId),
        notExists(db.select({ one: sql`1` }).from(webhooks).where(eq(webhooks.id, webhookId))),
      ),
    );

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: EventName | undefined;
}

/**
 * As the outside sees it: what waits for a webhook that is off is held, also where its row does not say so yet (it will
 * when it comes due).
 */
export const shownStatus = (status: DeliveryStatus, enabled: boolean): DeliveryStatus =>
  status === 'pending' && !enabled ? 'held' : status;

/** Deliveries of one webhook, newest event first, one more than the page holds. */
export function listDeliveries(
  db: Database,
  webhook: { id: string; enabled: boolean },
  filter: DeliveryFilter,
  limit: number,
  before: string | undefined,
) {
  return db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhook.id),
        filter.status === undefined
          ? undefined
          : inArray(
              deliveries.status,
              storedStatuses.filter((stored) => shownStatus(stored, webhook.enabled) === filter.status),
            ),
        filter.event === undefined ? undefined : eq(deliveries.event, filter.event),
        before === undefined ? undefined : lt(deliveries.deliveryId, before),
      ),
    )
    .orderBy(desc(deliveries.deliveryId))
    .limit(limit + 1);
}

export async function findDelivery(db: Database, key: DeliveryKey): Promise<DeliveryRow | null> {
  return (await db.select().from(deliveries).where(isDelivery(key)).limit(1))[0] ?? null;
}
