import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BridgeFleet } from '../../../src/durable/bridge-fleet/bridge-fleet.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { newFleet } from './fleet-stage.ts';

const accountId = newUuid();

describe("the room of the fleet's bridges", () => {
  afterEach(() => vi.useRealTimers());

  test('lets a number wait until a bridge has room', async () => {
    const { fleet, linked } = newFleet();
    const waiting = newUuid();
    await fleet.acquire(waiting, accountId);
    const first = await linked({ capacity: 1 });
    await first.granted(waiting);
    const another = newUuid();
    await fleet.acquire(another, accountId);
    const second = await linked({ capacity: 1 });
    await second.granted(another);
  });

  test('shares its room out by account: one that waits with many numbers holds up no other', async () => {
    const { fleet, linked } = newFleet();
    const greedy = newUuid();
    const many = Array.from({ length: 8 }, () => newUuid()).sort();
    for (const numberId of many) await fleet.acquire(numberId, greedy);
    const others = [newUuid(), newUuid()];
    for (const numberId of others) await fleet.acquire(numberId, newUuid());
    const bridge = await linked({ capacity: 4 });
    for (const numberId of others) await bridge.granted(numberId);
    const granted = () =>
      bridge.heard.flatMap((frame) => (frame.type === 'lease.granted' ? frame.numberId : []));
    expect(granted()).toHaveLength(4);
    expect(granted().filter((numberId) => many.includes(numberId))).toHaveLength(2);
    // What it holds already counts: the next place is somebody else's, though it has waited longer.
    const late = newUuid();
    await fleet.acquire(late, newUuid());
    await fleet.release(many[0] ?? '');
    await bridge.granted(late);
    expect(granted().filter((numberId) => many.includes(numberId))).toHaveLength(2);
  });

  test('counts what an account has, not what it waits for: the next place is for who has fewest', async () => {
    const { fleet, linked } = newFleet();
    const [holding, other] = [newUuid(), newUuid()];
    const first = await linked({ capacity: 1 });
    const held = newUuid();
    await fleet.acquire(held, holding);
    await first.granted(held);
    await fleet.acquire(newUuid(), holding);
    const waiting = Array.from({ length: 4 }, () => newUuid());
    for (const numberId of waiting) await fleet.acquire(numberId, other);
    const second = await linked({ capacity: 1 });
    await until(() => second.heard.some(({ type }) => type === 'lease.granted'));
    const granted = second.heard.flatMap((frame) => (frame.type === 'lease.granted' ? frame.numberId : []));
    expect(waiting).toEqual(expect.arrayContaining(granted));
  });

  test('counts what each bridge holds, whatever its numbers have been through', async () => {
    const { fleet, linked } = newFleet();
    const bridge = await linked({ capacity: 2 });
    const [first, second, third] = [newUuid(), newUuid(), newUuid()];
    for (const numberId of [first, second]) await fleet.acquire(numberId, accountId);
    await bridge.granted(second);
    await fleet.release(first);
    await fleet.release(first);
    await fleet.acquire(third, accountId);
    await bridge.granted(third);
    // It is full again: what comes now waits until something is given back, also after a new life of the fleet.
    await evictDurableObject(fleet);
    await fleet.acquire(first, accountId);
    expect(bridge.heard.filter(({ type }) => type === 'lease.granted')).toHaveLength(3);
    bridge.say({ type: 'lease.released', numberId: first, epoch: 1 });
    bridge.say({ type: 'lease.released', numberId: third, epoch: 1 });
    await until(() => bridge.heard.filter(({ type }) => type === 'lease.granted').length === 4);
  });

  test('gives no bridge more numbers than the operator lets one have, whatever it claims', async () => {
    const { fleet, linked } = newFleet();
    await linked({ capacity: 1_000_000_000 });
    const capacity = await runInDurableObject<BridgeFleet, number>(
      fleet,
      (_, { storage }) =>
        storage.sql.exec<{ capacity: number }>('SELECT capacity FROM bridges').one().capacity,
    );
    expect(capacity).toBe(400);
  });

  test('moves the numbers of a bridge that the operator drains, as far as others have room', async () => {
    const { fleet, linked } = newFleet();
    const leaving = await linked({ capacity: 3 });
    const numbers = [newUuid(), newUuid(), newUuid()];
    for (const numberId of numbers) await fleet.acquire(numberId, accountId);
    const granted = (control: typeof leaving) =>
      control.heard.flatMap((frame) => (frame.type === 'lease.granted' ? frame.numberId : []));
    await until(() => granted(leaving).length === 3);
    const staying = await linked({ capacity: 2 });
    expect(await fleet.setDrained(leaving.bridgeId, true)).toMatchObject({ draining: true, leases: 3 });
    // It may be told more than once.
    const revoked = () => [
      ...new Set(leaving.heard.flatMap((frame) => (frame.type === 'lease.revoked' ? frame.numberId : []))),
    ];
    await until(() => revoked().length === 2);
    for (const numberId of revoked()) leaving.say({ type: 'lease.released', numberId, epoch: 1 });
    await until(() => granted(staying).length === 2);
    expect(granted(staying).toSorted()).toEqual(revoked().toSorted());
    // The third one goes when there is room for it, also after the bridge has come back.
    const back = await linked({ bridgeId: leaving.bridgeId, capacity: 3 });
    const late = await linked({ capacity: 1 });
    const last = numbers.filter((numberId) => !revoked().includes(numberId))[0] ?? '';
    await fleet.release(last);
    back.say({ type: 'lease.released', numberId: last, epoch: 1 });
    await fleet.acquire(last, accountId);
    await late.granted(last);
    const waiting = newUuid();
    await fleet.acquire(waiting, accountId);
    expect(await fleet.setDrained(leaving.bridgeId, false)).toMatchObject({ draining: false });
    await back.granted(waiting);
    expect(await fleet.setDrained(newUuid(), true)).toBeNull();
  });
});
