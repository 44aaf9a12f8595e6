import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { leaseTimes, linkCloseCodes, revokedDrainMs } from '../../../src/contract/bridge/bridge-frames.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { newFleet } from './fleet-stage.ts';

const accountId = newUuid();

/** A number that `holder` drives, and a clock that only moves as it is told. */
async function drivenNumber() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const { fleet, linked } = newFleet();
  const [holder, numberId] = [await linked(), newUuid()];
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  return { fleet, linked, holder, numberId };
}

describe('leases of the fleet', () => {
  afterEach(() => vi.useRealTimers());

  test('gives a number to one bridge, and the same lease again when that bridge comes back', async () => {
    const { fleet, linked } = newFleet();
    const bridge = await linked();
    const numberId = newUuid();
    await fleet.acquire(numberId, accountId);
    await fleet.acquire(numberId, accountId);
    expect(await bridge.granted(numberId)).toMatchObject({ epoch: 1 });
    expect(bridge.heard.filter(({ type }) => type === 'lease.granted')).toHaveLength(1);

    await evictDurableObject(fleet);
    const back = await linked({ bridgeId: bridge.bridgeId, leases: [{ numberId, epoch: 1 }] });
    expect(await back.granted(numberId)).toMatchObject({ epoch: 1 });
    await until(() => bridge.closed !== null);
    expect(bridge.closed).toBe(linkCloseCodes.replaced);
    expect(await fleet.stats()).toEqual({ bridges: 1 });
  });

  test('moves a released number to another bridge under a higher epoch, and says what has expired', async () => {
    const { fleet, linked } = newFleet();
    const first = await linked();
    const numberId = newUuid();
    await fleet.acquire(numberId, accountId);
    await first.granted(numberId);
    const second = await linked();
    first.say({ type: 'bridge.draining' });
    first.say({ type: 'lease.released', numberId, epoch: 1 });
    expect(await second.granted(numberId)).toMatchObject({ epoch: 2 });

    const back = await linked({ bridgeId: first.bridgeId, leases: [{ numberId, epoch: 1 }] });
    await until(() => back.heard.some((frame) => frame.type === 'lease.expired' && frame.epoch === 1));
  });

  test('ignores a release under an old epoch', async () => {
    const { fleet, linked } = newFleet();
    const numberId = newUuid();
    const bridge = await linked();
    await fleet.acquire(numberId, accountId);
    await bridge.granted(numberId);
    bridge.say({ type: 'lease.released', numberId, epoch: 1 });
    await until(() => bridge.heard.filter(({ type }) => type === 'lease.granted').length === 2);
    bridge.say({ type: 'lease.released', numberId, epoch: 1 });
    const other = newUuid();
    await fleet.acquire(other, accountId);
    await bridge.granted(other);
    expect(
      bridge.heard.filter((frame) => frame.type === 'lease.granted' && frame.numberId === numberId),
    ).toHaveLength(2);
  });

  test('takes a number away when it is released, and keeps its epoch rising', async () => {
    const { fleet, linked } = newFleet();
    const numberId = newUuid();
    const bridge = await linked();
    await fleet.acquire(numberId, accountId);
    await bridge.granted(numberId);
    await fleet.release(numberId);
    await until(() => bridge.heard.some(({ type }) => type === 'lease.revoked'));
    bridge.say({ type: 'lease.released', numberId, epoch: 1 });
    await fleet.acquire(numberId, accountId);
    await until(() => bridge.heard.some((frame) => frame.type === 'lease.granted' && frame.epoch === 2));
  });

  test('a number that was released goes to nobody while its bridge may still drive it', async () => {
    const { fleet, linked, holder, numberId } = await drivenNumber();
    await fleet.release(numberId);
    await fleet.acquire(numberId, accountId);
    const other = await linked();
    const isGranted = () =>
      [holder, other].some(({ heard }) =>
        heard.some((frame) => frame.type === 'lease.granted' && frame.epoch === 2),
      );
    expect(isGranted()).toBe(false);
    // Whoever has had it under another epoch, or not at all, gives up nothing.
    other.say({ type: 'lease.released', numberId, epoch: 1 });
    holder.say({ type: 'lease.released', numberId, epoch: 2 });
    await evictDurableObject(fleet);
    const back = await linked({ bridgeId: other.bridgeId });
    expect(back.heard.map(({ type }) => type)).toEqual(['bridge.welcome']);
    // It has not heard of it, and links again: from then on it has all its time once more.
    vi.setSystemTime(Date.now() + revokedDrainMs);
    const again = await linked({ bridgeId: holder.bridgeId, leases: [{ numberId, epoch: 1 }] });
    expect(again.heard.map(({ type }) => type)).toEqual(['lease.revoked', 'bridge.welcome']);
    vi.setSystemTime(Date.now() + revokedDrainMs);
    const last = await linked({ bridgeId: other.bridgeId });
    expect([...last.heard, ...again.heard].some(({ type }) => type === 'lease.granted')).toBe(false);
    again.say({ type: 'lease.released', numberId, epoch: 1 });
    await until(() =>
      [last, again].some(({ heard }) =>
        heard.some((frame) => frame.type === 'lease.granted' && frame.epoch === 2),
      ),
    );
  });

  test('what a bridge was told to give up, and never does, is free after the time that it may take', async () => {
    const { fleet, linked, numberId } = await drivenNumber();
    await fleet.release(numberId);
    await fleet.acquire(numberId, accountId);
    vi.setSystemTime(Date.now() + revokedDrainMs + leaseTimes.expiresMs);
    await evictDurableObject(fleet);
    const other = await linked();
    await runDurableObjectAlarm(fleet);
    expect(await other.granted(numberId)).toMatchObject({ epoch: 2 });
  });

  test('the numbers of a bridge that was revoked go to nobody before its leases have run out by its own clock', async () => {
    const { fleet, linked, holder, numberId } = await drivenNumber();
    const other = await linked();
    await fleet.revoke(holder.bridgeId);
    await fleet.evict(holder.bridgeId);
    expect(await fleet.waitingNumbers()).toBe(1);
    expect(other.heard.some(({ type }) => type === 'lease.granted')).toBe(false);
    vi.setSystemTime(Date.now() + leaseTimes.expiresMs);
    await evictDurableObject(fleet);
    const back = await linked({ bridgeId: other.bridgeId });
    await runDurableObjectAlarm(fleet);
    expect(await back.granted(numberId)).toMatchObject({ epoch: 2 });
  });

  test('says what a bridge may do with a number: drive it, report what it knows of an earlier lease, or nothing', async () => {
    const { fleet, linked } = newFleet();
    const first = await linked();
    const numberId = newUuid();
    await fleet.acquire(numberId, newUuid());
    await first.granted(numberId);
    expect(await fleet.standing(numberId, first.bridgeId, 1)).toBe('drive');
    expect(await fleet.standing(numberId, first.bridgeId, 2)).toBeNull();
    expect(await fleet.standing(numberId, newUuid(), 1)).toBeNull();
    expect(await fleet.standing(newUuid(), first.bridgeId, 1)).toBeNull();
    const second = await linked();
    first.say({ type: 'bridge.draining' });
    first.say({ type: 'lease.released', numberId, epoch: 1 });
    await second.granted(numberId);
    await evictDurableObject(fleet);
    expect(await fleet.standing(numberId, second.bridgeId, 2)).toBe('drive');
    expect(await fleet.standing(numberId, first.bridgeId, 1)).toBe('report');
    expect(await fleet.standing(numberId, second.bridgeId, 1)).toBeNull();
    await fleet.release(numberId);
    expect(await fleet.standing(numberId, second.bridgeId, 2)).toBe('report');
  });

  test('a fleet that has lost what it knew goes on from what numbers say: nobody drives one under an epoch that was there', async () => {
    const { fleet, linked } = newFleet();
    const numberId = newUuid();
    const bridge = await linked({ leases: [{ numberId, epoch: 7 }] });
    // What is not known is over at once: another bridge may get it.
    expect(bridge.heard[0]).toEqual({ type: 'lease.expired', numberId, epoch: 7 });
    await fleet.acquire(numberId, accountId, { bridgeId: bridge.bridgeId, epoch: 7 });
    await fleet.acquire(numberId, accountId, { bridgeId: bridge.bridgeId, epoch: 7 });
    // Whoever drove it may think for a moment that they still do.
    expect(bridge.heard.some(({ type }) => type === 'lease.granted')).toBe(false);
    expect(await fleet.standing(numberId, bridge.bridgeId, 7)).toBe('report');
    expect(await fleet.standing(numberId, newUuid(), 7)).toBeNull();
    expect(await bridge.granted(numberId)).toMatchObject({ epoch: 8 });
    expect(await fleet.standing(numberId, bridge.bridgeId, 8)).toBe('drive');
    // Nothing older counts.
    await fleet.acquire(numberId, accountId, { bridgeId: newUuid(), epoch: 3 });
    expect(await fleet.standing(numberId, bridge.bridgeId, 8)).toBe('drive');
  });
});
