import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { campaignReasons } from '../../src/contract/campaigns/campaign.ts';
import { disconnectReasons, logoutReasons } from '../../src/contract/numbers/reasons.ts';
import { AlertRows } from '../../src/durable/event-log/alerts/alert-rows.ts';
import { AlertDeliveryRows } from '../../src/durable/event-log/alerts/deliveries/alert-delivery-rows.ts';
import { DeviceTroubles, MessageFailures } from '../../src/durable/event-log/alerts/troubles.ts';
import type { DeviceRecord, Fact } from '../../src/durable/event-log/facts.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import {
  deviceChanged,
  failed,
  type LogStub,
  namesOf,
  newLog,
  queued,
  received,
  record,
  sent,
} from './event-log/event-log-fixture.ts';

const graceMs = 120_000;

/** The changes of one device, each with the next revision. */
function device() {
  const numberId = newUuid();
  let revision = 0;
  const changed = (state: DeviceRecord['state'], at: number, reason: string | null = null): Fact => {
    revision += 1;
    return { ...deviceChanged({ numberId, revision, state, reason }), at } as Fact;
  };
  return { numberId, subject: `number:${numberId}`, changed };
}

const lost = disconnectReasons.connection_lost;
const shown = async (log: LogStub) =>
  (await log.alerts(50, null)).map(({ kind, subject, endedAt }) => [kind, subject, endedAt !== null]);

/** Rings when something is due; the alarm may have rung by itself. */
const ring = (log: LogStub) => runDurableObjectAlarm(log);

test('a number that is away is told of once it has been away for a while, and once, and its return ends that', async () => {
  const log = newLog();
  const { subject, changed } = device();
  const now = Date.now();
  await log.take([changed('connected', now - 10_000), changed('disconnected', now - 5_000, lost)]);
  expect(await log.alerts(50, null)).toEqual([]);
  // It is back soon: nothing was the matter.
  await log.take([changed('connected', now - 4_000)]);
  await ring(log);
  expect(await log.alerts(50, null)).toEqual([]);

  const gone = now - graceMs - 1_000;
  // From the first loss on, whatever keeps it away since.
  await log.take([
    changed('disconnected', gone, lost),
    changed('disconnected', gone + 60_000, disconnectReasons.network_unavailable),
  ]);
  await evictDurableObject(log);
  await ring(log);
  expect(await shown(log)).toEqual([['device.disconnected', subject, false]]);
  await log.take([changed('disconnected', now, disconnectReasons.network_unavailable)]);
  await evictDurableObject(log);
  await ring(log);
  expect(await shown(log)).toEqual([['device.disconnected', subject, false]]);
  await log.take([changed('connected', now)]);
  expect(
    (await log.alerts(50, null)).map(({ kind, at, endedAt, detail }) => ({ kind, at, endedAt, detail })),
  ).toEqual([
    {
      kind: 'device.recovered',
      at: now,
      endedAt: now,
      detail: { phoneNumber: '15550000001', awaySeconds: 121 },
    },
    {
      kind: 'device.disconnected',
      at: gone,
      endedAt: now,
      detail: { awaySince: new Date(gone).toISOString() },
    },
  ]);
  // Its next absence, and its return from that, are told too.
  await log.take([changed('disconnected', gone + 1, lost)]);
  await ring(log);
  await log.take([changed('connected', now + 1)]);
  const told = await log.alerts(50, null);
  expect(told.filter(({ kind }) => kind === 'device.recovered')).toHaveLength(2);
  expect(told).toHaveLength(4);
});

test('who disconnects or logs out a number on purpose is not told of it', async () => {
  const log = newLog();
  const longAgo = Date.now() - 2 * graceMs;
  await log.take([
    device().changed('disconnected', longAgo, disconnectReasons.requested),
    device().changed('logged_out', longAgo, logoutReasons.logged_out_on_request),
  ]);
  await ring(log);
  expect(await log.alerts(50, null)).toEqual([]);
});

test('a ban or a logout is one alert, and over once the number is connected, or deleted', async () => {
  const log = newLog();
  const [banned, removed] = [device(), device()];
  const now = Date.now();
  await log.take([
    banned.changed('disconnected', now - 2 * graceMs, lost),
    banned.changed('banned', now - 1_000, logoutReasons.banned),
    removed.changed('logged_out', now, logoutReasons.logged_out_by_phone),
  ]);
  // A repeat changes nothing.
  await log.take([deviceChanged({ numberId: banned.numberId, revision: 2, state: 'banned' })]);
  await ring(log);
  expect(await shown(log)).toEqual([
    ['device.logged_out', removed.subject, false],
    ['device.banned', banned.subject, false],
  ]);
  // A pairing that has begun may never be completed.
  await log.take(
    [banned, removed].flatMap(({ changed }) => [changed('pairing', now), changed('unpaired', now)]),
  );
  expect(await log.alerts(50, null, true)).toHaveLength(2);
  await log.take([banned.changed('connected', now)]);
  await log.forgetNumber(removed.numberId);
  expect(await shown(log)).toEqual([
    ['device.logged_out', removed.subject, true],
    ['device.banned', banned.subject, true],
  ]);
  expect(await log.alerts(50, null, true)).toEqual([]);
  expect(await log.alerts(50, null, false)).toHaveLength(2);
});

test('many failures of one number are a trouble, a few are not, and it is over when they end', async () => {
  const log = newLog();
  const [ill, well] = [newUuid(), newUuid()];
  const message = (numberId: string) => record({ numberId, queuedAt: Date.now() });
  const failing = (numberId: string, count: number) =>
    Array.from({ length: count }, () => failed(message(numberId), Date.now()));
  const sending = (numberId: string, count: number) =>
    Array.from({ length: count }, () => sent(message(numberId), Date.now()));
  await log.take([...failing(well, 9), ...failing(ill, 12), ...sending(ill, 20)]);
  await ring(log);
  const [alert, ...others] = await log.alerts(50, null);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    kind: 'message.failures',
    subject: `number:${ill}`,
    detail: { failed: 12, messages: 32, windowMinutes: 15, lastError: 'The network refused it.' },
    endedAt: null,
  });
  // Also what was queued only counts for nothing.
  await log.take([...sending(ill, 100), queued(message(ill))]);
  await evictDurableObject(log);
  await ring(log);
  expect(await shown(log)).toEqual([['message.failures', `number:${ill}`, true]]);
});

test('failures that were wanted, or are a quarter of an hour old, are no trouble; ten others are, and show what failed last', async () => {
  const log = newLog();
  const numberId = newUuid();
  const now = Date.now();
  const failing = (count: number, agoMs: number, more: Partial<Extract<Fact, { kind: 'message.failed' }>>) =>
    Array.from({ length: count }, (_, index) => {
      const message = record({ numberId, queuedAt: now - agoMs + index });
      return { ...failed(message, now), ...more } as Fact;
    });
  await log.take([
    ...failing(12, 60_000, { errorCode: 'recipient_opted_out' }),
    ...failing(12, 60_000, { errorCode: 'number_deleted' }),
    ...failing(12, 60_000, { errorCode: 'cancelled' }),
    // What comes in is no outcome of what goes out.
    received({ at: new Date(now).toISOString() }, numberId),
    ...failing(12, 16 * 60_000, {}),
    ...failing(9, 14 * 60_000, {}),
    ...Array.from({ length: 40 }, () => queued(record({ numberId, queuedAt: now }))),
  ]);
  await ring(log);
  expect(await log.alerts(50, null)).toEqual([]);
  // A later life looks at once.
  await evictDurableObject(log);
  await log.take(failing(1, 1_000, { errorMessage: 'It was refused last.' }));
  await ring(log);
  const detail = { failed: 10, messages: 10, windowMinutes: 15, lastError: 'It was refused last.' };
  expect(await log.alerts(50, null)).toMatchObject([{ kind: 'message.failures', detail }]);
  // Seen again, it shows what there is now.
  await evictDurableObject(log);
  await log.take(failing(2, 500, { errorMessage: 'It was refused again.' }));
  await ring(log);
  const newest = { ...detail, failed: 12, messages: 12, lastError: 'It was refused again.' };
  expect(await log.alerts(50, null)).toMatchObject([{ kind: 'message.failures', detail: newest }]);
  // Fewer than begin a trouble, and more than half of that: it lasts.
  const good = Array.from({ length: 48 }, () => sent(record({ numberId, queuedAt: now }), now));
  await evictDurableObject(log);
  await log.take(good);
  await ring(log);
  expect(await log.alerts(50, null, true)).toHaveLength(1);
  await log.forgetNumber(numberId);
  expect(await log.alerts(50, null, true)).toEqual([]);
});

test('failures are a trouble until fewer than half as many are left as begin one', async () => {
  const log = newLog();
  const numberId = newUuid();
  const now = Date.now();
  const minuteMs = 60_000;
  const failing = (count: number, minutesAgo: number) =>
    Array.from({ length: count }, () =>
      failed(record({ numberId, queuedAt: now - minutesAgo * minuteMs }), now),
    );
  await log.take([...failing(5, 10), ...failing(1, 6), ...failing(4, 2)]);
  await runInDurableObject(log, (_, { storage }) => {
    const alerts = new AlertRows(storage.sql, 0, () => {});
    const failures = new MessageFailures(storage.sql, alerts);
    failures.note(numberId);
    const isTrouble = (minutesLater: number) => {
      failures.review(now + minutesLater * minuteMs);
      return alerts.isOpen('message.failures', `number:${numberId}`);
    };
    // Ten, then five, then four of the last quarter of an hour.
    expect([0, 7, 10].map(isTrouble)).toEqual([true, true, false]);
  });
});

test('a number that was deleted while it was away is never told of, also by a later life', async () => {
  const log = newLog();
  const { numberId, changed } = device();
  await log.take([changed('disconnected', Date.now() - 2 * graceMs, lost)]);
  await log.forgetNumber(numberId);
  await evictDurableObject(log);
  await ring(log);
  expect(await log.alerts(50, null)).toEqual([]);
  // One that was told of already is over.
  const other = device();
  await log.take([other.changed('disconnected', Date.now() - 2 * graceMs, lost)]);
  await ring(log);
  expect(await shown(log)).toEqual([['device.disconnected', other.subject, false]]);
  await log.forgetNumber(other.numberId);
  expect(await shown(log)).toEqual([['device.disconnected', other.subject, true]]);
});

test('a trouble that comes again is another alert, and the one before it stays as it ended', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const rows = new AlertRows(storage.sql, 0, () => {});
    const [kind, subject, at] = ['device.banned', 'number:1', Date.now()] as const;
    rows.raise({ kind, subject, at, detail: { reason: 'first' } });
    rows.end([kind], subject, at + 1);
    for (const reason of ['second', 'third']) rows.raise({ kind, subject, at: at + 2, detail: { reason } });
    // Whatever its end is dated, it was not over before it began.
    rows.end([kind], subject, at - 3);
    expect(rows.newest(5, null, null)).toMatchObject([
      { at: at + 2, endedAt: at + 2, detail: { reason: 'third' } },
      { at, endedAt: at + 1, detail: { reason: 'first' } },
    ]);
  }));

test('of a thousand troubles the newest are kept, and one that has gone lasts no more; a page has one more where there are more', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    // In the order of their ids, as they begin.
    storage.sql.exec(
      `INSERT INTO alerts (id, kind, subject, at, detail)
         SELECT printf('%08d', value), 'device.banned', 'number:' || value, value, '{}'
         FROM (WITH RECURSIVE all_of (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM all_of WHERE value < 1000)
           SELECT value FROM all_of)`,
    );
    const rows = new AlertRows(storage.sql, 0, () => {});
    const now = Date.now();
    rows.raise({ kind: 'device.banned', subject: 'number:1001', at: now, detail: {} });
    expect(rows.newest(2_000, null, null)).toHaveLength(1_000);
    expect([1, 2].map((at) => rows.isOpen('device.banned', `number:${at}`))).toEqual([false, true]);
    const page = rows.newest(3, null, null);
    expect(page.map(({ at }) => at)).toEqual([now, 1_000, 999]);
    // The next one is of the same kind.
    rows.end(['device.banned'], 'number:998', now);
    const behind = page.at(-1)?.id ?? null;
    expect(rows.newest(2, behind, true).map(({ at }) => at)).toEqual([997, 996]);
    expect(rows.newest(2, behind, false).map(({ at }) => at)).toEqual([998]);
  }));

test('the alert of a quota names the month that it is used up in, and not the one that begins then', async () => {
  const log = newLog();
  const resetAt = '2037-02-01T00:00:00.000Z';
  await log.take([{ kind: 'quota.warning', at: Date.now(), used: 800, limit: 1000, resetAt }]);
  expect(await shown(log)).toEqual([['quota.warning', 'quota:2037-01', false]]);
});

test('most of the quota, then all of it, are an alert each, and over with the month', async () => {
  const log = newLog();
  const now = Date.now();
  const resetAt = new Date(now + 3_600_000).toISOString();
  const subject = `quota:${new Date(now + 3_599_999).toISOString().slice(0, 7)}`;
  const warning: Fact = { kind: 'quota.warning', at: now - 2_000, used: 800, limit: 1000, resetAt };
  const exceeded = (at: number): Fact => ({ kind: 'quota.exceeded', at, used: 1000, limit: 1000, resetAt });
  // One that is told when its month is over warns of nothing.
  await log.take([{ ...warning, at: now + 3_600_000 }]);
  expect(await shown(log)).toEqual([]);
  await log.take([warning]);
  await log.take([warning]);
  expect(await shown(log)).toEqual([['quota.warning', subject, false]]);
  await log.take([exceeded(now - 1_000)]);
  await log.take([exceeded(now + 120_000)]);
  expect(await shown(log)).toEqual([
    ['quota.exceeded', subject, false],
    ['quota.warning', subject, true],
  ]);
  await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec(
      'UPDATE alerts SET ends_at = ? WHERE ended_at IS NULL AND ends_at = ?',
      ...[now - 1, Date.parse(resetAt)],
    ),
  );
  await evictDurableObject(log);
  await ring(log);
  expect((await log.alerts(50, null))[0]).toMatchObject({
    kind: 'quota.exceeded',
    subject,
    endedAt: now - 1,
  });
});

test('a campaign that stops by itself is a trouble until it goes on, and one that a person has paused is none', async () => {
  const log = newLog();
  const campaignId = newUuid();
  const changed = (revision: number, change: 'paused' | 'started', reason: string | null) =>
    ({
      ...{ kind: 'campaign.changed', campaignId, revision, at: Date.now(), change, name: 'Spring' },
      ...{ reason, counts: {} },
    }) as unknown as Fact;
  await log.take([changed(1, 'paused', 'by_person')]);
  expect(await shown(log)).toEqual([]);
  const other = Object.keys(campaignReasons).find((reason) => reason !== 'by_person') ?? null;
  await log.take([changed(2, 'paused', other)]);
  const subject = `campaign:${campaignId}`;
  expect(await shown(log)).toEqual([['campaign.paused', subject, false]]);
  await log.take([changed(3, 'started', null)]);
  await log.take([changed(3, 'started', null)]);
  expect(await namesOf(log)).toEqual(['campaign.paused', 'campaign.paused', 'campaign.started']);
  expect(await shown(log)).toEqual([['campaign.paused', subject, true]]);
});

test('the end of a trouble that is told late ends none that has begun since', async () => {
  const log = newLog();
  const [at, subject] = [Date.now(), `campaign:${newUuid()}`];
  const kind = 'campaign.paused' as const;
  const ended = (when: number): Fact => ({ kind: 'alert.ended', kinds: [kind], subject, at: when });
  await log.take([{ kind: 'alert.raised', trouble: { kind, subject, at, detail: {} } }]);
  await log.take([ended(at - 1)]);
  expect(await shown(log)).toEqual([[kind, subject, false]]);
  await log.take([ended(at)]);
  expect(await shown(log)).toEqual([[kind, subject, true]]);
});

test('what came of telling an alert is counted once, however often it is reported, and what is over stays so', async () => {
  const log = newLog();
  const [channelId, at] = [newUuid(), Date.now()];
  const deliveryId = await runInDurableObject(log, (_, { storage }) => {
    const rows = new AlertDeliveryRows(storage.sql);
    rows.insert({ channelId, news: 'raised', alerts: [], at, dueAt: at });
    return rows.page(channelId, 1, null)[0]?.deliveryId ?? '';
  });
  const report = (ms: number, outcome: 'delivered' | 'retry') => {
    const attempt = { at: at + ms, statusCode: 503, durationMs: 5, error: 'away' };
    return log.reportAlertDelivery(deliveryId, { attempt, outcome, retryAfterSeconds: null } as never);
  };
  const attempts = async () => (await log.alertDeliveries(channelId, 1, null))[0]?.attempts.length;
  expect([await report(1, 'retry'), await report(1, 'retry'), await attempts()]).toEqual([
    'pending',
    'pending',
    1,
  ]);
  expect([await report(2, 'retry'), await attempts()]).toEqual(['pending', 2]);
  expect([await report(3, 'delivered'), await report(4, 'retry')]).toEqual(['delivered', 'delivered']);
  expect(await attempts()).toBe(3);
  expect(await log.reportAlertDelivery(newUuid(), { outcome: 'delivered' } as never)).toBeNull();
});

test('a channel was reached last when its message arrived, not when that was first tried', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const rows = new AlertDeliveryRows(storage.sql);
    const [channelId, at] = [newUuid(), Date.now()];
    const attempt = (ms: number, error: string | null) => ({
      ...{ at: at + ms, statusCode: null, durationMs: 5, error },
    });
    rows.insert({ channelId, news: 'raised', alerts: [], at, dueAt: at });
    const deliveryId = rows.page(channelId, 1, null)[0]?.deliveryId ?? '';
    rows.record(deliveryId, [attempt(1, 'away'), attempt(30_000, null)], true, null);
    expect(rows.stateOf(channelId)).toEqual({ channelId, lastDeliveryAt: at + 30_000, lastError: null });
  }));

test('of a channel so many messages are kept, and all that wait; it shows what failed last, and what is due soon takes no more', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const rows = new AlertDeliveryRows(storage.sql);
    const [channelId, at] = [newUuid(), Date.now()];
    const attempt = (ms: number, error: string) => ({ at: at + ms, statusCode: 503, durationMs: 5, error });
    const put = (dueAt: number) => {
      rows.insert({ channelId, news: 'raised', alerts: [], at: dueAt, dueAt });
      return rows.page(channelId, 1, null)[0]?.deliveryId ?? '';
    };
    const soon = put(at + 90_000);
    expect(rows.waiting(channelId, 'raised', at)).toBeNull();
    const later = put(at + 90_001);
    expect(rows.waiting(channelId, 'raised', at)?.deliveryId).toBe(later);
    rows.record(soon, [attempt(20, 'the newest')], false, at + 200_000);
    rows.record(later, [attempt(10, 'an older one')], false, at + 200_000);
    expect(rows.stateOf(channelId)).toMatchObject({ lastDeliveryAt: null, lastError: 'the newest' });
    for (let tests = 0; tests < 205; tests += 1) {
      rows.insertTest(newUuid(), channelId, { attempt: attempt(tests, 'no'), outcome: 'failed' } as never);
    }
    expect([soon, later].map((id) => rows.find(id)?.status)).toEqual(['pending', 'pending']);
    expect(rows.page(channelId, 1_000, null)).toHaveLength(202);
  }));

test('the trouble of a conversation that has become part of another one leads to that one, in messages to channels too', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const rows = new AlertRows(storage.sql, 0, () => {});
    const deliveries = new AlertDeliveryRows(storage.sql);
    const [from, to, other, channelId, at] = [newUuid(), newUuid(), newUuid(), newUuid(), Date.now()];
    for (const conversationId of [from, other]) {
      const subject = `conversation:${conversationId}`;
      rows.raise({ kind: 'support.response_late', subject, at, detail: { conversationId } });
    }
    deliveries.insert({ channelId, news: 'raised', alerts: rows.newest(5, null, null), at, dueAt: at });
    rows.readdress(`conversation:${from}`, to);
    const led = [to, other].toSorted();
    const leadsTo = (alerts: readonly { subject: string; detail: object }[]) =>
      alerts.map(({ subject, detail }) => [subject, detail]).toSorted();
    const expected = led.map((conversationId) => [`conversation:${conversationId}`, { conversationId }]);
    expect(leadsTo(rows.newest(5, null, null))).toEqual(expected);
    expect(leadsTo(deliveries.page(channelId, 1, null)[0]?.alerts ?? [])).toEqual(expected);
  }));

test('messages to a channel are paged without a repeat', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const rows = new AlertDeliveryRows(storage.sql);
    const [channelId, at] = [newUuid(), Date.now()];
    for (const later of [1, 2, 3])
      rows.insert({ channelId, news: 'raised', alerts: [], at: at + later, dueAt: at });
    const first = rows.page(channelId, 2, null);
    const second = rows.page(channelId, 2, first.at(-1)?.position ?? null);
    expect([first, second].map((page) => page.map((it) => it.at - at))).toEqual([[3, 2], [1]]);
  }));

test('a logout is over once the number is linked again', async () => {
  const log = newLog();
  const { subject, changed } = device();
  await log.take([changed('logged_out', Date.now(), logoutReasons.logged_out_by_phone)]);
  expect(await shown(log)).toEqual([['device.logged_out', subject, false]]);
  await log.take([changed('connected', Date.now())]);
  expect(await shown(log)).toEqual([['device.logged_out', subject, true]]);
});

test('a number that was told to be away is looked at no more', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const troubles = new DeviceTroubles(storage.sql, new AlertRows(storage.sql, 0, () => {}), graceMs);
    const { changed } = device();
    const at = Date.now();
    const fact = changed('disconnected', at, lost);
    if (fact.kind !== 'device.changed') throw new Error('no change of a device');
    troubles.changed(fact.device, at);
    expect(troubles.dueAt()).toBe(at + graceMs);
    troubles.review(at + graceMs);
    expect(troubles.dueAt()).toBeNull();
  }));

test('a number that is away since before the clock was set back is told of in time', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const alerts = new AlertRows(storage.sql, 0, () => {});
    const troubles = new DeviceTroubles(storage.sql, alerts, graceMs);
    const { changed } = device();
    const at = Date.now() + 3_600_000;
    const fact = changed('disconnected', at, lost);
    if (fact.kind !== 'device.changed') throw new Error('no change of a device');
    troubles.changed(fact.device, at);
    expect(troubles.dueAt()).toBeLessThan(Date.now());
    // Not for the clocks of two machines that differ by a moment.
    troubles.review(at - 5_000);
    expect(alerts.open).toEqual([]);
    troubles.review(Date.now());
    expect(alerts.open).toMatchObject([{ kind: 'device.disconnected' }]);
  }));
