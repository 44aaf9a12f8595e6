import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ArchivedEvents } from '../../../src/durable/event-log/archive/archived-rows.ts';
import { EventRows } from '../../../src/durable/event-log/events/event-rows.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import { eventually } from '../front-door.ts';
import {
  deliveriesOf,
  evict,
  insertWebhook,
  manyEvents,
  oneEvent,
  ring,
  rowsOf,
  stateOf,
  stopClock,
  type TestWebhook,
  tell,
} from './delivery-fixture.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://delivery-history.example.com/hook';
const daySeconds = 24 * 3600;

const inLog = <Result>({ accountId }: TestWebhook, work: (storage: DurableObjectStorage) => Result) =>
  runInDurableObject(logOf(env, accountId), (_, { storage }) => work(storage));

const pageOf = async ({ id, accountId }: TestWebhook, before: string | null) =>
  (await logOf(env, accountId).webhookDeliveries(id, {}, 4, before)) ?? { data: [], nextBefore: null };

const allDelivered = (webhook: TestWebhook, count: number) =>
  eventually(async () => {
    const deliveries = await deliveriesOf(webhook);
    return deliveries.filter(({ status }) => status === 'delivered').length === count;
  });

/** The tables of what was taken at the first attempt. */
const tablesOf = (webhook: TestWebhook) =>
  inLog(webhook, ({ sql }) =>
    sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name GLOB 'outcomes_*' ORDER BY name")
      .toArray()
      .map(({ name }) => name),
  );

/** Brings what is stored into the shape of release 0.1: with the events. */
const asBefore = (webhook: TestWebhook, upTo: number) =>
  inLog(webhook, (storage) =>
    storage.transactionSync(() => {
      const { sql } = storage;
      const [table] = sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name GLOB 'outcomes_*'")
        .toArray();
      const outcomes = `SELECT json_group_array(json(value)) FROM ${table?.name}, json_each(outcomes)
        WHERE value ->> '$.seq' BETWEEN first_seq AND first_seq + count - 1`;
      sql.exec(`UPDATE events SET outcomes = (${outcomes}) WHERE first_seq + count - 1 <= ?`, upTo);
      sql.exec(`DELETE FROM ${table?.name} WHERE last_seq <= ?`, upTo);
    }),
  );

test('what release 0.1 has stored with the events stands in the same list, is not sent again, and is sent again on demand', async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url, () => new Response('thanks', { status: 201 }));
  await tell(webhook.accountId, ...manyEvents(6));
  await allDelivered(webhook, 6);
  // The last row of events takes those of an hour.
  clock.pass(2 * 3600);
  await tell(webhook.accountId, ...manyEvents(3));
  await allDelivered(webhook, 9);
  const [list, state] = [await deliveriesOf(webhook), await stateOf(webhook)];
  await asBefore(webhook, 6);
  await evict(webhook.accountId);
  expect(await deliveriesOf(webhook)).toEqual(list);
  expect(await stateOf(webhook)).toEqual(state);
  const first = await pageOf(webhook, null);
  const second = await pageOf(webhook, first.nextBefore);
  expect([...first.data, ...second.data]).toEqual(list.slice(0, 8));
  await tell(webhook.accountId, oneEvent());
  await allDelivered(webhook, 10);
  clock.pass(16);
  await ring(webhook);
  expect(callbacks).toHaveLength(10);

  const log = logOf(env, webhook.accountId);
  expect(await log.redeliver(webhook.id, list[8]?.deliveryId ?? '')).toMatchObject({
    eventId: list[8]?.eventId,
  });
  await allDelivered(webhook, 11);
  expect(await log.redeliverSince(webhook.id, 0, 'delivered')).toMatchObject({ count: 9 });
  await allDelivered(webhook, 20);
});

test("a day's deliveries are dropped with its events while somebody reads the list: the page behind the cursor has what is left", async () => {
  const clock = stopClock();
  const webhook = await insertWebhook(url);
  receiver(url);
  for (let day = 0; day < 3; day += 1) {
    await tell(webhook.accountId, ...manyEvents(3));
    await allDelivered(webhook, 3 * (day + 1));
    clock.pass(daySeconds);
  }
  const list = await deliveriesOf(webhook);
  expect(await tablesOf(webhook)).toHaveLength(3);
  const first = await pageOf(webhook, null);
  expect(first.data).toEqual(list.slice(0, 4));
  const lines = await inLog(webhook, (storage) => {
    const { sql } = storage;
    const archived = new ArchivedEvents(sql, new EventRows(sql), new LogState(sql), webhook.accountId);
    const range = { kind: 'events', first: 1, last: 3, lastAt: 0, key: '' } as const;
    const written = archived.lines(range).map((line) => JSON.parse(line));
    storage.transactionSync(() => archived.delete(range));
    return written;
  });
  const outcomes = [1, 2, 3].map((seq) => ({ seq, webhookId: webhook.id, statusCode: 200 }));
  expect(lines.flatMap((line) => line.outcomes)).toMatchObject(outcomes);
  await evict(webhook.accountId);
  expect(await tablesOf(webhook)).toHaveLength(2);
  const second = await pageOf(webhook, first.nextBefore);
  expect(second).toEqual({ data: list.slice(4, 6), nextBefore: null });
  expect(await rowsOf(webhook)).toBe(0);
});
