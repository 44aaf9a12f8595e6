import { afterEach, beforeEach, expect, test } from 'vitest';
import { bridgeProtocolVersion } from '../../../src/contract/bridge/bridge-frames.ts';
import { Stage } from '../stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = new Stage();
  await stage.begin();
});

afterEach(() => stage.end());

const hellos = () => stage.edge.controlFrames.filter(({ frame }) => frame.type === 'bridge.hello');
const statuses = () =>
  stage.edge.controlFrames.flatMap(({ frame }) => (frame.type === 'bridge.status' ? [frame] : []));
const logged = (...parts: string[]) =>
  stage.logLines.filter((line) => parts.every((part) => line.includes(part)));

test('a bridge says its version, and works for an edge that welcomes it to the one before', async () => {
  stage.edge.welcomesTo = bridgeProtocolVersion - 1;
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  expect(hellos().map(({ frame }) => frame)).toMatchObject([{ version: bridgeProtocolVersion }]);
  const { number, phone } = await stage.pairedNumber(bridgeId);
  const [message] = number.send({ to: phone, text: 'as before' });
  if (!message) throw new Error('nothing was sent');
  await stage.edge.until('it is sent', () => number.outcomeOf(message)?.outcome === 'sent');
  expect(logged('control.ready', `"version":${bridgeProtocolVersion - 1}`)).toHaveLength(1);
  for (const status of statuses()) expect(status).not.toHaveProperty('counts');
});

test('a bridge says with its status how many sessions are open, and what came of logins', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  await stage.pairedNumber(bridgeId);
  // Its status is the first that it says over a new link.
  stage.edge.cutLinks();
  const counts = { openSessions: 1, logins: { opened: 1 }, losses: {}, repeatedSends: 0 };
  await stage.edge.until('it has told', () => statuses().at(-1)?.counts?.openSessions === 1);
  expect(statuses().at(-1)?.counts).toEqual(counts);
});

test('a bridge that is refused for its version says why in its log, waits as long as it may, and comes back', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  const reason = 'this edge speaks versions 8 and 9, the bridge 6';
  stage.edge.refusesVersion = reason;
  stage.edge.cutLinks();
  await stage.edge.until('it was refused twice', () => hellos().length > 2);
  const refusals = logged('edge.protocol_refused', reason).map((line) => JSON.parse(line));
  // The longest wait at once, and not the first step of a backoff.
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ version: bridgeProtocolVersion, waitMs: 300 });
  expect(refusals.length).toBeGreaterThan(0);
  stage.edge.refusesVersion = null;
  await stage.edge.until('it is welcome again', () => stage.edge.isConnected(bridgeId));
});

test('a bridge does not go on with an edge that welcomes it to a version that it does not know', async () => {
  await stage.startBridge(await stage.newHome());
  stage.edge.welcomesTo = bridgeProtocolVersion + 1;
  stage.edge.cutLinks();
  await stage.edge.until('it left and came back', () => hellos().length > 2);
  expect(logged(`welcomed to version ${bridgeProtocolVersion + 1}`).length).toBeGreaterThan(0);
});
