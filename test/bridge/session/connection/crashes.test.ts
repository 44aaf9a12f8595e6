import { expect, test } from 'vitest';
import { textOf } from '../../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../../fake-edge.ts';
import { type BridgeProcess, newPhone, Stage } from '../../stage.ts';

const stage = Stage.open();
/** Of bridges that are not killed, and so need no process of their own. A phone that is slow must not look like one that got nothing. */
const patient = { inDoubtGraceMs: 1_500 };

test('a bridge killed in the middle of 120 sends leaves each of them on the network exactly once', async () => {
  const home = await stage.newHome();
  let bridge: BridgeProcess | null = await stage.spawnBridge(home);
  const { number } = await stage.pairedNumber(bridge.bridgeId);
  const to = newPhone();
  const messages = number.send(...Array.from({ length: 120 }, (_, index) => ({ to, text: `send ${index}` })));
  const sent = () => messages.filter((message) => number.outcomeOf(message)).length;
  for (const wanted of [20, 50, 80]) {
    await stage.edge.until(`${wanted} are sent`, () => sent() >= wanted);
    await bridge?.kill();
    bridge = wanted === 80 ? null : await stage.spawnBridge(home);
  }
  await stage.startBridge(home, patient);
  await stage.edge.until('all are sent', () => sent() === 120);
  const arrivals = await stage.arrivalsAt(to);
  expect(arrivals.filter(({ count }) => count !== 1)).toEqual([]);
  expect(arrivals.map(({ text }) => text).toSorted()).toEqual(
    messages.map(({ content }) => textOf(content)).toSorted(),
  );
});

test('a bridge that takes over from one that died with its disk loses nothing and sends nothing twice', async () => {
  const first = await stage.spawnBridge(await stage.newHome());
  const { number } = await stage.pairedNumber(first.bridgeId);
  const to = newPhone();
  const messages = number.send(
    ...Array.from({ length: 80 }, (_, index) => ({ to, text: `takeover ${index}` })),
  );
  const sent = () => messages.filter((message) => number.outcomeOf(message)).length;
  await stage.edge.until('some are sent', () => sent() >= 30);
  await first.kill();
  // A phone that reads slowly must not look like one that got nothing.
  const second = await stage.startBridge(await stage.newHome(), { inDoubtGraceMs: 5_000 });
  stage.edge.grant(number, second.bridgeId);
  await stage.edge.until('all are sent', () => sent() === 80);
  // The sessions on the lost disk were ahead of those the edge has: what the phone cannot read at first it asks for once more.
  await expect.poll(async () => (await stage.arrivalsAt(to)).length).toBe(80);
  // What the network had answered died with the disk, but the edge had it before the network was told so.
  const arrivals = await stage.arrivalsAt(to);
  expect(arrivals.filter(({ count }) => count !== 1)).toEqual([]);
  const idAndText = (id: string, text: string) => `${id} ${text}`;
  expect(arrivals.map(({ id, text }) => idAndText(id, text)).toSorted()).toEqual(
    messages
      .map(({ providerMessageId, content }) => idAndText(providerMessageId, textOf(content)))
      .toSorted(),
  );
});

const endings = {
  'is killed': async (bridge: BridgeProcess, home: string) => {
    await bridge.kill();
    await stage.startBridge(home, patient);
  },
  'loses its connection': async () => {},
  'is killed and loses its disk': async (bridge: BridgeProcess, _home: string, number: FakeNumber) => {
    await bridge.kill();
    const { bridgeId } = await stage.startBridge(await stage.newHome(), patient);
    stage.edge.grant(number, bridgeId);
  },
};

test.each(Object.entries(endings))(
  'what had left when a bridge that heard no answer %s is found on the network and does not leave again',
  async (_, end) => {
    const wire = await stage.layDeafWire();
    const home = await stage.newHome();
    const bridge = await stage.spawnBridge(home);
    const { number } = await stage.pairedNumber(bridge.bridgeId);
    const to = newPhone();
    const [first] = number.send({ to, text: 'the first' });
    await stage.edge.until('the first is delivered', () => first && number.receiptsOf(first).length > 0);
    wire.isDeaf = true;
    const messages = number.send(
      ...Array.from({ length: 40 }, (_, index) => ({ to, text: `unheard ${index}` })),
    );
    await expect.poll(async () => (await stage.arrivalsAt(to)).length).toBe(41);
    expect(messages.filter((message) => number.outcomeOf(message))).toEqual([]);
    wire.isDeaf = false;
    wire.cut();
    await end(bridge, home, number);
    await stage.edge.until('all are sent', () => messages.every((message) => number.outcomeOf(message)));
    const arrivals = await stage.arrivalsAt(to);
    expect(arrivals).toHaveLength(41);
    expect(arrivals.filter(({ count }) => count !== 1)).toEqual([]);
  },
);
