import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  bridgeProtocolVersion,
  type ControlUpFrame,
  grantTimes,
  leaseTimes,
  linkCloseCodes,
} from '../../../src/contract/bridge/bridge-frames.ts';
import type { BridgeFleet } from '../../../src/durable/bridge-fleet/bridge-fleet.ts';
import { isGoodGrant } from '../../../src/durable/bridge-grants.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { newFleet } from './fleet-stage.ts';

const accountId = newUuid();

describe('control links of the fleet', () => {
  afterEach(() => vi.useRealTimers());

  test('signs each lease, and signs it anew while the bridge says how it does', async () => {
    const { fleet, linked } = newFleet();
    const bridge = await linked();
    const numberId = newUuid();
    const { bridgeId } = bridge;
    await fleet.acquire(numberId, accountId);
    const granted = await bridge.granted(numberId);
    const isGood = (grant: string | undefined, now = Date.now()) =>
      isGoodGrant(env, { numberId, bridgeId, epoch: 1 }, grant ?? '', now);
    expect(granted).toMatchObject({ grant: expect.any(String) });
    expect(isGood('grant' in granted ? granted.grant : undefined)).toBe(true);
    const renewals = () =>
      bridge.heard.flatMap((frame) => (frame.type === 'leases.renewed' ? frame.leases : []));
    bridge.say({ type: 'bridge.status', residentBytes: 1 });
    await until(async () => (await fleet.bridges())[0]?.residentBytes === 1);
    expect(renewals()).toEqual([]);
    await runInDurableObject<BridgeFleet, void>(fleet, (_, state) => {
      for (const socket of state.getWebSockets()) {
        const grantsAt = Date.now() - grantTimes.renewEveryMs;
        socket.serializeAttachment({ ...socket.deserializeAttachment(), grantsAt });
      }
    });
    bridge.say({ type: 'bridge.status', residentBytes: 2 });
    const [renewed] = await until(() => (renewals().length > 0 ? renewals() : null));
    expect(renewed).toMatchObject({ numberId, epoch: 1 });
    expect(isGood(renewed?.grant, Date.now() + grantTimes.validMs / 2)).toBe(true);
    // After a hello it has all of them at once.
    const back = await linked({ bridgeId, leases: [{ numberId, epoch: 1 }] });
    const again = await back.granted(numberId);
    expect(isGood('grant' in again ? again.grant : undefined)).toBe(true);
  });

  test('speaks with a bridge of the version before as that does, and the operator sees which one it is', async () => {
    const { fleet, linked } = newFleet();
    const today = await linked({ release: '2.7.1' });
    const before = await linked({ version: bridgeProtocolVersion - 1 });
    const numberId = newUuid();
    for (const { heard, bridgeId } of [today, before]) {
      const version = bridgeId === today.bridgeId ? bridgeProtocolVersion : bridgeProtocolVersion - 1;
      expect(heard.find(({ type }) => type === 'bridge.welcome')).toMatchObject({ version });
      expect((await fleet.bridges()).find((it) => it.bridgeId === bridgeId)).toMatchObject({ version });
    }
    const releases = (await fleet.bridges()).map(({ bridgeId, release }) => [bridgeId, release]);
    expect(Object.fromEntries(releases)).toEqual({ [today.bridgeId]: '2.7.1', [before.bridgeId]: null });
    today.close();
    await until(async () => (await fleet.stats()).bridges === 1);
    await fleet.acquire(numberId, accountId);
    expect(await before.granted(numberId)).toMatchObject({ epoch: 1 });
    await linked({ bridgeId: before.bridgeId, leases: [{ numberId, epoch: 1 }] });
    const renewed = (await fleet.bridges()).find((it) => it.bridgeId === before.bridgeId);
    expect(renewed).toMatchObject({ version: bridgeProtocolVersion, leases: 1 });
  });

  test('says how long leases hold, to a bridge of the version before too, and waits for longer', async () => {
    const { fleet, linked } = newFleet();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const today = await linked({}, true);
    const before = await linked({ version: bridgeProtocolVersion - 1 }, true);
    const welcomes = [today, before].map(({ heard }) => heard.find(({ type }) => type === 'bridge.welcome'));
    expect(welcomes).toEqual([
      { type: 'bridge.welcome', version: bridgeProtocolVersion, leaseMs: leaseTimes.validMsMin },
      { type: 'bridge.welcome', version: bridgeProtocolVersion - 1, leaseMs: leaseTimes.validMsMin },
    ]);
    for (const bridge of [today, before]) bridge.close();
    await until(async () => (await fleet.stats()).bridges === 0);
    const patience = new Map(
      (await fleet.bridges()).map(({ bridgeId, linkedAt, leasesUntil }) => [
        bridgeId,
        (leasesUntil ?? 0) - (linkedAt ?? 0),
      ]),
    );
    // Counted from the opening of the link, a moment before.
    for (const { bridgeId } of [today, before]) {
      expect(patience.get(bridgeId)).toBeGreaterThan(leaseTimes.validMsMin);
      expect(patience.get(bridgeId)).toBeLessThanOrEqual(leaseTimes.validMsMin + leaseTimes.marginMs);
    }
  });

  test.each([-2, +1])('refuses a bridge whose version differs by %i, and says what it speaks', async (by) => {
    const { fleet, link } = newFleet();
    const other = await link({ version: bridgeProtocolVersion + by });
    await until(() => other.closed !== null);
    expect(other.closed).toBe(linkCloseCodes.protocolError);
    const [before, now, theirs] = [-1, 0, by].map((difference) => bridgeProtocolVersion + difference);
    expect(other.reason).toBe(`this edge speaks versions ${before} and ${now}, the bridge ${theirs}`);
    expect(await fleet.bridges()).toEqual([]);
  });

  test('refuses a bridge that says what is no frame', async () => {
    const { link: linkAgain } = newFleet();
    const rude = await linkAgain();
    rude.say({ type: 'nonsense' } as unknown as ControlUpFrame);
    await until(() => rude.closed !== null);
    expect(rude.closed).toBe(linkCloseCodes.protocolError);
  });
});
