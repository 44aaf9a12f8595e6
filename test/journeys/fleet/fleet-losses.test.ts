import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { expectOnceOnTheNetwork } from '../stage/promises.ts';
import { Wire } from '../stage/wire.ts';
import { FleetJourney } from './fleet-journey.ts';
import { OwnBridge } from './own-bridge.ts';

const numbers = 4;
const messagesEach = 24;
const inDoubtGraceMs = '6000';
const frozenSeconds = 30;
/** So often somebody sends and somebody writes meanwhile. */
const frozenTurns = 10;

/** One bridge is the gateway's own; the test can do with the other two as it likes. */
let journey: FleetJourney;
let edgeWire: Wire;
let networkWire: Wire;
let wired: OwnBridge;
let plain: OwnBridge;

beforeAll(async () => {
  journey = await FleetJourney.start({
    // A phone that reads slowly must not look like one that got nothing.
    IN_DOUBT_GRACE_MS: inDoubtGraceMs,
    // A bridge that the machine holds up for a second keeps its numbers: only what a test does takes them away.
    BRIDGE_LEASE_MS: '2000',
  });
  const { gateway } = journey;
  const [gatewayPort, networkPort] = [gateway.environment.PORT, gateway.environment.SIMULATOR_PORT].map(
    Number,
  );
  if (gatewayPort === undefined || networkPort === undefined) throw new Error('the gateway has no ports');
  edgeWire = await Wire.to(gatewayPort);
  networkWire = await Wire.to(networkPort);
  wired = new OwnBridge(gateway, {
    gatewayPort: edgeWire.port,
    networkPort: networkWire.port,
    inDoubtGraceMs,
  });
  plain = new OwnBridge(gateway, { gatewayPort, networkPort, inDoubtGraceMs });
  await Promise.all([wired.start(), plain.start()]);
});

afterEach(async () => {
  wired?.wake();
  for (const wire of [edgeWire, networkWire]) wire?.mend();
  await acknowledgesAfter(0);
  await journey?.leave();
});
afterAll(async () => {
  await wired?.discard();
  await plain?.discard();
  edgeWire?.close();
  networkWire?.close();
  await journey?.gateway.discard();
});

/** A customer with several numbers, some of them with the bridge that tests do most to. No bridge is without a number. */
async function joinWithNumbers(): Promise<string[]> {
  // Bridges that the test before has started again.
  for (const { bridgeId } of [wired, plain]) await journey.whenLinked(bridgeId);
  const phones = await journey.joinWithNumbers(numbers);
  // A busy machine may hold a bridge up until others have its numbers: the next ones are for whichever has the fewest.
  await waitUntil('A bridge gets no number', async () => {
    const isPlainUsed = ((await journey.bridgeOf(plain.bridgeId))?.numbers ?? 0) > 0;
    if (isPlainUsed && wired.driven(await journey.numberIds()) > 0) return true;
    phones.push(await journey.addNumber());
    return null;
  });
  return phones;
}

test('a bridge that is cut off from the edge alone says nothing more to the network, and others go on for it', async () => {
  const phones = await joinWithNumbers();
  const replies: string[] = [];
  let saidWhenOver = 0;
  const messages = await journey.customer.sendMany(messagesEach, {
    accepted: messagesEach / 3,
    run: async () => {
      edgeWire.cut();
      replies.push(...(await journey.replyToAll(phones)));
      await journey.whenEmpty(wired.bridgeId);
      saidWhenOver = networkWire.said;
      replies.push(...(await journey.replyToAll(phones)));
    },
  });
  await expectOnceOnTheNetwork(journey.customer, messages);
  expect(saidWhenOver).toBeGreaterThan(0);
  expect(networkWire.said).toBe(saidWhenOver);
  edgeWire.mend();
  await journey.whenLinked(wired.bridgeId);
  messages.push(...(await journey.customer.sendMany(messagesEach / 3)));
  await journey.expectPromisesKept(messages, replies);
});

/** The network acknowledges nothing for so long, or until it is told otherwise. */
const acknowledgesAfter = (ackDelayMs: number) =>
  journey.customer.simulator('PATCH', '/admin/network', { ackDelayMs });
const acknowledgesLate = () => acknowledgesAfter(60_000);

/** The network has messages of this bridge that it has not acknowledged yet. */
const whenHanding = (bridge: OwnBridge) =>
  waitUntil('It has handed nothing over', async () => (bridge.handing > 0 ? true : null));

/** How often devices of these phones have logged in. */
async function logins(phones: readonly string[]): Promise<number> {
  const { data } = await journey.customer.simulator<{ data: { phone: string }[] }>('GET', '/admin/logins');
  return data.filter(({ phone }) => phones.includes(phone)).length;
}

test('a bridge that is frozen for 30 s says nothing to the network when it wakes: others have its numbers, and it reports what it alone has heard', async () => {
  const phones = await joinWithNumbers();
  const replies = await journey.replyToAll(phones);
  const loginsBefore = await logins(phones);
  await acknowledgesLate();
  const messages = await journey.customer.sendMany(messagesEach, {
    accepted: messagesEach / 3,
    run: async () => {
      await whenHanding(wired);
      await wired.freeze();
      // Its connections look open to it when it wakes: its lease alone keeps it silent.
      networkWire.hold();
      await acknowledgesAfter(0);
    },
  });
  for (let turn = 0; turn < frozenTurns; turn += 1) {
    messages.push(await journey.customer.send(`while it is frozen ${crypto.randomUUID()}`));
    replies.push(...(await journey.replyToAll(phones.filter((_, index) => index === turn % phones.length))));
    await delay((frozenSeconds * 1_000) / frozenTurns);
  }
  await journey.whenEmpty(wired.bridgeId);
  await expectOnceOnTheNetwork(journey.customer, messages);
  expect(wired.handing).toBeGreaterThan(0);
  // It would rightly speak for a number that it is given anew.
  await journey.asOperator('POST', `/${wired.bridgeId}/drain`);
  onTestFinished(() => journey.asOperator('POST', `/${wired.bridgeId}/resume`));
  const saidBefore = networkWire.said;
  wired.wake();
  await wired.whenReported();
  messages.push(...(await journey.customer.sendMany(messagesEach / 3)));
  replies.push(...(await journey.replyToAll(phones)));
  await journey.expectPromisesKept(messages, replies);
  expect(saidBefore).toBeGreaterThan(0);
  // A process can be stopped between its last look at the lease and the system's write: no look of its own comes later.
  expect(networkWire.said - saidBefore).toBeLessThanOrEqual(1);
  // Those that were taken over have logged in once more. Two bridges that fought for one would never end.
  expect((await logins(phones)) - loginsBefore).toBeLessThanOrEqual(2 * phones.length);
  const { callbacks } = journey.customer.receiver;
  expect(callbacks.filter(({ event }) => event === 'device.disconnected')).toEqual([]);
});

test.for([
  ['comes back with its disk', false],
  ['comes back with an empty disk, as a new bridge', true],
] as const)(
  "a bridge that is killed between the network's acknowledgement and the edge's, and %s, loses and doubles nothing",
  async ([, isWiped]) => {
    const phones = await joinWithNumbers();
    const { bridgeId } = wired;
    const replies: string[] = [];
    await acknowledgesLate();
    const messages = await journey.customer.sendMany(messagesEach, {
      accepted: messagesEach / 3,
      run: async () => {
        await whenHanding(wired);
        edgeWire.stall();
        // While its lease lasts.
        await acknowledgesAfter(0);
        await waitUntil('It has heard of nothing', async () =>
          wired.untold('send.outcomes') > 0 ? true : null,
        );
        await wired.kill();
        edgeWire.mend();
        if (isWiped) wired.wipe();
        replies.push(...(await journey.replyToAll(phones)));
        await journey.whenEmpty(bridgeId);
        replies.push(...(await journey.replyToAll(phones)));
      },
    });
    await expectOnceOnTheNetwork(journey.customer, messages);
    await wired.start();
    expect(wired.bridgeId === bridgeId).toBe(!isWiped);
    if (!isWiped) await wired.whenReported();
    messages.push(...(await journey.customer.sendMany(messagesEach / 3)));
    replies.push(...(await journey.replyToAll(phones)));
    await journey.expectPromisesKept(messages, replies);
  },
);

test('two of three bridges that are killed at once lose nothing: the third goes on, and their disks say the rest', async () => {
  const phones = await joinWithNumbers();
  const lost = [wired, plain];
  const ids = lost.map(({ bridgeId }) => bridgeId);
  const replies: string[] = [];
  const messages = await journey.customer.sendMany(messagesEach, {
    accepted: messagesEach / 3,
    run: async () => {
      await Promise.all(lost.map((bridge) => bridge.kill()));
      replies.push(...(await journey.replyToAll(phones)));
      for (const bridgeId of ids) await journey.whenEmpty(bridgeId);
      replies.push(...(await journey.replyToAll(phones)));
    },
  });
  await expectOnceOnTheNetwork(journey.customer, messages);
  await Promise.all(lost.map((bridge) => bridge.start()));
  expect(lost.map(({ bridgeId }) => bridgeId)).toEqual(ids);
  await journey.expectPromisesKept(messages, replies);
});

/** What the fleet has stored, gone for good. */
function loseTheFleet(): void {
  const files = readdirSync(join(journey.gateway.home, 'gateway'), { recursive: true, encoding: 'utf8' });
  const folder = files.find((name) => /BridgeFleet$/.test(name));
  if (folder === undefined) throw new Error(`the fleet stores nothing: ${files.slice(0, 20).join(', ')}`);
  rmSync(join(journey.gateway.home, 'gateway', folder), { recursive: true });
}

test('a fleet that has lost all that it knew goes on from what bridges and numbers say, and nothing is doubled', async () => {
  const phones = await joinWithNumbers();
  const replies: string[] = [];
  const messages = await journey.customer.sendMany(messagesEach, {
    accepted: messagesEach / 3,
    run: async () => {
      await journey.gateway.killEverything();
      loseTheFleet();
      await journey.gateway.start();
      replies.push(...(await journey.replyToAll(phones)));
    },
  });
  await journey.whenLinked(wired.bridgeId);
  messages.push(...(await journey.customer.sendMany(messagesEach / 3)));
  replies.push(...(await journey.replyToAll(phones)));
  await journey.expectPromisesKept(messages, replies);
  const held = await waitUntil('Not every number has a bridge', async () => {
    const sum = (await journey.bridges()).reduce((all, bridge) => all + bridge.numbers, 0);
    return sum >= phones.length ? sum : null;
  });
  expect(held).toBeGreaterThanOrEqual(phones.length);
});
