import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AlertMute } from '../../src/contract/alerts/alert-channels.ts';
import { AlertRows } from '../../src/durable/event-log/alerts/alert-rows.ts';
import { AlertConfiguration } from '../../src/durable/event-log/alerts/deliveries/alert-configuration.ts';
import { AlertDeliveries } from '../../src/durable/event-log/alerts/deliveries/alert-deliveries.ts';
import { AlertDeliveryRows } from '../../src/durable/event-log/alerts/deliveries/alert-delivery-rows.ts';
import type { AlertChannel, ToldAlert } from '../../src/durable/event-log/alerts/deliveries/alert-order.ts';
import { Digests, Telling } from '../../src/durable/event-log/alerts/deliveries/telling.ts';
import { LogState } from '../../src/durable/event-log/log-state.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { newLog } from './event-log/event-log-fixture.ts';

const channelWith = (more: Partial<AlertChannel> = {}): AlertChannel => ({
  id: newUuid(),
  kind: 'webhook',
  shownTarget: 'https://alerts.example.com/hook',
  sealedTarget: null,
  kinds: null,
  numberIds: null,
  digest: null,
  enabled: true,
  confirmedAt: null,
  createdAt: 0,
  ...more,
});

/** What tells of alerts, in a storage of its own, with the channels that the test says. */
function stageIn(storage: DurableObjectStorage) {
  const state = new LogState(storage.sql);
  const accountId = newUuid();
  const alerts = new AlertRows(storage.sql, 0, () => {});
  const rows = new AlertDeliveryRows(storage.sql);
  const mutes: AlertMute[] = [];
  const configurationOf = (...channels: AlertChannel[]) => {
    state.put('alerts.configuration', { revision: 5, channels, mutes });
    return new AlertConfiguration(state, env.DB, accountId);
  };
  return {
    alerts,
    rows,
    mutes,
    accountId,
    configurationOf,
    /** As a new life of the log has them. */
    deliveries(...channels: AlertChannel[]) {
      configurationOf(...channels);
      return new AlertDeliveries({
        ...{ ctx: { storage, waitUntil() {} } as never, d1: env.DB, accountId, state, alerts },
        ...{ wakeUps: { alerts: async () => {} } as never, ladder: [30], graceMs: 0, canMail: true },
        ...{ reload() {}, arm() {} },
      });
    },
    telling(...channels: AlertChannel[]) {
      const own = { alerts, deliveries: rows, configuration: configurationOf(...channels) };
      const telling = new Telling({ ...own, canMail: false });
      return { telling, digests: new Digests({ ...own, state, telling }) };
    },
    newsTo: ({ id }: AlertChannel) => rows.page(id, 100, null).map(({ news }) => news),
  };
}

const inStage = (work: (stage: ReturnType<typeof stageIn>) => unknown) =>
  runInDurableObject(newLog(), (_, { storage }) => work(stageIn(storage)));

const banOf = (numberId: string, at: number) => ({
  kind: 'device.banned' as const,
  subject: `number:${numberId}`,
  at,
  detail: {},
});

test('a channel that is switched off before its message has left gets nothing, and the list says why', () =>
  inStage(({ alerts, rows, telling, deliveries }) => {
    const channel = channelWith();
    const now = Date.now();
    alerts.raise(banOf(newUuid(), now));
    telling(channel).telling.run(now + 1_000);
    expect(deliveries({ ...channel, enabled: false }).begin(5)).toEqual([]);
    expect(rows.page(channel.id, 5, null)).toMatchObject([
      { status: 'failed', nextAttemptAt: null, attempts: [{ error: 'The channel was disabled.' }] },
    ]);
  }));

test('the end of a trouble is told to those who heard of its beginning, and to nobody else', () =>
  inStage(({ alerts, newsTo, telling }) => {
    const [told, off, later] = [channelWith(), channelWith(), channelWith()];
    const now = Date.now();
    const numberId = newUuid();
    alerts.raise(banOf(numberId, now));
    telling(told, off).telling.run(now + 1_000);
    alerts.end(['device.banned'], `number:${numberId}`, now + 2_000);
    telling(told, { ...off, enabled: false }, later).telling.run(now + 3_000);
    expect([told, off, later].map(newsTo)).toEqual([['ended', 'raised'], ['raised'], []]);
  }));

test('the end of a trouble is not told to a channel that is no longer for its number', () =>
  inStage(({ alerts, newsTo, telling }) => {
    const channel = channelWith();
    const now = Date.now();
    const numberId = newUuid();
    alerts.raise(banOf(numberId, now));
    telling(channel).telling.run(now + 1_000);
    alerts.end(['device.banned'], `number:${numberId}`, now + 2_000);
    telling({ ...channel, numberIds: [newUuid()] }).telling.run(now + 3_000);
    expect(newsTo(channel)).toEqual(['raised']);
  }));

test('what is under way to a channel is not begun a second time before its attempt may be over', () =>
  inStage(({ alerts, telling, deliveries }) => {
    const channel = channelWith();
    const now = Date.now();
    alerts.raise(banOf(newUuid(), now));
    telling(channel).telling.run(now + 1_000);
    expect([1, 2].map(() => deliveries(channel).begin(5).length)).toEqual([1, 0]);
  }));

test('a message to a channel does not wait until a clock that was set back has caught up, be it tried already or not', () =>
  inStage(({ rows, deliveries }) => {
    const channel = channelWith();
    const before = Date.now() + 3_600_000;
    const first = { channelId: channel.id, news: 'raised', alerts: [], at: before, dueAt: before } as const;
    rows.insert(first);
    const begin = () => {
      const it = deliveries(channel);
      for (const timer of it.timers) timer.clockWentBack?.(Date.now());
      return it.begin(5);
    };
    const [begun] = begin();
    expect(begun).toMatchObject({ attempt: 1 });
    const attempt = { at: before, statusCode: 500, durationMs: 1, error: 'HTTP 500' };
    rows.record(begun?.deliveryId ?? '', [attempt], false, before + 30_000);
    expect(begin()).toMatchObject([{ attempt: 2 }]);
  }));

test('channels are told of a trouble, and of its end, in time where the clock was set back, and of a muted one when the mute is over', () =>
  inStage(({ alerts, mutes, newsTo, deliveries, telling }) => {
    const channel = channelWith();
    const now = Date.now();
    const [numberId, other, muted] = [newUuid(), newUuid(), newUuid()];
    mutes.push({ id: newUuid(), kind: null, numberId: muted, until: now + 7_200_000 });
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    for (const number of [numberId, muted]) alerts.raise(banOf(number, Date.now()));
    telling(channel).telling.run(Date.now());
    expect(newsTo(channel)).toEqual(['raised']);
    alerts.end(['device.banned'], `number:${numberId}`, Date.now());
    alerts.raise(banOf(other, Date.now()));
    vi.setSystemTime(now);
    for (const timer of deliveries(channel).timers) timer.clockWentBack?.(now);
    expect(alerts.tellAt).toBe(now);
    telling(channel).telling.run(now);
    expect(newsTo(channel).toSorted()).toEqual(['ended', 'raised', 'raised']);
    expect(alerts.tellAt).toBe(now + 7_200_000);
  }));

test('the end of a trouble that is muted by then is told to nobody, also later', () =>
  inStage(({ alerts, mutes, newsTo, telling }) => {
    const channel = channelWith();
    const now = Date.now();
    const numberId = newUuid();
    alerts.raise(banOf(numberId, now));
    telling(channel).telling.run(now + 1_000);
    mutes.push({ id: newUuid(), kind: null, numberId, until: now + 60_000 });
    alerts.end(['device.banned'], `number:${numberId}`, now + 2_000);
    for (const at of [now + 3_000, now + 61_000]) telling(channel).telling.run(at);
    expect(newsTo(channel)).toEqual(['raised']);
  }));

test('a trouble that is over before its channels are told is told once; one that was muted till it was over, never', () =>
  inStage(({ alerts, mutes, newsTo, telling }) => {
    const channel = channelWith();
    const now = Date.now();
    const [short, muted] = [newUuid(), newUuid()];
    mutes.push({ id: newUuid(), kind: null, numberId: muted, until: now + 60_000 });
    for (const numberId of [short, muted]) alerts.raise(banOf(numberId, now));
    alerts.end(['device.banned'], `number:${short}`, now);
    telling(channel).telling.run(now + 1_000);
    expect(newsTo(channel)).toEqual(['raised']);
    alerts.end(['device.banned'], `number:${muted}`, now + 2_000);
    telling(channel).telling.run(now + 61_000);
    expect(newsTo(channel)).toEqual(['raised']);
  }));

test('what is told for its own sake while it is muted is told to nobody, and looked at no more', () =>
  inStage(({ alerts, mutes, newsTo, telling }) => {
    const channel = channelWith();
    const now = Date.now();
    const numberId = newUuid();
    mutes.push({ id: newUuid(), kind: null, numberId, until: now + 60_000 });
    alerts.raise({ ...banOf(numberId, now), isOver: true });
    telling(channel).telling.run(now + 1_000);
    expect(alerts.tellAt).toBeNull();
    telling(channel).telling.run(now + 61_000);
    expect(newsTo(channel)).toEqual([]);
  }));

test('a mute that is over holds nothing up', () =>
  inStage(({ alerts, mutes, newsTo, telling }) => {
    const channel = channelWith();
    const now = Date.now();
    const numberId = newUuid();
    mutes.push({ id: newUuid(), kind: null, numberId, until: now + 60_000 });
    alerts.raise(banOf(numberId, now));
    telling(channel).telling.run(now + 1_000);
    expect(newsTo(channel)).toEqual([]);
    telling(channel).telling.run(now + 60_000);
    expect(newsTo(channel)).toEqual(['raised']);
  }));

test('a test of a channel that is deleted meanwhile leaves nothing behind', () =>
  inStage(({ rows, deliveries }) => {
    const [channel, gone] = [channelWith(), channelWith()];
    const told = deliveries(channel);
    const attempt = { at: Date.now(), statusCode: 200, durationMs: 5, error: null };
    for (const { id } of [channel, gone]) {
      told.noteTest(id, newUuid(), { attempt, outcome: 'delivered', retryAfterSeconds: null });
    }
    expect(rows.channelIds()).toEqual([channel.id]);
  }));

test('a digest goes on from the last one whatever is changed meanwhile, and none waits for an address that gets no mail', () =>
  inStage(({ alerts, rows, newsTo, telling }) => {
    const digest = { hour: 8, timeZone: 'UTC', only: true };
    const [hook, mail] = [channelWith({ digest }), channelWith({ digest, kind: 'email' })];
    const { digests } = telling(hook, mail);
    const begun = Date.UTC(2026, 0, 31, 9);
    digests.follow(begun);
    alerts.raise({ ...banOf(newUuid(), begun + 60_000), isOver: true });
    digests.follow(begun + 3_600_000);
    const dueAt = Date.UTC(2026, 1, 1, 8);
    expect(digests.dueAt()).toBe(dueAt);
    digests.run(dueAt);
    expect([newsTo(hook), newsTo(mail)]).toEqual([['digest'], []]);
    expect(rows.page(hook.id, 5, null)[0]?.alerts).toMatchObject([{ at: begun + 60_000 }]);
    expect(digests.dueAt()).toBe(dueAt + 86_400_000);
    // A day on which nothing has happened has none.
    digests.run(dueAt + 86_400_000);
    expect(newsTo(hook)).toEqual(['digest']);
    // What lasts is in each, and what has ended in the next one.
    const numberId = newUuid();
    alerts.raise(banOf(numberId, dueAt + 90_000_000));
    for (const day of [2, 3]) digests.run(dueAt + day * 86_400_000);
    const endedAt = dueAt + 3.5 * 86_400_000;
    alerts.end(['device.banned'], `number:${numberId}`, endedAt);
    for (const day of [4, 5]) digests.run(dueAt + day * 86_400_000);
    expect(newsTo(hook)).toEqual(['digest', 'digest', 'digest', 'digest']);
    expect(rows.page(hook.id, 1, null)[0]?.alerts).toMatchObject([{ endedAt }]);
  }));

test('a digest that a clock has put off that went back since comes on the next morning, with what happened meanwhile', () =>
  inStage(({ alerts, rows, newsTo, telling }) => {
    const hook = channelWith({ digest: { hour: 8, timeZone: 'UTC', only: true } });
    const { digests } = telling(hook);
    digests.follow(Date.UTC(2026, 1, 6, 9));
    const now = Date.UTC(2026, 0, 31, 9);
    digests.clockWentBack(now);
    alerts.raise({ ...banOf(newUuid(), now + 60_000), isOver: true });
    const dueAt = Date.UTC(2026, 1, 1, 8);
    expect(digests.dueAt()).toBe(dueAt);
    digests.run(dueAt);
    expect(newsTo(hook)).toEqual(['digest']);
    expect(rows.page(hook.id, 1, null)[0]?.alerts).toMatchObject([{ at: now + 60_000 }]);
    // One a day, also where the clock shows its hour again.
    digests.clockWentBack(dueAt - 3_600_000);
    expect(digests.dueAt()).toBe(dueAt + 86_400_000);
  }));

test('what comes together is told in the order in which it came, and a digest tells of the newest hundred', () =>
  inStage(({ alerts, rows, telling }) => {
    const channel = channelWith({ digest: { hour: 8, timeZone: 'UTC', only: false } });
    const { telling: told, digests } = telling(channel);
    const now = Date.now();
    digests.follow(now - 10_000);
    for (const at of [now, now - 5_000]) alerts.raise(banOf(newUuid(), at));
    told.run(now + 1_000);
    const timesOf = () => rows.page(channel.id, 1, null)[0]?.alerts.map(({ at }) => at);
    expect(timesOf()).toEqual([now - 5_000, now]);
    for (let more = 1; more <= 99; more += 1) alerts.raise(banOf(newUuid(), now + more));
    digests.run(digests.dueAt() ?? 0);
    expect(timesOf()?.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, index) => now + index),
    );
  }));

test('a channel that wants its digest alone hears of nothing at once', () =>
  inStage(({ alerts, newsTo, telling }) => {
    const digest = { hour: 9, timeZone: 'Asia/Jakarta', only: true };
    const [quiet, both] = [channelWith({ digest }), channelWith({ digest: { ...digest, only: false } })];
    const now = Date.now();
    alerts.raise(banOf(newUuid(), now));
    telling(quiet, both).telling.run(now + 1_000);
    expect([newsTo(quiet), newsTo(both)]).toEqual([[], ['raised']]);
  }));

test('a message that waits takes no more than a message may hold, and tests are no messages of the hour', () =>
  inStage(({ rows, telling }) => {
    const channel = channelWith();
    const { telling: told } = telling(channel);
    const now = Date.now();
    const put = (count: number) => {
      const alerts = Array.from({ length: count }, () => ({ id: newUuid() }) as ToldAlert);
      told.put(channel.id, 'raised', alerts, now);
    };
    const attempt = { at: now, statusCode: 200, durationMs: 5, error: null };
    for (let tests = 0; tests < 20; tests += 1) {
      rows.insertTest(newUuid(), channel.id, { attempt, outcome: 'delivered', retryAfterSeconds: null });
    }
    for (let messages = 0; messages < 20; messages += 1) put(1);
    for (const count of [60, 40, 1, 5]) put(count);
    expect(rows.page(channel.id, 3, null).map(({ alerts }) => alerts.length)).toEqual([6, 100, 1]);
  }));

test('a message to a channel forgets a name also when its alert is so old that it is not kept any more', () =>
  inStage(({ alerts, rows }) => {
    const [channelId, erased, other] = [newUuid(), newUuid(), newUuid()];
    const late = (conversationId: string, name: string): ToldAlert => ({
      ...{ id: newUuid(), kind: 'support.response_late', subject: `conversation:${conversationId}`, at: 1 },
      ...{ detail: { name, conversationId }, endedAt: null, acknowledgedBy: null },
    });
    const told = [late(erased, 'Santoso'), late(other, 'Dewi')];
    rows.insert({ channelId, news: 'raised', alerts: told, at: 1, dueAt: 1 });
    const joined = newUuid();
    alerts.readdress(`conversation:${erased}`, joined);
    alerts.forgetName(`conversation:${joined}`);
    expect(rows.page(channelId, 5, null)[0]?.alerts).toEqual([
      { ...told[0], subject: `conversation:${joined}`, detail: { conversationId: joined } },
      told[1],
    ]);
  }));

test('channels as they were before a change do not come back, and what was to go to one that is gone goes with it', () =>
  inStage(async ({ rows, accountId, configurationOf, deliveries }) => {
    const [stays, gone] = [channelWith(), channelWith()];
    const insert =
      "insert into accounts (id, name, plan, created_at, revision) values (?, 'A', 'free', 0, 4)";
    await env.DB.prepare(insert).bind(accountId).run();
    const configuration = configurationOf(stays);
    await configuration.refresh();
    expect(configuration.channels).toEqual([stays]);
    for (const { id: channelId } of [stays, gone]) {
      rows.insert({ channelId, news: 'raised', alerts: [], at: Date.now(), dueAt: Date.now() });
    }
    await deliveries(stays).refresh();
    expect(rows.channelIds()).toEqual([stays.id]);
    const mute = (owner: string) =>
      env.DB.prepare('insert into alert_mutes values (?, ?, null, null, ?, ?, 0)')
        .bind(newUuid(), owner, Date.now() + 60_000, 'owner@example.com')
        .run();
    for (const owner of [accountId, newUuid()]) await mute(owner);
    await env.DB.prepare('update accounts set revision = 6 where id = ?').bind(accountId).run();
    await configuration.refresh();
    expect(configuration.channels).toEqual([]);
    // Those of another account are none of it.
    expect(configuration.mutes).toHaveLength(1);
  }));

test('of those who say that they know of an alert the first one stands', () =>
  inStage(({ alerts }) => {
    alerts.raise(banOf(newUuid(), 1));
    const [alert] = alerts.newest(1, null, true);
    const acknowledge = (by: string, at: number) => alerts.acknowledge(alert?.id ?? '', by, at);
    const first = { acknowledgedBy: 'first', acknowledgedAt: 5 };
    expect([acknowledge('first', 5), acknowledge('second', 6)]).toMatchObject([first, first]);
  }));

test('a digest tells of what its channel is for, and of nothing else', () =>
  inStage(({ alerts, rows, telling }) => {
    const digest = { hour: 8, timeZone: 'UTC', only: true };
    const [mine, other] = [newUuid(), newUuid()];
    const channel = channelWith({ digest, numberIds: [mine] });
    const { digests } = telling(channel);
    digests.follow(Date.now() - 1_000);
    for (const numberId of [mine, other]) alerts.raise(banOf(numberId, Date.now()));
    digests.run(digests.dueAt() ?? 0);
    expect(rows.page(channel.id, 5, null)).toMatchObject([{ alerts: [{ subject: `number:${mine}` }] }]);
  }));

test('a channel that gets a digest from now on is told nothing of what was over before', () =>
  inStage(({ alerts, newsTo, telling }) => {
    const channel = channelWith({ digest: { hour: 8, timeZone: 'UTC', only: true } });
    const { digests } = telling(channel);
    const begun = Date.UTC(2026, 0, 31, 9);
    alerts.raise({ ...banOf(newUuid(), begun - 3_600_000), isOver: true });
    digests.follow(begun);
    digests.run(digests.dueAt() ?? 0);
    expect(newsTo(channel)).toEqual([]);
  }));
