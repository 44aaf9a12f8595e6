import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  bridgeProtocolVersion,
  type ControlDownFrame,
  type ControlUpFrame,
  controlDownFrameSchema,
  grantTimes,
  linkCloseCodes,
} from '../../src/contract/bridge/bridge-frames.ts';
import type { BridgeFleet } from '../../src/durable/bridge-fleet/bridge-fleet.ts';
import { isGoodGrant } from '../../src/durable/bridge-grants.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { until } from './until.ts';

/** A fleet of its own for each test, and a bridge's end of its control link. */
function newFleet() {
  const fleet = env.BRIDGE_FLEET.getByName(newUuid());
  const link = async (
    hello: Partial<Extract<ControlUpFrame, { type: 'bridge.hello' }>> = {},
    isSilent = false,
    provenAs?: string,
  ) => {
    const bridgeId = hello.bridgeId ?? newUuid();
    const response = await fleet.fetch(`https://edge/bridge/control?bridge=${provenAs ?? bridgeId}`, {
      headers: { Upgrade: 'websocket' },
    });
    const socket = response.webSocket;
    if (!socket) throw new Error(`refused: ${response.status}`);
    socket.accept();
    const control = {
      bridgeId,
      heard: [] as ControlDownFrame[],
      pongs: 0,
      closed: null as number | null,
      reason: '',
      say: (frame: ControlUpFrame) => socket.send(JSON.stringify(frame)),
      ping: () => socket.send('ping'),
      close: () => socket.close(1000),
      granted: (numberId: string) =>
        until(() =>
          control.heard.find((frame) => frame.type === 'lease.granted' && frame.numberId === numberId),
        ),
    };
    socket.addEventListener('message', ({ data }) => {
      if (data === 'pong') control.pongs += 1;
      else control.heard.push(controlDownFrameSchema.parse(JSON.parse(String(data))));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      control.reason = reason;
      control.closed = code;
    });
    const pings = setInterval(() => isSilent || socket.readyState !== WebSocket.OPEN || control.ping(), 200);
    onTestFinished(() => clearInterval(pings));
    control.say({
      type: 'bridge.hello',
      version: bridgeProtocolVersion,
      bridgeId: control.bridgeId,
      capacity: 2,
      leases: [],
      ...hello,
    });
    return control;
  };
  const linked = async (...how: Parameters<typeof link>) => {
    const control = await link(...how);
    await until(() => control.heard.some(({ type }) => type === 'bridge.welcome'));
    return control;
  };
  return { fleet, link, linked };
}

const minuteMs = 60_000;
const accountId = newUuid();

describe('the fleet of bridges', () => {
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

  test('an account whose numbers no bridge takes is told, once, and told when all of them have one', async () => {
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
    await runDurableObjectAlarm(fleet);
    expect(await alertsOf(owner)).toHaveLength(1);
    expect((await alertsOf(owner))[0]?.endedAt).toBeNull();
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
    await fleet.acquire(numberId, accountId);
    await until(() => bridge.heard.some((frame) => frame.type === 'lease.granted' && frame.epoch === 2));
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
    bridge.say({ type: 'lease.released', numberId: third, epoch: 1 });
    await until(() => bridge.heard.filter(({ type }) => type === 'lease.granted').length === 4);
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
    await linked({ bridgeId: leaving.bridgeId, capacity: 3 });
    const late = await linked({ capacity: 1 });
    const last = numbers.filter((numberId) => !revoked().includes(numberId))[0] ?? '';
    await fleet.release(last);
    await fleet.acquire(last, accountId);
    await late.granted(last);
    expect(await fleet.setDrained(leaving.bridgeId, false)).toMatchObject({ draining: false });
    expect(await fleet.setDrained(newUuid(), true)).toBeNull();
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
    // It would take a frame with a grant for none of its protocol.
    expect(await before.granted(numberId)).toEqual({ type: 'lease.granted', numberId, epoch: 1 });
    await linked({ bridgeId: before.bridgeId, leases: [{ numberId, epoch: 1 }] });
    const renewed = (await fleet.bridges()).find((it) => it.bridgeId === before.bridgeId);
    expect(renewed).toMatchObject({ version: bridgeProtocolVersion, leases: 1 });
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
