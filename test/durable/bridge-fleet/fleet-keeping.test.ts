import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LeaseRows } from '../../../src/durable/bridge-fleet/lease-rows.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { PhoneNumber } from '../../../src/durable/phone-number/phone-number.ts';
import { until } from '../until.ts';
import { holdClock, newFleet, shownBridge } from './fleet-stage.ts';

const dayMs = 86_400_000;
const accountId = newUuid();

holdClock();

test('a bridge that was shutting down takes numbers again once it has begun anew', async () => {
  const { fleet, linked } = newFleet();
  const before = await linked();
  before.say({ type: 'bridge.draining' });
  await until(async () => (await fleet.stats()).bridges === 0);
  const again = await linked({ bridgeId: before.bridgeId });
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  expect(await again.granted(numberId)).toMatchObject({ epoch: 1 });
});

test('a bridge that the operator wants empty stays so when it links anew', async () => {
  const { fleet, linked } = newFleet();
  const { bridgeId } = await linked();
  await fleet.setDrained(bridgeId, true);
  await linked({ bridgeId });
  expect(await shownBridge(fleet, bridgeId)).toMatchObject({ isDrained: true, draining: true });
  await fleet.acquire(newUuid(), accountId);
  expect(await fleet.waitingNumbers()).toBe(1);
});

test('what a bridge says of itself is kept as of that bridge', async () => {
  const { fleet, linked } = newFleet();
  const bridges = [await linked(), await linked()];
  for (const [index, bridge] of bridges.entries()) {
    bridge.say({ type: 'bridge.status', residentBytes: index });
    await until(async () => (await shownBridge(fleet, bridge.bridgeId))?.residentBytes === index);
  }
  expect(await shownBridge(fleet, bridges[0]?.bridgeId ?? '')).toMatchObject({ residentBytes: 0 });
});

test('of the logs that are large those are counted that still are', async () => {
  const { fleet } = newFleet();
  const [first, second] = [newUuid(), newUuid()];
  await fleet.noteLogBytes(first, 10);
  await fleet.noteLogBytes(second, 20);
  await fleet.noteLogBytes(second, 30);
  expect((await fleet.fillingLogs()).toSorted()).toEqual([10, 30]);
  await fleet.noteLogBytes(first, null);
  expect(await fleet.fillingLogs()).toEqual([30]);
});

test('a bridge that is gone is known for a week, and for as long as it holds numbers', async () => {
  const { fleet, linked } = newFleet();
  const holder = await linked({ capacity: 1 });
  const [held, other] = [newUuid(), newUuid()];
  await fleet.acquire(held, accountId);
  await holder.granted(held);
  const idle = await linked({ capacity: 1 });
  idle.close();
  holder.close();
  await until(async () => (await fleet.bridges()).every(({ isLinked }) => !isLinked));
  // It is full, so that nobody takes what the one that is gone has.
  const full = await linked({ capacity: 1 });
  await fleet.acquire(other, accountId);
  await full.granted(other);
  const known = async () => (await fleet.bridges()).map(({ bridgeId }) => bridgeId);
  expect(await known()).toHaveLength(3);
  vi.setSystemTime(Date.now() + 7 * dayMs);
  await linked({ bridgeId: full.bridgeId, capacity: 1, leases: [{ numberId: other, epoch: 1 }] });
  expect(await known()).toHaveLength(3);
  vi.setSystemTime(Date.now() + dayMs);
  await linked({ bridgeId: full.bridgeId, capacity: 1, leases: [{ numberId: other, epoch: 1 }] });
  expect((await known()).toSorted()).toEqual([holder.bridgeId, full.bridgeId].toSorted());
});

test('a fleet that finds no links in a new life leaves bridges ten seconds to come back', async () => {
  const { fleet, linked } = newFleet();
  const holder = await linked({}, true);
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  await runInDurableObject(fleet, (_, state) => {
    state.getWebSockets().length = 0;
  });
  await evictDurableObject(fleet);
  expect(await shownBridge(fleet, holder.bridgeId)).toMatchObject({
    leasesUntil: Date.now() + 10_000,
    leases: 1,
  });
  await linked();
  vi.setSystemTime(Date.now() + 9_999);
  await runDurableObjectAlarm(fleet);
  expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('drive');
});

test('a number whose bridge has lost its leases waits for one, though nobody else has it', async () => {
  const { fleet, linked } = newFleet();
  const holder = await linked({}, true);
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  holder.close();
  const leasesUntil = await until(async () => (await shownBridge(fleet, holder.bridgeId))?.leasesUntil);
  expect(await fleet.waitingNumbers()).toBe(0);
  vi.setSystemTime(leasesUntil);
  await runDurableObjectAlarm(fleet);
  expect(await fleet.waitingNumbers()).toBe(1);
  // It has it still when it comes back, under the same lease.
  await linked({ bridgeId: holder.bridgeId, leases: [{ numberId, epoch: 1 }] }, true);
  expect(await fleet.waitingNumbers()).toBe(0);
  expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('drive');
});

test('a bridge may report what it knows of a number that twenty leases were given of since, and of no older one', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, (_, { storage: { sql } }) => {
    const leases = new LeaseRows(sql);
    const numberId = newUuid();
    const bridges = Array.from({ length: 21 }, () => newUuid());
    leases.want(numberId, accountId);
    for (const [before, bridgeId] of bridges.entries())
      leases.assign(
        { number_id: numberId, bridge_id: bridges[before - 1] ?? null, epoch: before },
        bridgeId,
        before + 1,
      );
    const known = bridges.filter((bridgeId, index) => leases.wasHeld(numberId, bridgeId, index + 1));
    expect(known).toEqual(bridges.slice(1));
  });
});

test('a bridge that names an older lease of a number that it has still is told that this one is over', async () => {
  const { fleet, linked } = newFleet();
  const bridge = await linked();
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await bridge.granted(numberId);
  bridge.say({ type: 'lease.released', numberId, epoch: 1 });
  await until(async () => (await fleet.standing(numberId, bridge.bridgeId, 2)) === 'drive');
  const again = await linked({ bridgeId: bridge.bridgeId, leases: [{ numberId, epoch: 1 }] });
  expect(again.heard).toMatchObject([
    { type: 'lease.expired', numberId, epoch: 1 },
    { type: 'lease.granted', numberId, epoch: 2 },
    { type: 'bridge.welcome' },
  ]);
});

test('a bridge that is linked to a fleet which has lost all that it knew of it is asked to say hello', async () => {
  const { fleet, linked } = newFleet();
  const bridge = await linked();
  await runInDurableObject(fleet, (_, { storage }) => void storage.sql.exec('DELETE FROM bridges'));
  await evictDurableObject(fleet);
  expect(await fleet.bridges()).toEqual([]);
  await until(() => bridge.closed !== null);
  expect(bridge.reason).toBe('say hello');
});

test('a number that reminds the fleet of the lease that its bridge has keeps that bridge', async () => {
  const { fleet, linked } = newFleet();
  const { bridgeId, granted } = await linked();
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await granted(numberId);
  await fleet.acquire(numberId, accountId, { bridgeId, epoch: 1 });
  expect(await fleet.standing(numberId, bridgeId, 1)).toBe('drive');
});

test('a number that is given up waits for no bridge any more', async () => {
  const { fleet } = newFleet();
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  expect(await fleet.waitingNumbers()).toBe(1);
  await fleet.release(numberId);
  expect(await fleet.waitingNumbers()).toBe(0);
});

test('a number of whose lease a bridge knows, and the fleet does not, is asked what it needs', async () => {
  const asked = vi.spyOn(PhoneNumber.prototype, 'missBridge').mockResolvedValue(undefined);
  onTestFinished(() => asked.mockRestore());
  const { fleet, linked } = newFleet();
  const known = newUuid();
  const bridge = await linked();
  await fleet.acquire(known, accountId);
  await bridge.granted(known);
  await linked({ bridgeId: bridge.bridgeId, leases: [{ numberId: known, epoch: 1 }] });
  expect(asked).not.toHaveBeenCalled();
  await linked({ leases: [{ numberId: newUuid(), epoch: 7 }] });
  await until(() => asked.mock.calls.length === 1);
});
