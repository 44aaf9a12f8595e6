import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Alert } from '../../../src/durable/event-log/alerts/alert-rows.ts';
import { AlertDeliveryRows } from '../../../src/durable/event-log/alerts/deliveries/alert-delivery-rows.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { countOf, received, takeAll } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';
import { iso, office, phoneNumber, supportDesk } from './support-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A Friday in Jakarta. */
const friday = Date.parse('2037-01-30T16:30:00+07:00');
const monday = Date.parse('2037-02-02T09:30:00+07:00');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: friday });
});
afterEach(() => {
  vi.useRealTimers();
});
const hour = { firstResponseSeconds: 3600 };

describe('somebody who writes on Friday at 16:30 and is to be answered within an hour of working time', () => {
  test('is to be answered on Monday by 09:30', async () => {
    const { log, wrote, conversation } = await supportDesk({ policies: [hour], hours: [office] });
    await log.take([wrote(friday)]);
    expect(await conversation()).toMatchObject({ firstResponseDueAt: monday, sla: 'on_time' });
  });

  test('is late at that time, to the second, and one alert says so until they are answered', async () => {
    const desk = await supportDesk({ policies: [hour], hours: [office] });
    await desk.log.take([desk.wrote(friday)]);
    vi.setSystemTime(monday - 1);
    await desk.ring();
    expect(await desk.alerts()).toEqual([]);
    expect((await desk.conversation()).sla).toBe('on_time');
    await evictDurableObject(desk.log);
    vi.setSystemTime(monday);
    await desk.ring();
    await desk.ring();
    expect(await desk.alerts()).toEqual([{ target: 'first_response', isOver: false }]);
    expect(await desk.conversation()).toMatchObject({ sla: 'missed', firstResponseDueAt: monday });
    expect(await desk.slaTold()).toEqual(['missed']);

    vi.setSystemTime(monday + hourMs);
    await desk.log.take([desk.answered(monday + hourMs)]);
    expect(await desk.alerts()).toEqual([{ target: 'first_response', isOver: true }]);
    expect(await desk.conversation()).toMatchObject({ sla: 'missed', firstResponseDueAt: null });
    expect(await desk.report()).toMatchObject({
      opened: 1,
      firstResponse: { count: 1, medianSeconds: 2 * 3600 },
      missed: { firstResponse: 1, nextResponse: 0, resolution: 0 },
    });
  });

  test('was answered in time when the answer was made in time, though the log heard of it late', async () => {
    const desk = await supportDesk({ policies: [hour], hours: [office] });
    await desk.log.take([desk.wrote(friday)]);
    vi.setSystemTime(monday + 5_000);
    await desk.ring();
    expect((await desk.conversation()).sla).toBe('missed');
    await desk.log.take([desk.answered(monday - 10_000)]);
    expect((await desk.conversation()).sla).toBe('on_time');
    expect(await desk.report()).toMatchObject({ missed: { firstResponse: 0 } });
    expect(await desk.alerts()).toEqual([{ target: 'first_response', isOver: true }]);
  });

  test('is late where the answer comes before the alarm does, and too late', async () => {
    const desk = await supportDesk({ policies: [hour], hours: [office] });
    await desk.log.take([desk.wrote(friday)]);
    vi.setSystemTime(monday + hourMs);
    await desk.log.take([desk.answered(monday + 1)]);
    expect((await desk.conversation()).sla).toBe('missed');
    expect(await desk.report()).toMatchObject({ missed: { firstResponse: 1 } });
  });

  test('is to be answered a day later when Monday becomes a holiday, and was not late then', async () => {
    const desk = await supportDesk({ policies: [hour], hours: [office] });
    await desk.log.take([desk.wrote(friday)]);
    vi.setSystemTime(monday);
    await desk.ring();
    expect((await desk.conversation()).sla).toBe('missed');
    const holidays = [{ date: '2037-02-02', name: '' }];
    await desk.configure({ policies: [hour], hours: [{ ...office, holidays }] });
    expect(await desk.conversation()).toMatchObject({
      sla: 'on_time',
      firstResponseDueAt: monday + 24 * hourMs,
    });
    expect(await desk.alerts()).toEqual([{ target: 'first_response', isOver: true }]);
    vi.setSystemTime(monday + 24 * hourMs);
    await desk.ring();
    expect(await desk.slaTold()).toEqual(['missed', 'on_time', 'missed']);
  });

  test('is to be answered on Friday at 17:30 where the number has no hours, or all time counts', async () => {
    const none = await supportDesk({ policies: [hour] });
    await none.log.take([none.wrote(friday)]);
    expect(await none.conversation()).toMatchObject({ firstResponseDueAt: friday + hourMs });
    const always = await supportDesk({ policies: [{ ...hour, businessHoursOnly: false }], hours: [office] });
    await always.log.take([always.wrote(friday)]);
    expect(await always.conversation()).toMatchObject({ firstResponseDueAt: friday + hourMs });
  });
});

test('what a night shift promises runs through the change of the clocks', async () => {
  // In Berlin the clocks went from 02:00 to 03:00 on 29 March 2037.
  const saturday = Date.parse('2037-03-28T23:00:00+01:00');
  vi.setSystemTime(saturday);
  const night = {
    timeZone: 'Europe/Berlin',
    spans: [{ day: 'saturday', from: '22:00', to: '06:00' }],
  } as const;
  const { log, wrote, conversation } = await supportDesk({
    policies: [{ firstResponseSeconds: 4 * 3600 }],
    hours: [{ ...night, spans: [...night.spans] }],
  });
  await log.take([wrote(saturday)]);
  expect(iso((await conversation()).firstResponseDueAt ?? 0)).toBe(
    iso(Date.parse('2037-03-29T04:00:00+02:00')),
  );
});

test('each later message has a target of its own, and each miss counts once', async () => {
  const desk = await supportDesk({ policies: [{ ...hour, nextResponseSeconds: 600 }] });
  vi.setSystemTime(friday + 16 * minuteMs);
  await desk.log.take([
    desk.wrote(friday),
    desk.answered(friday + minuteMs),
    desk.wrote(friday + 10 * minuteMs),
  ]);
  const due = friday + 20 * minuteMs;
  expect(await desk.conversation()).toMatchObject({ firstResponseDueAt: null, nextResponseDueAt: due });
  // Who writes again waits since the first of these messages.
  await desk.log.take([desk.wrote(friday + 15 * minuteMs)]);
  expect(await desk.conversation()).toMatchObject({ nextResponseDueAt: due });
  for (let round = 0; round < 3; round += 1) {
    vi.setSystemTime(due + round);
    await desk.ring();
    await evictDurableObject(desk.log);
  }
  expect(await desk.alerts()).toEqual([{ target: 'next_response', isOver: false }]);
  vi.setSystemTime(due + 4 * minuteMs);
  await desk.log.take([
    desk.answered(due + minuteMs),
    desk.wrote(due + 2 * minuteMs),
    desk.answered(due + 3 * minuteMs),
  ]);
  expect(await desk.report()).toMatchObject({ missed: { firstResponse: 0, nextResponse: 1 } });
  expect(await desk.conversation()).toMatchObject({ sla: 'missed', nextResponseDueAt: null });
});

test('a later answer that was made in time, and is heard of late, missed nothing', async () => {
  const desk = await supportDesk({ policies: [{ ...hour, nextResponseSeconds: 600 }] });
  vi.setSystemTime(friday + 10 * minuteMs);
  await desk.log.take([
    desk.wrote(friday),
    desk.answered(friday + minuteMs),
    desk.wrote(friday + 10 * minuteMs),
  ]);
  const due = friday + 20 * minuteMs;
  vi.setSystemTime(due + 5_000);
  await desk.ring();
  expect(await desk.report()).toMatchObject({ missed: { nextResponse: 1 } });
  await desk.log.take([desk.answered(due - 10_000)]);
  expect(await desk.report()).toMatchObject({ missed: { nextResponse: 0 } });
  expect((await desk.conversation()).sla).toBe('on_time');
});

test('a conversation is to be resolved in time, and opened again it begins anew', async () => {
  const desk = await supportDesk({ policies: [{ resolutionSeconds: 7200 }] });
  await desk.log.take([desk.wrote(friday), desk.answered(friday + minuteMs)]);
  expect(await desk.conversation()).toMatchObject({ resolutionDueAt: friday + 2 * hourMs });
  vi.setSystemTime(friday + hourMs);
  await desk.change({ status: 'resolved' });
  expect(await desk.conversation()).toMatchObject({ resolutionDueAt: null, sla: 'on_time' });
  vi.setSystemTime(friday + 3 * hourMs);
  await desk.ring();
  const again = friday + 3 * hourMs;
  await desk.log.take([desk.wrote(again)]);
  expect(await desk.conversation()).toMatchObject({ status: 'open', resolutionDueAt: again + 2 * hourMs });
  vi.setSystemTime(again + 2 * hourMs);
  await desk.ring();
  expect(await desk.alerts()).toEqual([{ target: 'resolution', isOver: false }]);
  vi.setSystemTime(again + 2 * hourMs + 2_000);
  await desk.change({ status: 'resolved' });
  expect(await desk.alerts()).toEqual([{ target: 'resolution', isOver: true }]);
  expect(await desk.report()).toMatchObject({
    opened: 2,
    resolved: 2,
    resolution: { count: 2, medianSeconds: 5401, p90Seconds: 7202 },
    missed: { resolution: 1 },
  });
});

test('a conversation that is opened twice in one second of the network has a case each time', async () => {
  const desk = await supportDesk({ policies: [hour] });
  vi.setSystemTime(friday + minuteMs);
  for (const text of ['hello', 'one thing more']) {
    await desk.log.take([desk.wrote(friday, text)]);
    await desk.change({ status: 'resolved' });
  }
  expect(await desk.report()).toMatchObject({ opened: 2, resolved: 2 });
});

test('a label brings another policy, and taking it off brings the first one back', async () => {
  const desk = await supportDesk({
    policies: [hour, { firstResponseSeconds: 600, labels: ['vip'] }],
  });
  await desk.log.take([desk.wrote(friday)]);
  await desk.change({ addLabels: ['vip'] });
  expect(await desk.conversation()).toMatchObject({ firstResponseDueAt: friday + 10 * minuteMs });
  vi.setSystemTime(friday + 20 * minuteMs);
  await desk.ring();
  expect((await desk.conversation()).sla).toBe('missed');
  await desk.change({ removeLabels: ['vip'] });
  expect(await desk.conversation()).toMatchObject({ firstResponseDueAt: friday + hourMs, sla: 'on_time' });
});

test('who waits already when a policy is made is to be answered counting from then', async () => {
  const desk = await supportDesk();
  await desk.log.take([desk.wrote(friday)]);
  expect(await desk.conversation()).toMatchObject({ firstResponseDueAt: null, sla: 'none' });
  const now = friday + 48 * hourMs;
  vi.setSystemTime(now);
  await desk.configure({ policies: [{ ...hour, createdAt: now }] });
  expect(await desk.conversation()).toMatchObject({ firstResponseDueAt: now + hourMs, sla: 'on_time' });
  expect(await desk.alerts()).toEqual([]);
  await desk.configure({});
  expect(await desk.conversation()).toMatchObject({ firstResponseDueAt: null, sla: 'none' });
});

test('a review of many conversations comes to all of them, though the log sleeps in between', async () => {
  const desk = await supportDesk();
  const people = Array.from({ length: 600 }, (_, index) => `6281${String(index).padStart(8, '0')}`);
  await takeAll(
    desk.log,
    people.map((from) => received({ at: iso(friday), from }, desk.numberId)),
  );
  await desk.configure({ policies: [hour] });
  await evictDurableObject(desk.log);
  await until(async () => {
    await desk.ring();
    return (await countOf(desk.log, 'support_cases')) === people.length;
  });
  const last = await desk.log.conversationOf({ numberId: desk.numberId, phoneNumber: people.at(-1) });
  expect(last).toMatchObject({ firstResponseDueAt: friday + hourMs });
});

test('cases that are too old go some with each new one, however many they are', async () => {
  const desk = await supportDesk({ policies: [hour] });
  await runInDurableObject(desk.log, (_, { storage }) =>
    storage.sql.exec(
      `INSERT INTO support_cases (opened_at, conversation_id, number_id, first_missed, next_missed, resolution_missed, resolved_at)
         SELECT key, key, ?, 0, 0, 0, key FROM json_each(?)`,
      ...[desk.numberId, JSON.stringify(Array(150).fill(0))],
    ),
  );
  await desk.log.take([desk.wrote(friday)]);
  expect(await countOf(desk.log, 'support_cases')).toBe(51);
  await desk.log.take([desk.wrote(friday, 'hello', { from: '4915112345678' })]);
  expect(await countOf(desk.log, 'support_cases')).toBe(2);
});

test('what was due of a conversation that is gone is looked at once', async () => {
  const desk = await supportDesk({ policies: [hour] });
  await runInDurableObject(desk.log, (_, { storage }) =>
    storage.sql.exec(
      `INSERT INTO support_cases (opened_at, conversation_id, number_id, first_missed, next_missed, resolution_missed, due_at)
         VALUES (1, ?, ?, 0, 0, 0, 1)`,
      ...[newUuid(), desk.numberId],
    ),
  );
  await desk.ring();
  expect(await countOf(desk.log, 'support_cases')).toBe(0);
});

test('an account that has set none of it pays no row', async () => {
  const desk = await supportDesk({ hours: [office] });
  await desk.log.take([desk.wrote(friday), desk.answered(friday + minuteMs), desk.wrote(friday + hourMs)]);
  await desk.change({ status: 'resolved' });
  expect(await countOf(desk.log, 'support_cases')).toBe(0);
  expect(await countOf(desk.log, 'surveys')).toBe(0);
});

test('nobody in particular waits in a group', async () => {
  const desk = await supportDesk({ policies: [hour] });
  const groupId = '120363041234567890@g.us';
  await desk.log.take([desk.wrote(friday, 'hello', { chatType: 'group', groupId })]);
  expect(await desk.log.conversationOf({ numberId: desk.numberId, groupId })).toMatchObject({
    firstResponseDueAt: null,
    sla: 'none',
  });
  expect(await countOf(desk.log, 'support_cases')).toBe(0);
});

test('an alias that turns out to be a person known by number has one clock with them', async () => {
  const desk = await supportDesk({ policies: [hour] });
  const lid = '100000000000017';
  await desk.log.take([
    desk.wrote(friday),
    desk.wrote(friday + minuteMs, 'me too', { from: lid, senderLid: lid }),
    desk.wrote(friday + 2 * minuteMs, 'it is me', { from: phoneNumber, senderLid: lid }),
  ]);
  expect(await countOf(desk.log, 'conversations')).toBe(1);
  vi.setSystemTime(friday + 2 * hourMs);
  await desk.ring();
  expect(await desk.alerts()).toEqual([{ target: 'first_response', isOver: false }]);
  expect(await countOf(desk.log, 'support_cases')).toBe(1);
});

test('what an account has set last holds, also where the database answers with something older', async () => {
  const desk = await supportDesk({ policies: [hour], hours: [office] });
  const { DB } = env;
  await DB.batch([
    DB.prepare('update accounts set revision = 0 where id = ?').bind(desk.accountId),
    DB.prepare('delete from sla_policies where account_id = ?').bind(desk.accountId),
  ]);
  await desk.log.refresh();
  await desk.log.take([desk.wrote(friday)]);
  expect(await desk.conversation()).toMatchObject({ firstResponseDueAt: monday });
});

test('who is late in a conversation that becomes a part of another is late in that one alone', async () => {
  const desk = await supportDesk({ policies: [hour] });
  const lid = '100000000000017';
  await desk.log.take([desk.wrote(friday), desk.wrote(friday, 'me too', { from: lid, senderLid: lid })]);
  vi.setSystemTime(friday + 2 * hourMs);
  await desk.ring();
  expect(await desk.alerts()).toMatchObject([{ isOver: false }, { isOver: false }]);
  await desk.log.take([desk.wrote(friday + 2 * hourMs, 'it is me', { senderLid: lid })]);
  expect((await desk.alerts()).filter(({ isOver }) => !isOver)).toHaveLength(1);
  expect(await countOf(desk.log, 'support_cases')).toBe(1);
});

test('whoever is erased is late no more, and no alert knows their name', async () => {
  const desk = await supportDesk({ policies: [hour] });
  await desk.log.take([desk.wrote(friday, 'hello', { pushName: 'Santoso' })]);
  vi.setSystemTime(friday + 2 * hourMs);
  await desk.ring();
  const [alert] = await desk.log.alerts(1, null);
  expect(alert).toMatchObject({ endedAt: null, detail: { name: 'Santoso' } });
  await runInDurableObject(desk.log, (_, { storage }) => {
    const told = { channelId: newUuid(), news: 'raised', alerts: [alert as Alert], at: 1, dueAt: 1 } as const;
    new AlertDeliveryRows(storage.sql).insert(told);
  });
  const [contact] = await desk.log.contactsAt([phoneNumber]);
  const begun = await desk.log.eraseContact(contact?.contactId ?? '', 0);
  while ((await desk.log.contactErasure(begun?.erasureId ?? ''))?.stage !== 'done') await desk.ring();
  expect(await desk.alerts()).toEqual([{ target: 'first_response', isOver: true }]);
  for (const table of ['alerts', 'alert_deliveries']) {
    const about = table === 'alerts' ? 'detail' : 'alerts';
    expect(await countOf(desk.log, table)).toBe(1);
    expect(await countOf(desk.log, `${table} WHERE ${about} LIKE '%Santoso%'`)).toBe(0);
  }
  expect(await countOf(desk.log, 'support_cases')).toBe(0);
});

test('the alarm rings by itself when a target is due', async () => {
  vi.useRealTimers();
  const desk = await supportDesk({ policies: [{ firstResponseSeconds: 1 }] });
  await desk.log.take([desk.wrote(Date.now())]);
  await until(async () => (await desk.conversation()).sla === 'missed');
  expect(await desk.alerts()).toHaveLength(1);
});
