import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { linkCloseCodes } from '../../../src/contract/bridge/bridge-frames.ts';
import { RevokedLinks } from '../../../src/durable/bridge-fleet/revoked-links.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { holdClock, newFleet, shownBridge } from './fleet-stage.ts';

const dayMs = 86_400_000;
const accountId = newUuid();

holdClock();

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

  test('is worth nothing once its time is over, for the bridge that it has let in too', async () => {
    const { fleet } = newFleet();
    const bridgeId = newUuid();
    await fleet.addEnrolmentToken('once', null, Date.now() + 1_000);
    expect(await fleet.letIn(bridgeId, 'once')).toMatchObject({ enrolled: 'enrolled' });
    vi.setSystemTime(Date.now() + 1_000);
    expect(await fleet.letIn(bridgeId, 'once')).toEqual({ enrolled: 'refused', generation: null });
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
  expect(await shownBridge(fleet, bridgeId)).toMatchObject({ revokedAt });
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
