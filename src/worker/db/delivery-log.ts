import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { EventName } from '../../contract/events.ts';
import { type DeliveryAttempt, deliveries, deliveryPacks } from '../../database/schema.ts';
import { batch, type Database } from './database.ts';
import { type DeliveryRow, isDelivery } from './deliveries.ts';
import { entryColumns, entryHolds, packEntries, packsAround, packsBefore } from './delivery-packs.ts';
import type { WebhookRow } from './webhooks.ts';

type DeliveryStatus = DeliveryRow['status'];
/** A delivery as the log shows it, wherever it is stored. */
export type LoggedDelivery = Omit<DeliveryRow, 'accountId' | 'body'>;

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: EventName | undefined;
}

const storedStatuses: DeliveryStatus[] = ['pending', 'held', 'delivered', 'failed'];

/** Packs looked into at first; each further look takes in twice as many. */
const packsAtFirst = 8;

/**
 * As the outside sees it: what waits for a webhook that is off is held, also where its row does not say so yet (it will
 * when it comes due).
 */
export const shownStatus = (status: DeliveryStatus, enabled: boolean): DeliveryStatus =>
  status === 'pending' && !enabled ? 'held' : status;

/** Deliveries of one webhook, newest event first, one more than the page holds. */
export async function listDeliveries(
  db: Database,
  webhook: { id: string; enabled: boolean },
  filter: DeliveryFilter,
  limit: number,
  before: string | undefined,
): Promise<LoggedDelivery[]> {
  const wanted = limit + 1;
  const rows = await newestRows(db, webhook, filter, wanted, before);
  if (filter.status !== undefined && filter.status !== 'delivered') return rows;
  const found = new Map(rows.map((row) => [row.deliveryId, row]));
  let reached: PackPlace | undefined;
  for (let packsMax = packsAtFirst; ; packsMax *= 2) {
    const look = await newestPacked(db, webhook.id, filter.event, wanted, before, reached, packsMax);
    for (const entry of look.entries) if (!found.has(entry.deliveryId)) found.set(entry.deliveryId, entry);
    const newest = [...found.values()]
      .sort((a, b) => (a.deliveryId < b.deliveryId ? 1 : -1))
      .slice(0, wanted);
    reached = look.places.at(-1);
    // The packs that were not looked into hold nothing newer than the last that was.
    const isFull = newest.length === wanted && (newest.at(-1)?.deliveryId ?? '') >= (reached?.lastId ?? '');
    if (isFull || look.places.length < packsMax) return newest;
  }
}

function newestRows(
  db: Database,
  webhook: { id: string; enabled: boolean },
  filter: DeliveryFilter,
  rowsMax: number,
  before: string | undefined,
): Promise<LoggedDelivery[]> {
  const { webhookId, deliveryId, eventId, event, status, attempts, nextAttemptAt } = deliveries;
  return db
    .select({ webhookId, deliveryId, eventId, event, status, attempts, nextAttemptAt })
    .from(deliveries)
    .where(
      and(
        eq(webhookId, webhook.id),
        filter.status === undefined
          ? undefined
          : inArray(
              status,
              storedStatuses.filter((stored) => shownStatus(stored, webhook.enabled) === filter.status),
            ),
        filter.event === undefined ? undefined : eq(event, filter.event),
        before === undefined ? undefined : lt(deliveryId, before),
      ),
    )
    .orderBy(desc(deliveryId))
    .limit(rowsMax);
}

/** Where a pack stands among those of its webhook. */
interface PackPlace {
  lastId: string;
  packId: string;
}

/**
 * Looks into the next packs before a place, newest first: which they were, and the newest of what they hold, without
 * what has a row.
 */
async function newestPacked(
  db: Database,
  webhookId: string,
  event: EventName | undefined,
  entriesMax: number,
  before: string | undefined,
  after: PackPlace | undefined,
  packsMax: number,
): Promise<{ places: PackPlace[]; entries: LoggedDelivery[] }> {
  const { lastId, packId } = deliveryPacks;
  const next = and(
    packsBefore(webhookId, before),
    after === undefined ? undefined : sql`(${lastId}, ${packId}) < (${after.lastId}, ${after.packId})`,
    event === undefined
      ? undefined
      : sql`exists (select 1 from json_each(${deliveryPacks.events}) where value = ${event})`,
  );
  const places = db
    .select({ lastId, packId })
    .from(deliveryPacks)
    .where(next)
    .orderBy(desc(lastId), desc(packId))
    .limit(packsMax);
  const { deliveryId, eventId, event: name, attempt } = entryColumns;
  const entries = db
    .select({ deliveryId, eventId, event: name, attempt })
    .from(deliveryPacks)
    .innerJoin(packEntries, sql`true`)
    .where(
      and(
        eq(deliveryPacks.webhookId, webhookId),
        sql`(${lastId}, ${packId}) in (${places})`,
        before === undefined ? undefined : sql`${deliveryId} < ${before}`,
        event === undefined ? undefined : sql`${name} = ${event}`,
        entryHolds(db),
      ),
    )
    // Packs of one batch that came twice hold the same.
    .groupBy(deliveryId)
    .orderBy(desc(deliveryId))
    .limit(entriesMax);
  const [foundPlaces, foundEntries] = (await batch(db, [places, entries])) as [PackPlace[], PackedEntry[]];
  return { places: foundPlaces, entries: foundEntries.map((entry) => delivered(webhookId, entry)) };
}

interface PackedEntry {
  deliveryId: string;
  eventId: string;
  event: EventName;
  /** JSON. */
  attempt: string;
}

/** What the first attempt has ended. */
function delivered(webhookId: string, { attempt, ...ids }: PackedEntry): LoggedDelivery {
  const attempts: DeliveryAttempt[] = [JSON.parse(attempt)];
  return { webhookId, ...ids, status: 'delivered', attempts, nextAttemptAt: null };
}

export async function findDelivery(
  db: Database,
  webhook: Pick<WebhookRow, 'id' | 'accountId'>,
  deliveryId: string,
): Promise<DeliveryRow | null> {
  const row = db
    .select()
    .from(deliveries)
    .where(isDelivery({ webhookId: webhook.id, deliveryId }))
    .limit(1);
  const packed = db
    .select(entryColumns)
    .from(deliveryPacks)
    .innerJoin(packEntries, sql`true`)
    .where(
      and(packsAround(webhook.id, deliveryId, deliveryId), sql`${entryColumns.deliveryId} = ${deliveryId}`),
    )
    .limit(1);
  const [rows, entries] = (await batch(db, [row, packed])) as [
    DeliveryRow[],
    (PackedEntry & Pick<DeliveryRow, 'body'>)[],
  ];
  const [entry] = entries;
  if (rows[0] !== undefined || entry === undefined) return rows[0] ?? null;
  const { body, ...packedEntry } = entry;
  return { ...delivered(webhook.id, packedEntry), accountId: webhook.accountId, body };
}
