import { runDurableObjectAlarm } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bridgeProtocolVersion } from '../../../src/contract/bridge/bridge-frames.ts';
import { fleetOf, regionNear } from '../../../src/durable/bridge-fleet/fleet-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { phoneNumber } from '../../durable/phone-number/fake-bridge.ts';
import { until } from '../../durable/until.ts';
import { doorWith } from '../configured-door.ts';

const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };
const door = doorWith({ FLEET_REGIONS: 'weur, apac' });

async function enrolled(body: object) {
  const made = await door('POST', '/v1/operator/bridges', { headers: operator, json: body });
  const bridgeId = newUuid();
  const { body: own } = await door('POST', '/bridge/enrol', {
    headers: { Authorization: `Bearer ${made.body.token}` },
    json: { bridgeId },
  });
  return { made: made.body, bridgeId, token: own.token as string };
}

/** A bridge that has said hello; the numbers that it was given. */
async function linked({ bridgeId, token }: { bridgeId: string; token: string }) {
  const headers = { Upgrade: 'websocket', Authorization: `Bearer ${token}` };
  const request = new Request('https://gateway.test/bridge/control', { headers });
  const { webSocket } = await exports.default.fetch(request);
  if (!webSocket) throw new Error('the control link was refused');
  const granted: string[] = [];
  const welcome = Promise.withResolvers<void>();
  webSocket.accept();
  webSocket.addEventListener('message', ({ data }) => {
    if (data === 'pong') return;
    const frame = JSON.parse(String(data));
    if (frame.type === 'lease.granted') granted.push(frame.numberId);
    if (frame.type === 'bridge.welcome') welcome.resolve();
  });
  const hello = { type: 'bridge.hello', version: bridgeProtocolVersion, bridgeId, capacity: 50, leases: [] };
  webSocket.send(JSON.stringify(hello));
  await welcome.promise;
  const pings = setInterval(() => webSocket.readyState === WebSocket.OPEN && webSocket.send('ping'), 200);
  onTestFinished(() => clearInterval(pings));
  return { granted, close: () => webSocket.close(1000) };
}

/** A number that wants a bridge of its region. */
async function wantingNumber(region: 'weur' | null) {
  const numberId = newUuid();
  await phoneNumber(numberId).provision({ accountId: newUuid(), numberId, region });
  await phoneNumber(numberId).pair({ method: 'qr' });
  return numberId;
}

const list = async () => (await door('GET', '/v1/operator/bridges', { headers: operator })).body;
const regionOf = async (name: string) =>
  (await list()).regions.find(({ region }: { region: string }) => region === name);

test('the numbers of a region go to its own bridges alone, and wait for one where there is none', async () => {
  const elsewhere = await enrolled({});
  const everywhere = await linked(elsewhere);
  const numberId = await wantingNumber('weur');
  await until(async () => (await regionOf('weur')).waitingNumbers === 1);
  expect(await regionOf('weur')).toEqual({ region: 'weur', linkedBridges: 0, waitingNumbers: 1 });
  expect(await regionOf('apac')).toEqual({ region: 'apac', linkedBridges: 0, waitingNumbers: 0 });
  expect(everywhere.granted).not.toContain(numberId);

  const ours = await enrolled({ region: 'weur', name: 'rack 4' });
  expect(ours.made).toMatchObject({ region: 'weur', name: 'rack 4' });
  const near = await linked(ours);
  await until(() => near.granted.includes(numberId));
  expect(await regionOf('weur')).toEqual({ region: 'weur', linkedBridges: 1, waitingNumbers: 0 });
  const other = await wantingNumber(null);
  await until(() => everywhere.granted.includes(other));
  expect(near.granted).not.toContain(other);
  const { data } = await list();
  const shown = (bridgeId: string) => data.find((it: { bridgeId: string }) => it.bridgeId === bridgeId);
  expect(shown(ours.bridgeId)).toMatchObject({ region: 'weur', name: 'rack 4', numbers: 1 });
  expect(shown(elsewhere.bridgeId)).toMatchObject({ region: null });

  // Emptied and thrown out by its id, wherever it is.
  const path = `/v1/operator/bridges/${ours.bridgeId}`;
  expect((await door('POST', `${path}/drain`, { headers: operator })).body).toMatchObject({
    isDraining: true,
  });
  expect((await door('DELETE', path, { headers: operator })).status).toBe(204);
  expect((await list()).data).toContainEqual(
    expect.objectContaining({ bridgeId: ours.bridgeId, state: 'revoked' }),
  );
  expect(await regionOf('weur')).toMatchObject({ linkedBridges: 0, waitingNumbers: 1 });
  expect(everywhere.granted).not.toContain(numberId);
  near.close();
  everywhere.close();
});

test('an account whose numbers wait in a region without bridges is told which', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const accountId = newUuid();
  const fleet = fleetOf(env, 'afr');
  await fleet.acquire(newUuid(), accountId);
  vi.setSystemTime(Date.now() + 2 * 60_000);
  const alerts = () => env.EVENT_LOG.getByName(accountId).alerts(10, null);
  const [told] = await until(async () => {
    await runDurableObjectAlarm(fleet);
    return (await alerts()).length > 0 ? alerts() : null;
  });
  const detail = { numbers: 1, bridges: 0 };
  expect(told).toMatchObject({ kind: 'bridge.lost', subject: 'region:afr', detail, endedAt: null });
});

test('a bridge belongs to the region that its token was made for, and to no other', async () => {
  const { bridgeId, token } = await enrolled({ region: 'apac' });
  expect(token).toMatch(new RegExp(`^hb_apac_${bridgeId}_`));
  for (const forged of [
    token.replace('_apac', '_weur'),
    token.replace('_apac', ''),
    token.replace('_apac', '_moon'),
  ]) {
    const headers = { Upgrade: 'websocket', Authorization: `Bearer ${forged}` };
    const request = new Request('https://gateway.test/bridge/control', { headers });
    expect((await exports.default.fetch(request)).status).toBe(401);
  }
});

test('a region that this gateway does not have is refused by name, and with none there is one fleet', async () => {
  const add = (ask: typeof door, region: string) =>
    ask('POST', '/v1/operator/bridges', { headers: operator, json: { region } });
  for (const [ask, region] of [
    [door, 'oc'],
    [door, 'moon'],
    [doorWith({}), 'weur'],
  ] as const)
    expect((await add(ask, region)).body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'region' }],
    });
  expect((await doorWith({})('GET', '/v1/operator/bridges', { headers: operator })).body.regions).toEqual([]);
});

test('a number is of the region near which it is made, where that has a fleet', () => {
  const configured = { ...env, FLEET_REGIONS: 'weur,apac' };
  expect(regionNear(configured, 'weur')).toBe('weur');
  expect(regionNear(configured, 'oc')).toBeNull();
  expect(regionNear(configured, null)).toBeNull();
  expect(regionNear(env, 'weur')).toBeNull();
});
