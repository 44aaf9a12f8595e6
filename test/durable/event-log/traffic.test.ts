import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  countOf,
  failed,
  type LogStub,
  newLog,
  queued,
  receipt,
  received,
  record,
  sent,
  takeAll,
} from './event-log-fixture.ts';

const hourMs = 3_600_000;
const thisHour = () => Math.floor(Date.now() / hourMs) * hourMs;
const hours = (log: LogStub, numberId: string | null = null) =>
  log.traffic(1, thisHour() - 2 * hourMs, thisHour() + 2 * hourMs, numberId);

test('each step is counted once, by number, however often it is told and whenever the log is evicted', async () => {
  const log = newLog();
  const [first, second] = [record(), record()];
  await log.take([queued(first), queued(second), sent(first)]);
  expect((await hours(log)).map(({ queued: n }) => n)).toEqual([1, 1]);
  await evictDurableObject(log);
  await log.take([sent(first), receipt(first, 'read'), failed(second), received({}, second.numberId)]);
  await evictDurableObject(log);
  const none = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 };
  expect(await hours(log, first.numberId)).toEqual([
    { at: expect.any(Number), numberId: first.numberId, ...none, queued: 1, sent: 1, delivered: 1, read: 1 },
  ]);
  expect(await hours(log, second.numberId)).toMatchObject([{ ...none, queued: 1, failed: 1, received: 1 }]);
  expect(await hours(log, newUuid())).toEqual([]);
});

test('counting waits for many events, and costs a row an hour and number', async () => {
  const log = newLog();
  const numberId = newUuid();
  for (let call = 0; call < 3; call += 1) {
    await log.take(Array.from({ length: 20 }, () => queued(record({ numberId }))));
  }
  expect(await countOf(log, 'traffic')).toBe(0);
  // A day is over.
  await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec('UPDATE events SET at = at - ?', 24 * hourMs),
  );
  await evictDurableObject(log);
  await log.take([queued(record({ numberId }))]);
  await runDurableObjectAlarm(log);
  expect(await countOf(log, 'traffic')).toBeLessThanOrEqual(2);
  const rows = await log.traffic(1, thisHour() - 25 * hourMs, thisHour() + 2 * hourMs, null);
  expect(rows.reduce((sum, row) => sum + row.queued, 0)).toBe(61);
});

test('what is older than the chart goes, and days are sums of hours', async () => {
  const log = newLog();
  const message = record();
  await log.take([queued(message)]);
  await hours(log);
  await runInDurableObject(log, (_, { storage }) => {
    const insert = 'INSERT INTO traffic VALUES (?, ?, 1, 0, 0, 0, 0, 0)';
    const hour = thisHour() / hourMs;
    for (const ago of [1, 30 * 24, 33 * 24]) storage.sql.exec(insert, hour - ago, message.numberId);
  });
  await log.take([sent(message)]);
  const dayMs = 24 * hourMs;
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const rows = await log.traffic(24, today - 40 * dayMs, today + 2 * dayMs, null);
  expect(rows.reduce((sum, row) => sum + row.queued, 0)).toBe(3);
  expect(rows.every(({ at }) => at % dayMs === 0)).toBe(true);
});

test('the hours of a part of a day begin and end where they are asked for', async () => {
  const log = newLog();
  const numberId = newUuid();
  const first = Math.floor(Date.now() / (24 * hourMs)) * 24 - 48;
  await runInDurableObject(log, (_, { storage }) => {
    for (let hour = first; hour < first + 48; hour += 1)
      storage.sql.exec('INSERT INTO traffic VALUES (?, ?, 1, 0, 0, 0, 0, 0)', hour, numberId);
  });
  const rows = await log.traffic(1, (first + 3) * hourMs, (first + 30) * hourMs, null);
  expect(rows.map(({ at }) => at / hourMs - first)).toEqual(
    Array.from({ length: 27 }, (_, hour) => hour + 3),
  );
});

test('others have their turn while many events are counted, and while the counts of many days are read', async () => {
  const log = newLog();
  const numberId = newUuid();
  await takeAll(
    log,
    Array.from({ length: 2_100 }, () => queued(record({ numberId }))),
  );
  const answered: string[] = [];
  for (const days of [0, 3]) {
    const asked = log.traffic(1, thisHour() - days * 24 * hourMs, thisHour() + hourMs, null);
    const [rows] = await Promise.all([
      asked.finally(() => answered.push('traffic')),
      log.contact('nobody').finally(() => answered.push('contact')),
    ]);
    expect(rows).toMatchObject([{ numberId, queued: 2_100 }]);
  }
  expect(answered).toEqual(['contact', 'traffic', 'contact', 'traffic']);
});
