import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { leaseTimes } from '../../../src/contract/bridge/bridge-frames.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { newFleet } from './fleet-stage.ts';

const minuteMs = 60_000;
const accountId = newUuid();

describe('a bridge that is lost', () => {
  afterEach(() => vi.useRealTimers());

  test('an account whose numbers wait for a lost bridge is told, once, and told when that is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fleet, linked } = newFleet();
    const bridge = await linked();
    const owner = newUuid();
    const numbers = [newUuid(), newUuid()];
    for (const numberId of numbers) await fleet.acquire(numberId, owner);
    await bridge.granted(numbers[1] ?? '');
    const alerts = () => env.EVENT_LOG.getByName(owner).alerts(10, null);
    bridge.close();
    await until(async () => (await fleet.stats()).bridges === 0);
    vi.setSystemTime(Date.now() + minuteMs);
    await runDurableObjectAlarm(fleet);
    expect(await alerts()).toEqual([]);
    await evictDurableObject(fleet);
    vi.setSystemTime(Date.now() + 2 * minuteMs);
    await runDurableObjectAlarm(fleet);
    const [told] = await until(async () => ((await alerts()).length > 0 ? alerts() : null));
    expect(told).toMatchObject({
      kind: 'bridge.lost',
      subject: `bridge:${bridge.bridgeId}`,
      detail: { numbers: 2 },
      endedAt: null,
    });
    await runDurableObjectAlarm(fleet);
    expect(await alerts()).toHaveLength(1);
    await linked({ bridgeId: bridge.bridgeId });
    await runDurableObjectAlarm(fleet);
    await until(async () => (await alerts())[0]?.endedAt !== null);
    expect(await alerts()).toHaveLength(1);
  });

  test('an account whose numbers no bridge takes is told, once, how many wait, and told when all of them have one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fleet, linked } = newFleet();
    const [owner, other] = [newUuid(), newUuid()];
    const alertsOf = (account: string) => env.EVENT_LOG.getByName(account).alerts(10, null);
    const numbers = [newUuid(), newUuid(), newUuid()];
    for (const numberId of numbers) await fleet.acquire(numberId, owner);
    vi.setSystemTime(Date.now() + minuteMs);
    const late = newUuid();
    await fleet.acquire(late, other);
    await evictDurableObject(fleet);
    vi.setSystemTime(Date.now() + minuteMs);
    await runDurableObjectAlarm(fleet);
    const [told] = await until(async () => ((await alertsOf(owner)).length > 0 ? alertsOf(owner) : null));
    const subject = 'region:none';
    const detail = { numbers: 3, bridges: 0 };
    expect(told).toMatchObject({ kind: 'bridge.lost', subject, detail, endedAt: null });
    // Who has waited for less than that is not told yet.
    expect(await alertsOf(other)).toEqual([]);

    // One has room for two of the four, in turn by account: the last one goes on waiting, and is told of once.
    const bridge = await linked({ capacity: 2 });
    await bridge.granted(late);
    const countsOf = async (numbers: number) => {
      await runDurableObjectAlarm(fleet);
      return (await alertsOf(owner))[0]?.detail.numbers === numbers;
    };
    await until(() => countsOf(2));
    await fleet.acquire(newUuid(), owner);
    await until(() => countsOf(3));
    expect(await alertsOf(owner)).toMatchObject([{ detail: { numbers: 3, bridges: 1 }, endedAt: null }]);
    const another = await linked();
    for (const numberId of numbers)
      await until(() =>
        [bridge, another].some(({ heard }) =>
          heard.some((frame) => frame.type === 'lease.granted' && frame.numberId === numberId),
        ),
      );
    await until(async () => {
      await runDurableObjectAlarm(fleet);
      return (await alertsOf(owner))[0]?.endedAt !== null;
    });
    expect(await alertsOf(owner)).toHaveLength(1);
    expect(await alertsOf(other)).toEqual([]);
  });

  test('an account whose numbers a lost bridge has held waits for no longer than others', async () => {
    const { fleet, linked } = newFleet();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const [unlucky, other] = [newUuid(), newUuid()];
    const lost = await linked({ capacity: 4 }, true);
    const numbers = Array.from({ length: 4 }, () => newUuid());
    for (const numberId of numbers) await fleet.acquire(numberId, unlucky);
    await Promise.all(numbers.map((numberId) => lost.granted(numberId)));
    lost.close();
    await until(async () => (await fleet.stats()).bridges === 0);
    for (let index = 0; index < 4; index += 1) await fleet.acquire(newUuid(), other);
    vi.setSystemTime(Date.now() + minuteMs);
    await runDurableObjectAlarm(fleet);
    const bridge = await linked({ capacity: 4 });
    const granted = () =>
      bridge.heard.flatMap((frame) => (frame.type === 'lease.granted' ? frame.numberId : []));
    await until(() => granted().length === 4);
    expect(granted().filter((numberId) => numbers.includes(numberId))).toHaveLength(2);
  });

  test('closes the link of a bridge that nothing was heard of for long, and gives it nothing any more', async () => {
    const { fleet, linked } = newFleet();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - minuteMs });
    const [silent, alive] = [await linked({}, true), await linked()];
    // The platform answers a ping by itself, and notes when, by the true clock.
    await until(() => alive.pongs > 0);
    await evictDurableObject(fleet);
    vi.useRealTimers();
    await runDurableObjectAlarm(fleet);
    await until(() => silent.closed !== null);
    expect(alive.closed).toBeNull();
    expect(await fleet.stats()).toEqual({ bridges: 1 });
    const numberId = newUuid();
    await fleet.acquire(numberId, accountId);
    await alive.granted(numberId);
  });

  test('gives the numbers of a bridge that is gone to others when its leases have run out, under a higher epoch', async () => {
    const { fleet, linked } = newFleet();
    const [first, second] = [await linked(), await linked()];
    const numberId = newUuid();
    await fleet.acquire(numberId, accountId);
    const [holder, other] = await until(async () => {
      for (const [one, two] of [
        [first, second],
        [second, first],
      ] as const)
        if ((await fleet.standing(numberId, one.bridgeId, 1)) === 'drive') return [one, two] as const;
      return false;
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    holder.close();
    const known = () => fleet.bridges().then((all) => all.find((it) => it.bridgeId === holder.bridgeId));
    await until(async () => (await known())?.isLinked === false);
    await evictDurableObject(fleet);
    // Not before: until then the bridge may still speak for the number.
    await runDurableObjectAlarm(fleet);
    expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('drive');
    const back = await linked({ bridgeId: other.bridgeId });
    vi.setSystemTime(((await known())?.leasesUntil ?? 0) + 1);
    await runDurableObjectAlarm(fleet);
    expect(await back.granted(numberId)).toMatchObject({ epoch: 2 });
    expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('report');

    const returned = await linked({ bridgeId: holder.bridgeId, leases: [{ numberId, epoch: 1 }] });
    expect(returned.heard.map(({ type }) => type)).toEqual(['lease.expired', 'bridge.welcome']);
  });

  test('leaves the numbers of a bridge that is gone with it where nobody else has room', async () => {
    const { fleet, linked } = newFleet();
    const bridge = await linked({ capacity: 2 });
    const numberId = newUuid();
    await fleet.acquire(numberId, accountId);
    await bridge.granted(numberId);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    bridge.close();
    await until(async () => (await fleet.bridges()).every(({ isLinked }) => !isLinked));
    vi.setSystemTime(Date.now() + minuteMs);
    await runDurableObjectAlarm(fleet);
    expect(await fleet.standing(numberId, bridge.bridgeId, 1)).toBe('drive');
    const back = await linked({ bridgeId: bridge.bridgeId, leases: [{ numberId, epoch: 1 }] });
    expect(await back.granted(numberId)).toMatchObject({ epoch: 1 });
    expect(back.heard.map(({ type }) => type)).not.toContain('lease.expired');
  });

  test('gives the numbers of the only bridge to it when it comes back as a new one, its disk being gone', async () => {
    const { fleet, linked } = newFleet();
    const bridge = await linked();
    const numberId = newUuid();
    await fleet.acquire(numberId, accountId);
    await bridge.granted(numberId);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    bridge.close();
    await until(async () => (await fleet.bridges()).every(({ isLinked }) => !isLinked));
    vi.setSystemTime(Date.now() + minuteMs);
    await runDurableObjectAlarm(fleet);
    const anew = await linked();
    expect(await anew.granted(numberId)).toMatchObject({ epoch: 2 });
    expect(await fleet.standing(numberId, bridge.bridgeId, 1)).toBe('report');
  });

  test('waits for longer where nothing is heard of any bridge: it may be the fleet that hears nothing', async () => {
    const { fleet, linked } = newFleet();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const [one, two] = await Promise.all([linked({}, true), linked({}, true)]);
    // Nothing is heard of either: it may be the fleet that hears nothing.
    vi.setSystemTime(Date.now() + leaseTimes.validMsMin + leaseTimes.marginMs);
    await runDurableObjectAlarm(fleet);
    expect((await fleet.stats()).bridges).toBe(2);
    vi.setSystemTime(Date.now() + leaseTimes.expiresMs);
    await runDurableObjectAlarm(fleet);
    await until(() => one.closed !== null && two.closed !== null);
  });
});
