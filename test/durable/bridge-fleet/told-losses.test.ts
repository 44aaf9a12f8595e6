import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { BridgeRows } from '../../../src/durable/bridge-fleet/bridge-rows.ts';
import { type Lease, LeaseRows } from '../../../src/durable/bridge-fleet/lease-rows.ts';
import { LostBridges } from '../../../src/durable/bridge-fleet/lost-bridges.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { holdClock, newFleet } from './fleet-stage.ts';

const accountId = newUuid();

holdClock();

test('an account whose log takes nothing is told again of numbers without a bridge, and of their end', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const leases = new LeaseRows(sql);
    const told: Fact[][] = [];
    let isAway = true;
    const take = async (facts: Fact[]) => {
      told.push(facts);
      return { taken: isAway ? 0 : facts.length };
    };
    const env = { EVENT_LOG: { getByName: () => ({ take }) } } as never;
    const losses = new LostBridges({ sql, env, graceMs: 60_000, region: 'apac', bridges: () => 3 });
    const [numberId, at] = [newUuid(), Date.now()];
    leases.want(numberId, accountId);
    // That it asks once more begins no new wait.
    vi.setSystemTime(at + 30_000);
    leases.want(numberId, accountId);
    losses.changed();
    expect(losses.dueAt()).toBe(at + 60_000);
    vi.setSystemTime(at + 60_000);
    await losses.run(at + 60_000);
    expect(losses.dueAt()).toBe(at + 90_000);
    isAway = false;
    await losses.run(at + 90_000);
    expect(losses.dueAt()).toBeNull();
    const detail = { numbers: 1, bridges: 3 };
    const subject = 'region:apac';
    const raised = { kind: 'alert.raised', trouble: { kind: 'bridge.lost', subject, at, detail } };
    expect(told).toEqual([[raised], [raised]]);
    const bridgeId = newUuid();
    leases.assign({ number_id: numberId, bridge_id: null, epoch: 0 }, bridgeId, 1);
    losses.changed();
    await losses.run(at + 100_000);
    const ended = { kind: 'alert.ended', kinds: ['bridge.lost'], subject, at: at + 100_000 };
    expect(told.slice(2)).toEqual([[raised, ended]]);
    expect(losses.dueAt()).toBeNull();
    // What it waits for later counts from then on.
    vi.setSystemTime(at + 200_000);
    leases.takeBack({ number_id: numberId, bridge_id: bridgeId, epoch: 1 }, at + 201_000);
    expect(losses.dueAt()).toBe(at + 260_000);
  });
});

test('an account is told of numbers without a bridge, and a lost bridge gives them up, where the clock was set back', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const [leases, bridges] = [new LeaseRows(sql), new BridgeRows(sql)];
    const told: Fact[] = [];
    const take = async (facts: Fact[]) => ({ taken: told.push(...facts) });
    const env = { EVENT_LOG: { getByName: () => ({ take }) } } as never;
    const losses = new LostBridges({ sql, env, graceMs: 60_000, region: 'apac', bridges: () => 3 });
    const [bridgeId, now] = [newUuid(), Date.now()];
    for (const _number of [1, 2]) leases.want(newUuid(), accountId);
    bridges.linked({ bridgeId, version: 1 }, 2, now);
    const [number] = leases.waiting(1, now);
    if (number === undefined) throw new Error('nobody waits');
    leases.assign(number, bridgeId, 1);
    bridges.lost(bridgeId, now + 2_500);
    vi.setSystemTime(now - 3_600_000);
    expect(losses.dueAt()).toBeLessThan(Date.now());
    await losses.run(Date.now());
    expect(told).toMatchObject([{ trouble: { kind: 'bridge.lost', detail: { numbers: 1 } } }]);
    expect(losses.dueAt()).toBeNull();
    bridges.expireBy(Date.now() + 2_500);
    expect(bridges.expire(Date.now() + 2_500)).toEqual([bridgeId]);
    leases.takeBack({ ...number, epoch: 1 }, now + 2_500);
    leases.freeBy(Date.now() + 2_500);
    expect(leases.freeAt()).toBe(Date.now() + 2_500);
  });
});

test('an account is told once that a bridge is lost, however often that is looked at, and once that it is back', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const [leases, bridges] = [new LeaseRows(sql), new BridgeRows(sql)];
    const told: string[][] = [];
    const take = async (facts: Fact[]) => {
      told.push(facts.map(({ kind }) => kind));
      return { taken: facts.length };
    };
    const env = { EVENT_LOG: { getByName: () => ({ take }) } } as never;
    const losses = new LostBridges({ sql, env, graceMs: 60_000, region: null, bridges: () => 0 });
    const [bridgeId, numberId, now] = [newUuid(), newUuid(), Date.now()];
    bridges.linked({ bridgeId, version: 1 }, 2, now);
    leases.want(numberId, accountId);
    leases.assign({ number_id: numberId, bridge_id: null, epoch: 0 }, bridgeId, 1);
    bridges.lost(bridgeId, now);
    bridges.expire(now);
    const look = async (at: number) => {
      losses.changed();
      await losses.run(at);
      return told.splice(0);
    };
    expect(await look(now + 59_999)).toEqual([]);
    expect(await look(now + 60_000)).toEqual([['alert.raised']]);
    expect(await look(now + 70_000)).toEqual([]);
    bridges.linked({ bridgeId, version: 1 }, 2, now + 80_000);
    expect(await look(now + 80_000)).toEqual([['alert.raised', 'alert.ended']]);
  });
});

test('that a lost bridge is back is told to an account of which another number has no bridge at all', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const [leases, bridges] = [new LeaseRows(sql), new BridgeRows(sql)];
    const told: Fact[] = [];
    const take = async (facts: Fact[]) => ({ taken: told.push(...facts) && facts.length });
    const env = { EVENT_LOG: { getByName: () => ({ take }) } } as never;
    const losses = new LostBridges({ sql, env, graceMs: 60_000, region: null, bridges: () => 0 });
    const [bridgeId, held, now] = [newUuid(), newUuid(), Date.now()];
    bridges.linked({ bridgeId, version: 1 }, 2, now);
    for (const numberId of [held, newUuid()]) leases.want(numberId, accountId);
    leases.assign({ number_id: held, bridge_id: null, epoch: 0 }, bridgeId, 1);
    bridges.lost(bridgeId, now);
    bridges.expire(now);
    await losses.run(now + 60_000);
    expect(told.splice(0)).toHaveLength(2);
    bridges.linked({ bridgeId, version: 1 }, 2, now + 70_000);
    await losses.run(now + 70_000);
    expect(told.slice(1)).toMatchObject([{ kind: 'alert.ended', subject: `bridge:${bridgeId}` }]);
  });
});

test('an account is told of a number without a bridge when it has waited for long enough, and in a later life of the fleet that it has one', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const leases = new LeaseRows(sql);
    const told: [account: string, kinds: string[]][] = [];
    const getByName = (account: string) => ({
      take: async (facts: Fact[]) => {
        told.push([account, facts.map(({ kind }) => kind)]);
        return { taken: facts.length };
      },
    });
    const env = { EVENT_LOG: { getByName } } as never;
    const newLife = () => new LostBridges({ sql, env, graceMs: 60_000, region: null, bridges: () => 0 });
    const [first, later, numberId, at] = [newUuid(), newUuid(), newUuid(), Date.now()];
    leases.want(numberId, first);
    vi.setSystemTime(at + 30_000);
    leases.want(newUuid(), later);
    await newLife().run(at + 60_000);
    expect(told).toEqual([[first, ['alert.raised']]]);
    leases.assign({ number_id: numberId, bridge_id: null, epoch: 0 }, newUuid(), 1);
    const losses = newLife();
    expect(losses.dueAt()).toBe(0);
    await losses.run(at + 70_000);
    expect(told.slice(1)).toEqual([[first, ['alert.raised', 'alert.ended']]]);
    expect(losses.dueAt()).toBe(at + 90_000);
    // Whoever wants none any more, and then one again, waits from then on.
    const [given] = sql.exec<Lease>('SELECT * FROM leases WHERE bridge_id IS NULL').toArray();
    if (given === undefined) throw new Error('no number waits');
    leases.unwant(given, at);
    expect(losses.dueAt()).toBeNull();
    vi.setSystemTime(at + 80_000);
    leases.want(given.number_id, later);
    expect(losses.dueAt()).toBe(at + 140_000);
  });
});

test('an account whose number waits for a bridge is told that this is over where the number is given up', async () => {
  const { fleet } = newFleet();
  const [owner, numberId] = [newUuid(), newUuid()];
  const alerts = () => env.EVENT_LOG.getByName(owner).alerts(10, null);
  await fleet.acquire(numberId, owner);
  vi.setSystemTime(Date.now() + 180_000);
  await runDurableObjectAlarm(fleet);
  expect(await alerts()).toMatchObject([{ kind: 'bridge.lost', endedAt: null }]);
  await fleet.release(numberId);
  await runDurableObjectAlarm(fleet);
  expect(await alerts()).toMatchObject([{ kind: 'bridge.lost', endedAt: Date.now() }]);
});

test('what changes while an account is told of its numbers without a bridge is told next', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const leases = new LeaseRows(sql);
    const told: number[] = [];
    const { promise: answer, resolve: answerNow } = Promise.withResolvers<void>();
    const take = async (facts: Fact[]) => {
      const [fact] = facts;
      const call = told.push(fact?.kind === 'alert.raised' ? Number(fact.trouble.detail.numbers) : 0);
      if (call === 1) await answer;
      return { taken: call === 2 ? 0 : facts.length };
    };
    const env = { EVENT_LOG: { getByName: () => ({ take }) } } as never;
    const losses = new LostBridges({ sql, env, graceMs: 60_000, region: null, bridges: () => 0 });
    const at = Date.now();
    leases.want(newUuid(), accountId);
    const first = losses.run(at + 60_000);
    leases.want(newUuid(), accountId);
    await losses.run(at + 60_001);
    answerNow();
    await first;
    await losses.run(at + 90_001);
    expect(told).toEqual([1, 2, 2]);
    expect(losses.dueAt()).toBeNull();
  });
});
