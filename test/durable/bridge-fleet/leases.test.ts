import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import {
  bridgeProtocolVersion,
  grantTimes,
  leaseTimes,
  linkCloseCodes,
  revokedDrainMs,
} from '../../../src/contract/bridge/bridge-frames.ts';
import type { BridgeFleet } from '../../../src/durable/bridge-fleet/bridge-fleet.ts';
import { isGoodGrant } from '../../../src/durable/bridge-grants.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { settingsOf } from '../../../src/settings/worker-settings.ts';
import { until } from '../until.ts';
import { holdClock, newFleet, shownBridge } from './fleet-stage.ts';

const accountId = newUuid();

holdClock();

test('a bridge keeps its leases for as long as the last of its links has said, also where the end of an older one is heard of later', async () => {
  const { fleet, linked } = newFleet();
  const start = Date.now();
  const { bridgeId } = await linked({}, true);
  const sockets = () => runInDurableObject(fleet, (_, state) => state.getWebSockets());
  const [older] = await sockets();
  vi.setSystemTime(start + 60_000);
  const newer = await linked({ bridgeId }, true);
  newer.close();
  const leasesUntil = await until(async () => (await shownBridge(fleet, bridgeId))?.leasesUntil);
  expect(leasesUntil).toBeGreaterThan(start + 60_000);
  await runInDurableObject<BridgeFleet, void>(fleet, (object) => object.webSocketClose(older as WebSocket));
  expect(await shownBridge(fleet, bridgeId)).toMatchObject({ leasesUntil });
});

test('a bridge that the operator wants empty gives up no more numbers than others have room for', async () => {
  const { fleet, linked } = newFleet();
  const leaving = await linked({ capacity: 3 });
  const numbers = [newUuid(), newUuid(), newUuid()];
  for (const numberId of numbers) await fleet.acquire(numberId, accountId);
  for (const numberId of numbers) await leaving.granted(numberId);
  const other = await linked({ capacity: 1 });
  await fleet.setDrained(leaving.bridgeId, true);
  const revoked = () => leaving.heard.flatMap((frame) => (frame.type === 'lease.revoked' ? [frame] : []));
  const first = await until(() => revoked()[0]);
  leaving.say({ type: 'lease.released', numberId: first.numberId, epoch: first.epoch });
  await other.granted(first.numberId);
  const { pongs } = leaving;
  await until(() => leaving.pongs > pongs);
  expect(revoked()).toEqual([first]);
  expect(await shownBridge(fleet, leaving.bridgeId)).toMatchObject({ leases: 2 });
});

test('a bridge that says how it is gets new grants for what it holds, once it is time', async () => {
  const { fleet, linked } = newFleet();
  const bridge = await linked();
  const { bridgeId } = bridge;
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await bridge.granted(numberId);
  const say = async (residentBytes: number) => {
    bridge.say({ type: 'bridge.status', residentBytes });
    await until(async () => (await shownBridge(fleet, bridgeId))?.residentBytes === residentBytes);
    return bridge.heard.flatMap((frame) => (frame.type === 'leases.renewed' ? frame.leases : []));
  };
  const start = Date.now();
  vi.setSystemTime(start + grantTimes.renewEveryMs - 1);
  expect(await say(1)).toEqual([]);
  vi.setSystemTime(start + grantTimes.renewEveryMs);
  const [renewed, ...more] = await say(2);
  expect([renewed, more]).toEqual([{ numberId, epoch: 1, grant: expect.any(String) }, []]);
  const goodUntil = start + grantTimes.renewEveryMs + grantTimes.validMs;
  const isGood = (at: number) => isGoodGrant(env, { numberId, bridgeId, epoch: 1 }, renewed?.grant ?? '', at);
  expect([isGood(goodUntil - 1), isGood(goodUntil)]).toEqual([true, false]);
});

test('a number whose bridge only hears late that it has lost it goes to no other one before that has given it up', async () => {
  const { fleet, linked } = newFleet();
  const holder = await linked({}, true);
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  holder.close();
  await until(async () => (await shownBridge(fleet, holder.bridgeId))?.isLinked === false);
  await fleet.release(numberId);
  vi.setSystemTime(Date.now() + revokedDrainMs + leaseTimes.expiresMs);
  const back = await linked({ bridgeId: holder.bridgeId, leases: [{ numberId, epoch: 1 }] });
  expect(back.heard).toMatchObject([
    { type: 'lease.revoked', numberId, epoch: 1 },
    { type: 'bridge.welcome' },
  ]);
  await fleet.acquire(numberId, accountId);
  expect(await fleet.waitingNumbers()).toBe(1);
  back.say({ type: 'lease.released', numberId, epoch: 1 });
  expect(await back.granted(numberId)).toMatchObject({ epoch: 2 });
});

test('what a bridge says late, of a lease that it has given up before, changes nothing', async () => {
  const { fleet, linked } = newFleet();
  const bridge = await linked();
  const numberId = newUuid();
  const giveUp = async (epoch: number) => {
    bridge.say({ type: 'lease.released', numberId, epoch });
    const { pongs } = bridge;
    bridge.ping();
    await until(() => bridge.pongs > pongs);
  };
  await fleet.acquire(numberId, accountId);
  await giveUp(1);
  expect(await fleet.standing(numberId, bridge.bridgeId, 2)).toBe('drive');
  await giveUp(1);
  expect(await fleet.standing(numberId, bridge.bridgeId, 2)).toBe('drive');
  await fleet.release(numberId);
  await fleet.acquire(numberId, accountId);
  await giveUp(1);
  expect(await fleet.waitingNumbers()).toBe(1);
  await giveUp(2);
  expect(await fleet.standing(numberId, bridge.bridgeId, 3)).toBe('drive');
});

test('the leases of a bridge that is lost last for as long as its welcome has said, and for a margin', async () => {
  const { fleet, linked } = newFleet();
  const start = Date.now();
  const bridge = await linked({}, true);
  const [welcome] = bridge.heard.flatMap((frame) => (frame.type === 'bridge.welcome' ? [frame] : []));
  vi.setSystemTime(start + 300);
  bridge.close();
  const leasesUntil = await until(async () => (await shownBridge(fleet, bridge.bridgeId))?.leasesUntil);
  expect(leasesUntil).toBe(start + (welcome?.leaseMs ?? 0) + leaseTimes.marginMs);
});

test('a bridge may neither drive nor report a number that it has never had', async () => {
  const { fleet, linked } = newFleet();
  const holder = await linked();
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  const other = await linked();
  expect(await fleet.standing(numberId, other.bridgeId, 1)).toBeNull();
  expect(await fleet.standing(newUuid(), other.bridgeId, 1)).toBeNull();
});

test('a bridge that is shutting down gets no number, however much room it has', async () => {
  const { fleet, linked } = newFleet();
  const leaving = await linked({ capacity: 10 });
  leaving.say({ type: 'bridge.draining' });
  await until(async () => (await fleet.stats()).bridges === 0);
  const other = await linked({ capacity: 1 });
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await other.granted(numberId);
  expect(await shownBridge(fleet, leaving.bridgeId)).toMatchObject({ leases: 0 });
});

test('a bridge has room for as many numbers as the deployment lets one have, whatever it claims', async () => {
  const { fleet, linked } = newFleet();
  const { bridgeId } = await linked({ capacity: 1_000_000 });
  expect(await shownBridge(fleet, bridgeId)).toMatchObject({ capacity: settingsOf(env).BRIDGE_CAPACITY_MAX });
});

test('the numbers of a bridge that was revoked go to others when it has certainly stopped, by its own clock', async () => {
  const { fleet, linked } = newFleet();
  const revoked = await linked();
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await revoked.granted(numberId);
  const start = Date.now();
  await fleet.revoke(revoked.bridgeId);
  await fleet.evict(revoked.bridgeId);
  vi.setSystemTime(start + leaseTimes.expiresMs - 1);
  const other = await linked();
  expect(await fleet.waitingNumbers()).toBe(1);
  vi.setSystemTime(start + leaseTimes.expiresMs);
  await runDurableObjectAlarm(fleet);
  expect(await other.granted(numberId)).toMatchObject({ epoch: 2 });
});

test('numbers go to the bridges with the most room, one by one and all at once', async () => {
  const { fleet, linked } = newFleet();
  const numbers = Array.from({ length: 4 }, () => newUuid());
  const granted = ({ heard }: Awaited<ReturnType<typeof linked>>) =>
    heard.filter(({ type }) => type === 'lease.granted').length;
  const revoked = await linked({ capacity: 4 });
  for (const numberId of numbers) await fleet.acquire(numberId, accountId);
  await fleet.revoke(revoked.bridgeId);
  await fleet.evict(revoked.bridgeId);
  vi.setSystemTime(Date.now() + leaseTimes.expiresMs - 1);
  const [first, second] = [await linked({ capacity: 4 }), await linked({ capacity: 4 })];
  vi.setSystemTime(Date.now() + 1);
  await runDurableObjectAlarm(fleet);
  await until(() => granted(first) + granted(second) === 4);
  expect(granted(first)).toBe(2);
  for (const numberId of [newUuid(), newUuid()]) await fleet.acquire(numberId, accountId);
  await until(() => granted(first) + granted(second) === 6);
  expect(granted(first)).toBe(3);
});

test('the room of a number that is given up goes to one that waits', async () => {
  const { fleet, linked } = newFleet();
  const bridge = await linked({ capacity: 1 });
  const [first, next] = [newUuid(), newUuid()];
  await fleet.acquire(first, accountId);
  await bridge.granted(first);
  await fleet.acquire(next, accountId);
  await fleet.release(first);
  expect(await bridge.granted(next)).toMatchObject({ epoch: 1 });
});

test('where there is not room for all, an account with many numbers waits for one with few', async () => {
  const { fleet, linked } = newFleet();
  const [first, ...more] = Array.from({ length: 20 }, () => newUuid()).sort();
  for (const numberId of more) await fleet.acquire(numberId, accountId);
  const few = newUuid();
  await fleet.acquire(few, newUuid());
  await fleet.acquire(first ?? '', accountId);
  const bridge = await linked({ capacity: 2 });
  await Promise.all([bridge.granted(few), bridge.granted(first ?? '')]);
});

test('a bridge of a version that nobody here speaks gets no number', async () => {
  const { fleet, link } = newFleet();
  const bridge = await link({ version: bridgeProtocolVersion + 2 }, true);
  await until(() => bridge.closed !== null);
  expect(bridge.closed).toBe(linkCloseCodes.protocolError);
  expect(await fleet.bridges()).toEqual([]);
});

test('a fleet that has forgotten who had a number gives it to nobody else while that bridge may still drive it', async () => {
  const { fleet, linked } = newFleet();
  const [numberId, lastHolder, start] = [newUuid(), newUuid(), Date.now()];
  await linked({ capacity: 1 }, true);
  await fleet.acquire(numberId, accountId, { bridgeId: lastHolder, epoch: 7 });
  expect(await fleet.waitingNumbers()).toBe(1);
  expect(await fleet.standing(numberId, lastHolder, 7)).toBe('report');
  vi.setSystemTime(start + leaseTimes.expiresMs - 1);
  const other = await linked({ capacity: 10 });
  expect(await fleet.waitingNumbers()).toBe(1);
  vi.setSystemTime(start + leaseTimes.expiresMs);
  await runDurableObjectAlarm(fleet);
  expect(await other.granted(numberId)).toMatchObject({ epoch: 8 });
});

test('a number whose bridge has lost its leases goes to one that has room, under a higher epoch', async () => {
  const { fleet, linked } = newFleet();
  const holder = await linked({}, true);
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  const other = await linked({}, true);
  holder.close();
  const leasesUntil = await until(async () => (await shownBridge(fleet, holder.bridgeId))?.leasesUntil);
  vi.setSystemTime(leasesUntil - 1);
  await runDurableObjectAlarm(fleet);
  expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('drive');
  vi.setSystemTime(leasesUntil);
  await runDurableObjectAlarm(fleet);
  expect(await other.granted(numberId)).toMatchObject({ epoch: 2 });
  expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('report');
});

test('a number that a bridge was to give up goes to no other before that one has certainly stopped, in a later life of the fleet too', async () => {
  const { fleet, linked } = newFleet();
  const numberId = newUuid();
  const holder = await linked({}, true);
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  const start = Date.now();
  await fleet.release(numberId);
  await evictDurableObject(fleet);
  await fleet.acquire(numberId, accountId);
  vi.setSystemTime(start + revokedDrainMs + leaseTimes.expiresMs - 1);
  const other = await linked({}, true);
  await runDurableObjectAlarm(fleet);
  expect(await shownBridge(fleet, other.bridgeId)).toMatchObject({ leases: 0 });
  vi.setSystemTime(start + revokedDrainMs + leaseTimes.expiresMs);
  await runDurableObjectAlarm(fleet);
  await other.granted(numberId);
});
