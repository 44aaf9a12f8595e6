import { and, eq, gte, lt, lte, notExists, type SQL, sql } from 'drizzle-orm';
import type { EventName } from '../../contract/events.ts';
import { deliveries, deliveryPacks } from '../../database/schema.ts';
import { newUuid } from '../../durable/new-ids.ts';
import { type Database, jsonSlices, type Statement, slices } from './database.ts';
import { columnsOfDelivery, type DeliveryKey, type DeliveryRow, firstDeliveryId } from './deliveries.ts';

/** A pack's JSON stays below this, unless one delivery alone is longer: a row of D1 holds 2 MB. */
const packBytesMax = 256 * 1024;
/** The time between the first and the last event of a pack: what bounds the look for the packs that may hold an id. */
const packSpanMs = 60_000;
/**
 * Fewer are stored one by one: what is longer than 1 KB takes a page of 4 KB of its own in SQLite, and a month of that
 * costs more than the rows that two in one would save.
 */
const packedMin = 4;

/** Deliveries of one webhook in the order of their ids, and what a pack of them is found by. */
export interface Pack {
  webhookId: string;
  lastId: string;
  packId: string;
  firstId: string;
  events: EventName[];
  /** JSON of `PackedDelivery[]`. */
  json: string;
}

/**
 * New packs of deliveries that the first attempt has ended. A pack takes the row of one whose time in the log is over,
 * where there is one: one row written, where to delete the old and to insert the new would be two.
 *
 * @param outdatedBefore milliseconds since 1970: packs of events before may be used again
 */
export function insertPacks(
  db: Database,
  delivered: readonly DeliveryRow[],
  outdatedBefore: number,
): Statement[] {
  const packs = packsOf(delivered);
  const reused = packs.map(({ json, ...pack }) => {
    const outdated = sql`select webhook_id, last_id, pack_id from delivery_packs
      where webhook_id = ${pack.webhookId} and last_id < ${firstDeliveryId(outdatedBefore)}
      order by last_id limit 1`;
    const stored = sql`select 1 from delivery_packs as stored
      where stored.webhook_id = ${pack.webhookId} and stored.last_id = ${pack.lastId} and stored.pack_id = ${pack.packId}`;
    return (
      db
        .update(deliveryPacks)
        .set({ ...pack, deliveries: sql`${json}` })
        // A repeated batch finds its own pack.
        .where(sql`(webhook_id, last_id, pack_id) = (${outdated}) and not exists (${stored})`)
    );
  });
  const fresh = (name: keyof Pack) => sql.raw(`fresh.value ->> '${name}'`);
  const inserted = jsonSlices(packs).map((json) =>
    db
      .insert(deliveryPacks)
      .select(sql`
        select ${fresh('webhookId')}, ${fresh('lastId')}, ${fresh('packId')}, ${fresh('firstId')},
          fresh.value -> 'events', ${fresh('json')}
        from json_each(${json}) as fresh where ${webhookIsThere(fresh('webhookId'))}`)
      .onConflictDoNothing(),
  );
  return [...reused, ...inserted];
}

/** A webhook that is deleted while its deliveries are made leaves none behind. */
const webhookIsThere = (id: SQL): SQL => sql`exists (select 1 from webhooks where webhooks.id = ${id})`;

/** Deliveries by webhook, sliced so that no pack is too large or spans too long; a few of a webhook get a pack each. */
export function packsOf(delivered: readonly DeliveryRow[]): Pack[] {
  return [...byWebhook(delivered)].flatMap(([webhookId, rows]) => {
    const entries = rows.map((row) => ({ row, json: entryJson(row) }));
    return sliced(
      entries,
      ({ row }) => row.deliveryId,
      ({ json }) => byteLength(json) + 1,
    )
      .flatMap((slice) => (slice.length < packedMin ? slice.map((entry) => [entry]) : [slice]))
      .map((slice) => ({
        webhookId,
        lastId: slice.at(-1)?.row.deliveryId ?? '',
        packId: newUuid(),
        firstId: slice[0]?.row.deliveryId ?? '',
        events: [...new Set(slice.map(({ row }) => row.event))],
        json: `[${slice.map(({ json }) => json).join(',')}]`,
      }));
  });
}

/** As `PackedDelivery`. The body goes in as it is: JSON without spaces, which both JavaScript and SQLite give back so. */
const entryJson = ({ deliveryId, attempts: [attempt], body }: DeliveryRow): string =>
  `{"deliveryId":"${deliveryId}","attempt":${JSON.stringify(attempt)},"body":${body}}`;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Each webhook's, without repeats, in the order of their ids. */
function byWebhook<Key extends DeliveryKey>(keys: readonly Key[]): Map<string, Key[]> {
  const found = new Map<string, Map<string, Key>>();
  for (const key of keys) {
    const own = found.get(key.webhookId) ?? new Map<string, Key>();
    found.set(key.webhookId, own.set(key.deliveryId, key));
  }
  return new Map(
    [...found].map(([id, own]) => [
      id,
      [...own.values()].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1)),
    ]),
  );
}

/** Slices of what is in order, each within the span of a pack and below its size. */
function sliced<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  bytesOf: (item: Item) => number,
): Item[][] {
  const slices: Item[][] = [];
  let [startedAt, bytes] = [Number.NEGATIVE_INFINITY, 0];
  for (const item of items) {
    const [at, size] = [timeOf(idOf(item)), bytesOf(item)];
    const open = slices.at(-1);
    if (open !== undefined && at - startedAt <= packSpanMs && bytes + size <= packBytesMax) {
      open.push(item);
      bytes += size;
    } else {
      slices.push([item]);
      [startedAt, bytes] = [at, size];
    }
  }
  return slices;
}

/** Milliseconds since 1970: ids are UUIDv7. */
const timeOf = (deliveryId: string): number => Number.parseInt(deliveryId.replace('-', '').slice(0, 12), 16);

/** Ids of packs that begin before this one are below; exclusive. */
const lastIdBound = (deliveryId: string): string => firstDeliveryId(timeOf(deliveryId) + packSpanMs + 1);

/** The packs of a webhook that may hold ids from `first` to `last`: a stretch of the primary key. */
export const packsAround = (webhookId: string, first: string, last: string): SQL | undefined =>
  and(
    eq(deliveryPacks.webhookId, webhookId),
    gte(deliveryPacks.lastId, first),
    lt(deliveryPacks.lastId, lastIdBound(last)),
    lte(deliveryPacks.firstId, last),
  );

/** The packs of a webhook that may hold ids before this one; without one, all. */
export const packsBefore = (webhookId: string, before: string | undefined): SQL | undefined =>
  and(
    eq(deliveryPacks.webhookId, webhookId),
    before === undefined ? undefined : lt(deliveryPacks.lastId, lastIdBound(before)),
    before === undefined ? undefined : lt(deliveryPacks.firstId, before),
  );

/** What is in a pack: join it with `true`, and select these. */
export const packEntries = sql`json_each(${deliveryPacks.deliveries}) as entry`;
export const entryColumns = {
  deliveryId: sql<string>`entry.value ->> 'deliveryId'`,
  eventId: sql<string>`entry.value ->> '$.body.id'`,
  event: sql<EventName>`entry.value ->> '$.body.event'`,
  body: sql<string>`entry.value -> 'body'`,
  attempt: sql<string>`entry.value -> 'attempt'`,
};

/** No row says otherwise about the entry. */
export const entryHolds = (db: Database): SQL =>
  notExists(
    db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.webhookId, deliveryPacks.webhookId),
          eq(deliveries.deliveryId, entryColumns.deliveryId),
        ),
      ),
  );

/** New deliveries with rows of their own; those that have one already, or are in a pack by now, stay as they are. */
export function insertUnpacked(db: Database, rows: readonly DeliveryRow[]): Statement[] {
  const { deliveryId } = entryColumns;
  return [...slices(rows, columnsOfDelivery)].map((slice) => {
    const bounded = slice.map((row) => ({ ...row, lastIdBound: lastIdBound(row.deliveryId) }));
    const fresh = (name: string) => sql.raw(`fresh.value ->> '${name}'`);
    return db
      .insert(deliveries)
      .select(sql`
        select ${fresh('webhookId')}, ${fresh('deliveryId')}, ${fresh('accountId')}, ${fresh('eventId')},
          ${fresh('event')}, ${fresh('body')}, ${fresh('status')}, fresh.value -> 'attempts', ${fresh('nextAttemptAt')}
        from json_each(${JSON.stringify(bounded)}) as fresh
        where ${webhookIsThere(fresh('webhookId'))} and not exists (
          select 1 from delivery_packs cross join ${packEntries}
          where ${deliveryPacks.webhookId} = ${fresh('webhookId')} and ${deliveryPacks.lastId} >= ${fresh('deliveryId')}
            and ${deliveryPacks.lastId} < ${fresh('lastIdBound')} and ${deliveryPacks.firstId} <= ${fresh('deliveryId')}
            and ${deliveryId} = ${fresh('deliveryId')})`)
      .onConflictDoNothing();
  });
}

/** Which of these are in a pack. */
export function packedAmong(db: Database, keys: readonly DeliveryKey[]): Statement[] {
  return [...byWebhook(keys)].flatMap(([webhookId, own]) =>
    sliced(
      own,
      ({ deliveryId }) => deliveryId,
      () => 0,
    ).map((slice) => {
      const ids = slice.map(({ deliveryId }) => deliveryId);
      return db
        .select({ webhookId: deliveryPacks.webhookId, deliveryId: entryColumns.deliveryId })
        .from(deliveryPacks)
        .innerJoin(packEntries, sql`true`)
        .where(
          and(
            packsAround(webhookId, ids[0] ?? '', ids.at(-1) ?? ''),
            sql`${entryColumns.deliveryId} in (select value from json_each(${JSON.stringify(ids)}))`,
          ),
        );
    }),
  );
}
