import { expect, test } from 'vitest';
import { textOf } from '../../../../src/contract/messages/content.ts';
import { type BridgeProcess, newPhone, Stage } from '../../stage.ts';

const stage = Stage.open();

test('every message that was acknowledged to the network reaches the edge, whenever the bridge is killed', async () => {
  const home = await stage.newHome();
  let bridge: BridgeProcess | null = await stage.spawnBridge(home);
  const { number, phone } = await stage.pairedNumber(bridge.bridgeId);
  const from = newPhone();
  const texts = Array.from({ length: 120 }, (_, index) => `inbound ${index}`);
  const writing = (async () => {
    for (const text of texts) await stage.admin('POST', `phones/${from}/messages`, { to: phone, text });
  })();
  const reported = () => new Set(number.inbound().map(({ content }) => textOf(content))).size;
  for (const wanted of [15, 60]) {
    await stage.edge.until(`${wanted} are reported`, () => reported() >= wanted);
    await bridge?.kill();
    bridge = wanted === 60 ? null : await stage.spawnBridge(home);
  }
  // The last one is not killed: it needs no process of its own.
  await stage.startBridge(home);
  await writing;
  await stage.edge.until('all are reported', () => reported() === texts.length);
});

test('the network keeps what people write until the edge has it', async () => {
  const waits = { holdNetworkMs: 120_000, factRepeatMs: 100 };
  const bridge = await stage.startBridge(await stage.newHome(), waits);
  const { number, phone } = await stage.pairedNumber(bridge.bridgeId);
  const waiting = async () => {
    const { devices } = await stage.admin<{ devices: { waiting: number }[] }>('GET', `phones/${phone}`);
    return devices.reduce((sum, device) => sum + device.waiting, 0);
  };
  await expect.poll(waiting).toBe(0);
  number.storesFacts = false;
  const write = (text: string) => stage.admin('POST', `phones/${newPhone()}/messages`, { to: phone, text });
  for (const text of ['one', 'two', 'three']) await write(text);
  const journalled = () => stage.logLines.filter((line) => line.includes('inbound.journalled')).length;
  await stage.edge.until('the bridge has them', () => journalled() >= 3);
  expect(await waiting()).toBeGreaterThanOrEqual(3);
  number.storesFacts = true;
  number.hibernate();
  await expect.poll(waiting).toBe(0);
  expect(number.inbound().map(({ content }) => textOf(content))).toEqual(['one', 'two', 'three']);
});

test('a bridge that is asked to end finishes, gives its numbers up, and says nothing about lost sessions', async () => {
  const bridge = await stage.spawnBridge(await stage.newHome());
  const { number } = await stage.pairedNumber(bridge.bridgeId);
  const to = newPhone();
  const messages = number.send(...Array.from({ length: 60 }, (_, index) => ({ to, text: `drain ${index}` })));
  await stage.edge.until('some are sent', () => messages.some((message) => number.outcomeOf(message)));
  expect(await bridge.terminate()).toBe(0);
  const said = stage.edge.controlFrames.filter(({ bridgeId }) => bridgeId === bridge.bridgeId);
  const spoken = said.map(({ frame }) => frame.type).filter((type) => type !== 'bridge.status');
  expect(spoken).toEqual(['bridge.hello', 'bridge.draining', 'lease.released']);
  for (const { messageId } of messages) expect(number.sent.get(messageId)?.outcomes).toHaveLength(1);
  expect(number.factsOf('session.disconnected')).toEqual([]);

  const next = await stage.startBridge(await stage.newHome(), { inDoubtGraceMs: 1_500 });
  stage.edge.grant(number, next.bridgeId);
  await stage.edge.until('the rest is sent', () => messages.every((message) => number.outcomeOf(message)));
  const arrivals = await stage.arrivalsAt(to);
  expect(arrivals).toHaveLength(60);
  expect(arrivals.filter(({ count }) => count !== 1)).toEqual([]);
});

test('under a new epoch messages are reported that the edge missed under the old one, and the device stays linked', async () => {
  const bridge = await stage.startBridge(await stage.newHome());
  const { number, phone } = await stage.pairedNumber(bridge.bridgeId);
  const from = newPhone();
  number.storesFacts = false;
  await stage.admin('POST', `phones/${from}/messages`, { to: phone, text: 'between two leases' });
  await stage.edge.until('it reaches the edge', () =>
    stage.edge.received.join().includes('between two leases'),
  );
  number.storesFacts = true;
  stage.edge.grant(number, bridge.bridgeId);
  await stage.edge.until('it is reported', () => number.inbound().length > 0);
  await stage.edge.until('the session comes back', () => number.factsOf('session.connected').length > 1);
  const [message] = number.send({ to: from, text: 'the answer' });
  await stage.edge.until('the answer is sent', () => message && number.outcomeOf(message));
  expect(await stage.arrivalsAt(from)).toMatchObject([{ text: 'the answer', count: 1 }]);
});
