import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { linkCloseCodes } from '../../../src/contract/bridge/bridge-frames.ts';
import { BridgeRows } from '../../../src/durable/bridge-fleet/bridge-rows.ts';
import { type Lease, LeaseRows } from '../../../src/durable/bridge-fleet/lease-rows.ts';
import { LostBridges } from '../../../src/durable/bridge-fleet/lost-bridges.ts';
import { RevokedLinks } from '../../../src/durable/bridge-fleet/revoked-links.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { PhoneNumber } from '../../../src/durable/phone-number/phone-number.ts';
import { until } from '../until.ts';
import { newFleet } from './fleet-stage.ts';

const dayMs = 86_400_000;
const accountId = newUuid();

type Fleet = ReturnType<typeof newFleet>['fleet'];

const shown = async (fleet: Fleet, bridgeId: string) =>
  (await fleet.bridges()).find((bridge) => bridge.bridgeId === bridgeId);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

test('whoever has the token of one bridge cannot say that they are another', async () => {
  const { fleet, link } = newFleet();
  const impostor = await link({}, true, newUuid());
  await until(() => impostor.closed !== null);
  expect(impostor.closed).toBe(linkCloseCodes.protocolError);
  expect(impostor.reason).toBe('the token is of another bridge');
  expect(await fleet.bridges()).toEqual([]);
});

test('a bridge that nobody knows can be neither revoked nor drained', async () => {
  const { fleet } = newFleet();
  const bridgeId = newUuid();
  expect([await fleet.revoke(bridgeId), await fleet.setDrained(bridgeId, true)]).toEqual([null, null]);
  expect(await fleet.letIn(bridgeId, null)).toMatchObject({ enrolled: 'enrolled' });
});

describe('a token that lets a bridge in', () => {
  test('is worth nothing once its time is over', async () => {
    const { fleet } = newFleet();
    await fleet.addEnrolmentToken('early', null, Date.now() + 1_000);
    await fleet.addEnrolmentToken('late', null, Date.now() + 1_001);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await fleet.letIn(newUuid(), 'early')).toEqual({ enrolled: 'refused', generation: null });
    expect(await fleet.letIn(newUuid(), 'late')).toMatchObject({ enrolled: 'enrolled' });
  });

  test('is used up by the bridge that it lets in, which may ask again where the answer was lost', async () => {
    const { fleet } = newFleet();
    const bridgeId = newUuid();
    await fleet.addEnrolmentToken('once', null, Date.now() + 1_000);
    const answer = await fleet.letIn(bridgeId, 'once');
    expect(answer).toMatchObject({ enrolled: 'enrolled' });
    expect(await fleet.letIn(newUuid(), 'once')).toEqual({ enrolled: 'refused', generation: null });
    expect(await fleet.letIn(bridgeId, 'once')).toEqual(answer);
  });

  test('is one of a thousand at most: the one that ends first makes room', async () => {
    const { fleet } = newFleet();
    const endsAt = Date.now() + dayMs;
    for (let index = 0; index <= 1_000; index += 1)
      await fleet.addEnrolmentToken(`token ${index}`, null, endsAt + index);
    const letIn = async (index: number) => (await fleet.letIn(newUuid(), `token ${index}`)).enrolled;
    expect([await letIn(0), await letIn(1), await letIn(1_000)]).toEqual(['refused', 'enrolled', 'enrolled']);
  });
});

test('a bridge that is revoked loses its link, and when that was is told as it was, however often it is asked for', async () => {
  const { fleet, linked } = newFleet();
  const bridge = await linked();
  const { bridgeId } = bridge;
  const revokedAt = Date.now();
  await fleet.revoke(bridgeId);
  await until(() => bridge.closed === linkCloseCodes.revoked);
  vi.setSystemTime(revokedAt + dayMs);
  await fleet.revoke(bridgeId);
  expect(await shown(fleet, bridgeId)).toMatchObject({ revokedAt });
  expect(await fleet.letIn(bridgeId, null)).toEqual({ enrolled: 'revoked', generation: null });
});

test('a bridge that an earlier release has let in stays one, and its own token alone lets it in again', async () => {
  const { fleet } = newFleet();
  const bridgeId = newUuid();
  for (const token of ['its own', 'another']) await fleet.addEnrolmentToken(token, null, Date.now() + dayMs);
  await fleet.letIn(bridgeId, 'its own');
  await runInDurableObject(fleet, (_, { storage }) => {
    storage.sql.exec('UPDATE enrolled_bridges SET let_in_by = NULL, generation = NULL');
  });
  expect(await fleet.isRevoked(bridgeId, 'of then')).toBe(false);
  expect(await fleet.letIn(bridgeId, 'another')).toEqual({ enrolled: 'taken', generation: null });
  expect(await fleet.letIn(bridgeId, 'its own')).toEqual({ enrolled: 'enrolled', generation: null });
});

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
  expect(await shown(fleet, bridgeId)).toMatchObject({ isDrained: true, draining: true });
  await fleet.acquire(newUuid(), accountId);
  expect(await fleet.waitingNumbers()).toBe(1);
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
  expect(await shown(fleet, holder.bridgeId)).toMatchObject({ leasesUntil: Date.now() + 10_000, leases: 1 });
  await linked();
  vi.setSystemTime(Date.now() + 9_999);
  await runDurableObjectAlarm(fleet);
  expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('drive');
});

test('a number that cannot be told of a revocation is told again, and once it is, no more', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const [bridgeId, away, there] = [newUuid(), newUuid(), newUuid()];
    for (const numberId of [away, there])
      sql.exec('INSERT INTO lease_holders VALUES (?, 1, ?)', numberId, bridgeId);
    const asked: string[] = [];
    let isAway = true;
    const getByName = (numberId: string) => ({
      dropBridge: async () => {
        asked.push(numberId);
        if (isAway && numberId === away) throw new Error('the number is away');
      },
    });
    const links = new RevokedLinks({ sql, env: { PHONE_NUMBER: { getByName } } as never });
    expect(links.dueAt()).toBeNull();
    links.add(bridgeId);
    expect(links.dueAt()).toBe(0);
    const now = Date.now();
    await links.run(now);
    expect(links.dueAt()).toBe(now + 30_000);
    // A later life of the fleet tells it at once.
    expect(new RevokedLinks({ sql, env: {} as never }).dueAt()).toBe(0);
    isAway = false;
    await links.run(now + 30_000);
    expect(asked.toSorted()).toEqual([away, away, there].toSorted());
    expect(links.dueAt()).toBeNull();
  });
});

test('a number whose bridge has lost its leases waits for one, though nobody else has it', async () => {
  const { fleet, linked } = newFleet();
  const holder = await linked({}, true);
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await holder.granted(numberId);
  holder.close();
  const leasesUntil = await until(async () => (await shown(fleet, holder.bridgeId))?.leasesUntil);
  expect(await fleet.waitingNumbers()).toBe(0);
  vi.setSystemTime(leasesUntil);
  await runDurableObjectAlarm(fleet);
  expect(await fleet.waitingNumbers()).toBe(1);
  // It has it still when it comes back, under the same lease.
  await linked({ bridgeId: holder.bridgeId, leases: [{ numberId, epoch: 1 }] }, true);
  expect(await fleet.waitingNumbers()).toBe(0);
  expect(await fleet.standing(numberId, holder.bridgeId, 1)).toBe('drive');
});

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

test('a bridge that was revoked may neither drive the number that it holds nor report of one that it has held', async () => {
  const { fleet, linked } = newFleet();
  const { bridgeId, granted } = await linked();
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  await granted(numberId);
  expect(await fleet.revoke(bridgeId)).toEqual([numberId]);
  expect(await fleet.standing(numberId, bridgeId, 1)).toBeNull();
  await fleet.evict(bridgeId);
  expect(await fleet.standing(numberId, bridgeId, 1)).toBeNull();
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

test('all numbers that a revoked bridge has held are told, some at a time', async () => {
  const { fleet } = newFleet();
  await runInDurableObject(fleet, async (_, { storage: { sql } }) => {
    const bridgeId = newUuid();
    const numbers = Array.from({ length: 60 }, () => newUuid());
    for (const numberId of numbers)
      sql.exec('INSERT INTO lease_holders VALUES (?, 1, ?)', numberId, bridgeId);
    const told: string[] = [];
    const getByName = (numberId: string) => ({ dropBridge: async () => void told.push(numberId) });
    const links = new RevokedLinks({ sql, env: { PHONE_NUMBER: { getByName } } as never });
    links.add(bridgeId);
    while (links.dueAt() === 0) await links.run(Date.now());
    expect(told.toSorted()).toEqual(numbers.toSorted());
    expect(links.dueAt()).toBeNull();
  });
});

test('a token of a bridge that says another generation than it was let in with is good no more', async () => {
  const { fleet } = newFleet();
  const bridgeId = newUuid();
  const { generation } = await fleet.letIn(bridgeId, null);
  expect(await fleet.isRevoked(bridgeId, generation)).toBe(false);
  for (const other of [newUuid(), null]) expect(await fleet.isRevoked(bridgeId, other)).toBe(true);
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
