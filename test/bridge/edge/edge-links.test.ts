import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../../src/session-bridge/backoff.ts';
import { defaultTimings, readConfig } from '../../../src/session-bridge/config.ts';
import { Stage } from '../stage.ts';

const stage = Stage.open();

function hellosOf(bridgeId: string) {
  return stage.edge.controlFrames.flatMap(({ bridgeId: id, frame }) =>
    id === bridgeId && frame.type === 'bridge.hello' ? [frame] : [],
  );
}

test('a bridge says who it is, what it can take and which numbers it holds, each time it connects', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  const number = stage.edge.addNumber();
  stage.edge.grant(number, bridgeId);
  await stage.edge.until('the number is linked', () => number.socket);
  stage.edge.cutLinks();
  await stage.edge.until('it says hello again', () => hellosOf(bridgeId).length === 2);
  expect(hellosOf(bridgeId).map(({ capacity, leases }) => ({ capacity, leases }))).toEqual([
    { capacity: 50, leases: [] },
    { capacity: 50, leases: [{ numberId: number.numberId, epoch: number.epoch }] },
  ]);
});

test('a restarted bridge goes on with the numbers it held, without waiting for new leases', async () => {
  const home = await stage.newHome();
  const first = await stage.startBridge(home);
  const number = stage.edge.addNumber();
  stage.edge.grant(number, first.bridgeId);
  await stage.edge.until('the number is linked', () => number.socket);
  await first.close();
  await stage.edge.until('the link is gone', () => !number.socket);
  const second = await stage.startBridge(home);
  await stage.edge.until('the number is linked again', () => number.socket);
  expect(second.bridgeId).toBe(first.bridgeId);
});

test('granting a lease once more changes nothing', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  const { number } = await stage.pairedNumber(bridgeId);
  const { socket, numberId, epoch } = number;
  stage.edge.controlSend(bridgeId, { type: 'lease.granted', numberId, epoch });
  stage.edge.controlSend(bridgeId, {
    type: 'lease.granted',
    numberId: stage.edge.addNumber().numberId,
    epoch: 1,
  });
  await stage.edge.until('a later lease was seen', () =>
    stage.logLines.some((line) => line.includes('lease.granted') && !line.includes(numberId)),
  );
  expect(number.socket).toBe(socket);
  expect(number.factsOf('session.disconnected')).toEqual([]);
});

test('a link whose keepalive stays unanswered is given up and opened anew', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome(), { keepaliveMs: 40 });
  stage.edge.answersPings = false;
  await stage.edge.until('it says hello again', () => hellosOf(bridgeId).length > 1);
  stage.edge.answersPings = true;
});

test('a bridge that the edge refuses keeps trying until it is let in', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  stage.edge.refusesUpgrades = true;
  stage.edge.cutLinks();
  await expect
    .poll(() => stage.logLines.filter((line) => line.includes('"edge.refused"')).length)
    .toBeGreaterThan(2);
  stage.edge.refusesUpgrades = false;
  await stage.edge.until('it says hello again', () => hellosOf(bridgeId).length > 1);
});

test('a number that was deleted is forgotten', async () => {
  const home = await stage.newHome();
  const bridge = await stage.startBridge(home);
  const { number } = await stage.pairedNumber(bridge.bridgeId);
  stage.edge.numbers.delete(number.numberId);
  number.socket?.close(4004);
  await stage.edge.until('the lease is released', () =>
    stage.edge.controlFrames.some(
      ({ frame }) => frame.type === 'lease.released' && frame.numberId === number.numberId,
    ),
  );
});

test('a wait before a reconnect lies between nothing and the step, and the step stops growing at the cap', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const waitMs = backoffMs(attempt, { baseMs: 100, capMs: 5_000 }, () => random);
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThan(Math.min(5_000, 100 * 2 ** Math.min(attempt, 20)));
      },
    ),
  );
});

/** How long the edge waits for a bridge whose link is gone. */
const edgeGraceMs = 30_000;

test('a link that dies without a word is replaced before the edge takes the bridge for lost', () => {
  const { keepaliveMs, edgeReconnectCapMs } = defaultTimings;
  // Two pongs are missed before the third ping is due.
  expect(3 * keepaliveMs + edgeReconnectCapMs).toBeLessThan(edgeGraceMs);
});

test('however long a bridge may wait for the network, it comes back to the edge in time', () => {
  const config = readConfig({
    GATEWAY_URL: 'http://127.0.0.1:8787',
    BRIDGE_TOKEN: 'token',
    VAULT_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
    BRIDGE_HOME: '/nowhere',
    RECONNECT_CAP_MS: '120000',
  });
  expect(config.timings.reconnectCapMs).toBe(120_000);
  expect(config.timings.edgeReconnectCapMs).toBe(defaultTimings.edgeReconnectCapMs);
});
