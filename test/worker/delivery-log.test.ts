import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventName } from '../../src/contract/events.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { batch, openDatabase } from '../../src/worker/db/database.ts';
import { type DeliveryRow, firstDeliveryId, insertDeliveries } from '../../src/worker/db/deliveries.ts';
import {
  type DeliveryFilter,
  findDelivery,
  listDeliveries,
  shownStatus,
} from '../../src/worker/db/delivery-log.ts';
import { insertPacks, packedAmong, packsOf } from '../../src/worker/db/delivery-packs.ts';
import { insertWebhook } from './direct-queues.ts';

const db = openDatabase(env.DB);
const begunAt = Date.UTC(2026, 0, 31);
const events: EventName[] = ['message.sent', 'message.read', 'device.connected'];

/** What JSON has to spell in a way of its own. */
const texts = [
  '',
  'a "b" \\ c/d',
  '\u0000\n\u2028\u2029',
  'é 😀',
  '\ud800 alone',
  '{"deliveryId": "x"}',
  "it's",
];

interface Slot {
  /** Seconds after the beginning: several at one moment, some further apart than a pack spans. */
  seconds: number;
  tail: number;
  event: number;
  status: DeliveryRow['status'];
}

function deliveryOf(webhookId: string, { seconds, tail, event: index, status }: Slot): DeliveryRow {
  const deliveryId = firstDeliveryId(begunAt + seconds * 1000).replace(
    /0{12}$/,
    String(tail).padStart(12, '0'),
  );
  const event = events[index] ?? 'message.sent';
  const eventId = `evt_${deliveryId}`;
  return {
    webhookId,
    deliveryId,
    accountId: 'account',
    eventId,
    event,
    body: JSON.stringify({ id: eventId, event, timestamp: '', data: { text: texts[tail % texts.length] } }),
    status,
    attempts: [{ at: begunAt, statusCode: 200, durationMs: tail, error: null, responseSnippet: null }],
    nextAttemptAt: null,
  };
}

const slot = fc.record({
  seconds: fc.constantFrom(0, 1, 2, 3, 58, 59, 60, 61, 62, 150),
  tail: fc.integer({ min: 1, max: 12 }),
  event: fc.integer({ min: 0, max: events.length - 1 }),
  status: fc.constantFrom<DeliveryRow['status']>('delivered', 'failed', 'pending', 'held'),
});
const step = fc.record({
  packed: fc.boolean(),
  slots: fc.uniqueArray(slot, {
    minLength: 1,
    maxLength: 7,
    selector: ({ seconds, tail }) => `${seconds} ${tail}`,
  }),
});

const filters: DeliveryFilter[] = [
  {},
  { status: 'delivered' },
  { status: 'held' },
  { event: 'message.read' },
  { status: 'delivered', event: 'device.connected' },
];

/** All pages of a list, one after the other. */
async function pages(webhook: { id: string; enabled: boolean }, filter: DeliveryFilter, limit: number) {
  const listed = [];
  for (let before: string | undefined; ; ) {
    const found = await listDeliveries(db, webhook, filter, limit, before);
    const shown = found.slice(0, limit);
    listed.push(...shown);
    if (found.length <= limit) return listed;
    before = shown.at(-1)?.deliveryId;
  }
}

test('the log lists packs and rows as one: newest first, page by page, without a gap or a repeat, by every filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      async (steps, enabled, limit) => {
        const webhook = { id: (await insertWebhook('https://example.com')).id, enabled };
        const inRows = new Map<string, DeliveryRow>();
        const inPacks = new Map<string, DeliveryRow>();
        for (const { packed, slots } of steps) {
          const made = slots.map((it) =>
            deliveryOf(
              webhook.id,
              packed ? { ...it, event: it.tail % 3, status: 'delivered' } : { ...it, event: it.tail % 3 },
            ),
          );
          const into = packed ? inPacks : inRows;
          for (const row of made) if (!into.has(row.deliveryId)) into.set(row.deliveryId, row);
          await batch(db, packed ? insertPacks(db, made, 0) : insertDeliveries(db, made));
        }
        // What has a row is what the row says.
        const model = [...new Map([...inPacks, ...inRows]).values()].sort((a, b) =>
          a.deliveryId < b.deliveryId ? 1 : -1,
        );
        for (const filter of filters) {
          const expected = model.filter(
            ({ status, event }) =>
              (filter.status === undefined || shownStatus(status, enabled) === filter.status) &&
              (filter.event === undefined || event === filter.event),
          );
          const listed = await pages(webhook, filter, limit);
          expect(listed).toEqual(expected.map(({ accountId: _account, body: _body, ...row }) => row));
        }
        for (const row of model.slice(0, 5)) {
          expect(await findDelivery(db, { id: webhook.id, accountId: 'account' }, row.deliveryId)).toEqual(
            row,
          );
        }
        const everything = [...model.map(({ deliveryId }) => deliveryId), firstDeliveryId(begunAt + 90_000)];
        const looks = packedAmong(
          db,
          everything.map((deliveryId) => ({ webhookId: webhook.id, deliveryId })),
        );
        const packed = (await batch(db, looks)).flat() as { deliveryId: string }[];
        expect(new Set(packed.map(({ deliveryId }) => deliveryId))).toEqual(new Set(inPacks.keys()));
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);

test('the newest of an event is found also where many packs that end later hold older ones', async () => {
  const webhook = { id: (await insertWebhook('https://example.com')).id, enabled: true };
  const at = (seconds: number, tail: number, event: number) =>
    deliveryOf(webhook.id, { seconds, tail, event, status: 'delivered' });
  // More than one look takes in.
  for (let tail = 1; tail <= 20; tail += 1) {
    await batch(
      db,
      insertPacks(db, [at(0, tail, 1), ...[50, 51, 52].map((seconds) => at(seconds, tail, 0))], 0),
    );
  }
  const newest = at(40, 1, 1);
  await batch(db, insertPacks(db, [newest], 0));
  const [first] = await listDeliveries(db, webhook, { event: newest.event }, 1, undefined);
  expect(first?.deliveryId).toBe(newest.deliveryId);
});

test('a pack holds one webhook, at most a minute and 256 KiB, and no fewer than four deliveries, or one, which may be longer', () => {
  const [one, other] = [newUuid(), newUuid()];
  const at = (webhookId: string, seconds: number, tail: number, text = '') => {
    const row = deliveryOf(webhookId, { seconds, tail, event: 0, status: 'delivered' });
    return { ...row, body: JSON.stringify({ ...JSON.parse(row.body), data: { text } }) };
  };
  const ids = (rows: DeliveryRow[]) =>
    packsOf(rows).map(({ json }) => JSON.parse(json).map((it: { deliveryId: string }) => it.deliveryId));
  const early = [at(one, 0, 2), at(one, 60, 1), at(one, 0, 1), at(one, 30, 1)];
  const late = at(one, 61, 1);
  const foreign = at(other, 0, 1);
  // In the order of their ids, each once.
  expect(ids([...early, late, foreign, early[0] as DeliveryRow])).toEqual([
    [early[2], early[0], early[3], early[1]].map((row) => row?.deliveryId),
    [late.deliveryId],
    [foreign.deliveryId],
  ]);
  expect(ids([...early.slice(0, 3), foreign])).toEqual([
    ...[early[2], early[0], early[1]].map((row) => [row?.deliveryId]),
    [foreign.deliveryId],
  ]);
  // Two bytes a character: 50 KB each.
  const large = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((tail) => at(one, 0, tail, 'é'.repeat(25_000)));
  const huge = at(one, 0, 12, 'é'.repeat(200_000));
  const packs = packsOf([...large, huge]);
  expect(packs.map(({ json }) => JSON.parse(json).length)).toEqual([5, 5, 1, 1]);
  for (const { json } of packs.slice(0, 3)) {
    expect(new TextEncoder().encode(json).length).toBeLessThanOrEqual(256 * 1024);
  }
});
