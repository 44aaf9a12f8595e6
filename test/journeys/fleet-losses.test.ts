import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../src/local/wait-until.ts';
import { type AcceptedMessage, Customer } from './customer.ts';
import { GatewayProcess } from './gateway-process.ts';
import { OwnBridge } from './own-bridge.ts';
import { expectEveryStepOnce, expectOnceOnTheNetwork, expectReceivedOnce } from './promises.ts';
import { Wire } from './wire.ts';

const numbers = 6;
const messagesEach = 60;
const inDoubtGraceMs = '6000';

interface ShownBridge {
  bridgeId: string;
  state: string;
  numbers: number;
}

/** One bridge is the gateway's own; the test can do with the other two as it likes. */
let gateway: GatewayProcess;
let customer: Customer;
let edgeWire: Wire;
let networkWire: Wire;
let wired: OwnBridge;
let plain: OwnBridge;

beforeAll(async () => {
  gateway = await GatewayProcess.start({
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
    KEY_RATE_PER_SECOND: '1000',
    KEY_RATE_BURST: '1000',
    // A phone that reads slowly must not look like one that got nothing.
    IN_DOUBT_GRACE_MS: inDoubtGraceMs,
  });
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
  edgeWire.mend();
  await customer?.leave();
});
afterAll(async () => {
  await wired?.discard();
  await plain?.discard();
  edgeWire?.close();
  networkWire?.close();
  await gateway?.discard();
});

async function fleet(): Promise<ShownBridge[]> {
  const response = await fetch(`http://127.0.0.1:${gateway.environment.PORT}/v1/operator/bridges`, {
    headers: { authorization: `Bearer ${gateway.secrets.bootstrapToken}` },
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { data: ShownBridge[] }).data;
}

const bridgeOf = async (bridgeId: string) => (await fleet()).find((bridge) => bridge.bridgeId === bridgeId);
const whenEmpty = (bridgeId: string) =>
  waitUntil('Its numbers went to nobody', 30_000, async () =>
    (await bridgeOf(bridgeId))?.numbers === 0 ? true : null,
  );
const whenLinked = (bridgeId: string) =>
  waitUntil('The bridge did not come back', 30_000, async () =>
    (await bridgeOf(bridgeId).catch(() => undefined))?.state === 'linked' ? true : null,
  );

/** A customer with several numbers, which lie with all bridges. */
async function joinWithNumbers(): Promise<string[]> {
  customer = await Customer.join(gateway);
  const phones = [customer.phoneNumber];
  while (phones.length < numbers) {
    const phone = `62813${String(Date.now()).slice(-6)}${phones.length}`;
    await customer.pairNumber(phone);
    phones.push(phone);
  }
  for (const { bridgeId } of [wired, plain]) expect((await bridgeOf(bridgeId))?.numbers).toBeGreaterThan(0);
  return phones;
}

async function replyToAll(phones: string[]): Promise<string[]> {
  const texts = phones.map((phone) => `reply to ${phone} ${crypto.randomUUID()}`);
  for (const [index, phone] of phones.entries()) {
    const path = `/admin/phones/${customer.recipient}/messages`;
    await customer.simulator('POST', path, { to: phone, text: texts[index] });
  }
  return texts;
}

async function expectPromisesKept(messages: AcceptedMessage[], replies: string[]): Promise<void> {
  await expectOnceOnTheNetwork(customer, messages);
  await expectEveryStepOnce(customer, messages);
  await expectReceivedOnce(customer, replies);
  const { callbacks } = customer.receiver;
  expect(callbacks.filter(({ event }) => event === 'message.failed')).toEqual([]);
}

test('a bridge that is cut off from the edge alone says nothing more to the network, and others go on for it', async () => {
  const phones = await joinWithNumbers();
  const replies: string[] = [];
  let saidWhenOver = 0;
  const messages = await customer.sendMany(messagesEach, {
    accepted: messagesEach / 3,
    run: async () => {
      edgeWire.cut();
      replies.push(...(await replyToAll(phones)));
      await whenEmpty(wired.bridgeId);
      saidWhenOver = networkWire.said;
      replies.push(...(await replyToAll(phones)));
    },
  });
  await expectOnceOnTheNetwork(customer, messages);
  expect(saidWhenOver).toBeGreaterThan(0);
  expect(networkWire.said).toBe(saidWhenOver);
  edgeWire.mend();
  await whenLinked(wired.bridgeId);
  messages.push(...(await customer.sendMany(messagesEach / 3)));
  await expectPromisesKept(messages, replies);
});

test('two of three bridges that are killed at once lose nothing: the third goes on, and their disks say the rest', async () => {
  const phones = await joinWithNumbers();
  const lost = [wired, plain];
  const ids = lost.map(({ bridgeId }) => bridgeId);
  const replies: string[] = [];
  const messages = await customer.sendMany(messagesEach, {
    accepted: messagesEach / 3,
    run: async () => {
      await Promise.all(lost.map((bridge) => bridge.kill()));
      replies.push(...(await replyToAll(phones)));
      for (const bridgeId of ids) await whenEmpty(bridgeId);
      replies.push(...(await replyToAll(phones)));
    },
  });
  await expectOnceOnTheNetwork(customer, messages);
  await Promise.all(lost.map((bridge) => bridge.start()));
  expect(lost.map(({ bridgeId }) => bridgeId)).toEqual(ids);
  await expectPromisesKept(messages, replies);
});

/** What the fleet has stored, gone for good. */
function loseTheFleet(): void {
  const files = readdirSync(join(gateway.home, 'gateway'), { recursive: true, encoding: 'utf8' });
  const folder = files.find((name) => /BridgeFleet$/.test(name));
  if (folder === undefined) throw new Error(`the fleet stores nothing: ${files.slice(0, 20).join(', ')}`);
  rmSync(join(gateway.home, 'gateway', folder), { recursive: true });
}

test('a fleet that has lost all that it knew goes on from what bridges and numbers say, and nothing is doubled', async () => {
  const phones = await joinWithNumbers();
  const replies: string[] = [];
  const messages = await customer.sendMany(messagesEach, {
    accepted: messagesEach / 3,
    run: async () => {
      await gateway.killEverything();
      loseTheFleet();
      await gateway.start();
      replies.push(...(await replyToAll(phones)));
    },
  });
  await whenLinked(wired.bridgeId);
  messages.push(...(await customer.sendMany(messagesEach / 3)));
  replies.push(...(await replyToAll(phones)));
  await expectPromisesKept(messages, replies);
  const held = await waitUntil('Not every number has a bridge', 30_000, async () => {
    const sum = (await fleet()).reduce((all, bridge) => all + bridge.numbers, 0);
    return sum >= numbers ? sum : null;
  });
  expect(held).toBeGreaterThanOrEqual(numbers);
});
