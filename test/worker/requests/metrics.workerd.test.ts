import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { bridgeProtocolVersion } from '../../../src/contract/bridge/bridge-frames.ts';
import { release } from '../../../src/contract/release.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../../durable/until.ts';
import { doorWith } from '../configured-door.ts';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';

const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };

/** The figures by name and labels, as they stand in the text. */
function figuresOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const figures = async (door = ask) => figuresOf((await door('GET', '/metrics', { headers: operator })).text);

const objectsOfAccounts = ['ACCOUNT', 'EVENT_LOG', 'PHONE_NUMBER', 'AUDIT_LOG', 'REQUEST_LOG', 'CAMPAIGN'];

/** A binding that nobody may ask anything. */
const forbidden = (name: string) =>
  new Proxy(
    {},
    {
      get: () => () => {
        throw new Error(`${name} was asked`);
      },
    },
  );

/** A database that answers no statement. */
function brokenDatabase() {
  const fail = async () => {
    throw new Error('D1 is away');
  };
  const statement = { bind: () => statement, all: fail, raw: fail, first: fail, run: fail };
  return { prepare: () => statement };
}

test('the figures of the gateway are for its operator alone', async () => {
  const account = await openAccount();
  for (const headers of [{}, account.owner, account.server, { Authorization: 'Bearer nobody' }])
    expect(await ask('GET', '/metrics', { headers })).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHENTICATED' } },
    });
  const answer = await ask('GET', '/metrics', { headers: operator });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe(
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  );
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.text).toMatch(/\n# EOF\n$/);
});

test('the figures count what there is, and tell of no single account', async () => {
  const before = await figures();
  const account = await openAccount('Secretive Ltd');
  const numberId = await addConnectedNumber(account);
  const webhook = { url: 'https://receiver.example.com/hook', numberIds: 'all', events: 'all' };
  await ask('POST', '/v1/webhooks', { headers: account.owner, json: webhook });
  const { text } = await ask('GET', '/metrics', { headers: operator });
  const after = figuresOf(text);
  const rise = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(rise('heliograph_accounts{plan="free"}')).toBe(1);
  expect(rise('heliograph_numbers')).toBe(1);
  expect(rise('heliograph_api_keys')).toBe(1);
  expect(rise('heliograph_webhooks{enabled="true"}')).toBe(1);
  for (const own of [account.accountId, account.email, 'Secretive', numberId, 'receiver.example.com'])
    expect(text).not.toContain(own);
  await ask('DELETE', `/v1/auth/api-keys/${account.apiKeyId}`, { headers: account.owner });
  expect((await figures()).get('heliograph_api_keys')).toBe(before.get('heliograph_api_keys') ?? 0);
});

test('the figures tell of every session bridge, and of the numbers that wait for one', async () => {
  const { accountId } = await openAccount();
  const fleet = env.BRIDGE_FLEET.getByName('fleet');
  const numberId = newUuid();
  await fleet.acquire(numberId, accountId);
  // Numbers of other tests may wait too.
  expect((await figures()).get('heliograph_numbers_waiting{region="none"}')).toBeGreaterThanOrEqual(1);

  const bridgeId = newUuid();
  const { body } = await ask('POST', '/v1/operator/bridges', {
    headers: operator,
    json: { name: 'rack "4"' },
  });
  const enrolled = await ask('POST', '/bridge/enrol', {
    headers: { Authorization: `Bearer ${body.token}` },
    json: { bridgeId },
  });
  const { webSocket } = await exports.default.fetch(
    new Request('https://gateway.test/bridge/control', {
      headers: { Upgrade: 'websocket', Authorization: `Bearer ${enrolled.body.token}` },
    }),
  );
  webSocket?.accept();
  const hello = { version: bridgeProtocolVersion, bridgeId, capacity: 5, leases: [], release: '1.2.3' };
  webSocket?.send(JSON.stringify({ type: 'bridge.hello', ...hello }));
  const counts = { openSessions: 1, logins: { opened: 3, client_outdated: 2 }, losses: {}, repeatedSends: 4 };
  webSocket?.send(JSON.stringify({ type: 'bridge.status', residentBytes: 12_345_678, counts }));
  const of = `{bridge_id="${bridgeId}"}`;
  const known = await until(async () => {
    const now = await figures();
    return now.get(`heliograph_bridge_resident_memory_bytes${of}`) === 12_345_678 && now;
  });
  const labels = `bridge_id="${bridgeId}",name="rack \\"4\\"",region="none",release="1.2.3",protocol="${bridgeProtocolVersion}"`;
  expect(known.get(`heliograph_bridge_linked{${labels}}`)).toBe(1);
  expect(known.get('heliograph_bridges{region="none",state="linked"}')).toBe(1);
  expect(known.get(`heliograph_bridge_numbers${of}`)).toBeGreaterThanOrEqual(1);
  expect(known.get(`heliograph_bridge_capacity${of}`)).toBe(5);
  expect(known.get(`heliograph_bridge_draining${of}`)).toBe(0);
  expect(known.get(`heliograph_bridge_sessions_open${of}`)).toBe(1);
  const logins = (result: string) =>
    known.get(`heliograph_bridge_logins_total{bridge_id="${bridgeId}",result="${result}"}`);
  expect([logins('opened'), logins('client_outdated')]).toEqual([3, 2]);
  expect(known.get(`heliograph_bridge_repeated_sends_total${of}`)).toBe(4);
  expect(known.get('heliograph_numbers_waiting{region="none"}')).toBe(0);
  await fleet.release(numberId);
  webSocket?.close(1000);
});

test('the figures wake no object of an account', async () => {
  const door = doorWith(Object.fromEntries(objectsOfAccounts.map((name) => [name, forbidden(name)])));
  const answer = await door('GET', '/metrics', { headers: operator });
  expect(answer.status).toBe(200);
  const now = figuresOf(answer.text);
  expect(now.get(`heliograph_build_info{release="${release}"}`)).toBe(1);
  for (const part of ['database', 'queue', 'bridges'])
    expect(now.get(`heliograph_up{part="${part}"}`)).toBe(1);
  expect(now.get('heliograph_queue_messages{queue="webhook-deliveries"}')).toBeGreaterThanOrEqual(0);
});

test('a send is counted with its answer and its steps, and a scrape that shows them wakes no object of an account', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const door = doorWith(Object.fromEntries(objectsOfAccounts.map((name) => [name, forbidden(name)])));
  const send = (json: unknown) => ask('POST', '/v1/messages/send', { headers: account.server, json });
  /** How much the figures have risen since `before`, once `isThere` holds. */
  const riseSince = (before: Map<string, number>, isThere: (rise: (name: string) => number) => boolean) =>
    until(async () => {
      // Whoever was to tell for this isolate may have ended with another test: the next one that counts does it.
      await send({});
      const now = await figures(door);
      const rise = (name: string) => (now.get(name) ?? 0) - (before.get(name) ?? 0);
      return isThere(rise) && rise;
    });
  // What other tests have counted in this isolate is told first.
  await riseSince(await figures(door), (rise) => rise('heliograph_send_requests_total{status="400"}') > 0);
  const before = await figures(door);
  expect((await send({ to: '628123456789', text: 'hello' })).status).toBe(202);
  const after = await riseSince(
    before,
    (rise) =>
      rise('heliograph_send_requests_total{status="202"}') > 0 &&
      rise('heliograph_messages_total{step="queued"}') > 0,
  );
  expect(after('heliograph_send_requests_total{status="202"}')).toBe(1);
  expect(after('heliograph_send_accept_seconds_count')).toBe(1);
  expect(after('heliograph_send_accept_seconds_bucket{le="+Inf"}')).toBe(1);
  expect(after('heliograph_messages_total{step="queued"}')).toBe(1);
  expect(after('heliograph_messages_total{step="failed"}')).toBe(0);
});

test('a part that does not answer is said to be down, and its figures alone are missing', async () => {
  const door = doorWith({ DB: brokenDatabase() });
  const now = await figures(door);
  expect(now.get('heliograph_up{part="database"}')).toBe(0);
  expect(now.get('heliograph_up{part="queue"}')).toBe(1);
  expect(now.has('heliograph_accounts{plan="free"}')).toBe(false);
  expect(now.has('heliograph_numbers_waiting{region="none"}')).toBe(true);
});

test('logs that fill are counted by how full they are, and none is named', async () => {
  const fleet = env.BRIDGE_FLEET.getByName('fleet');
  const [most, nearly, over] = [newUuid(), newUuid(), newUuid()];
  await fleet.noteLogBytes(most, 6_100_000_000);
  for (const bytes of [6_100_000_000, 8_100_000_000]) await fleet.noteLogBytes(nearly, bytes);
  await fleet.noteLogBytes(over, 9_000_000_000);
  await fleet.noteLogBytes(over, null);
  const shown = await figures();
  expect(shown.get('heliograph_logs_filling{percent="60"}')).toBe(2);
  expect(shown.get('heliograph_logs_filling{percent="80"}')).toBe(1);
  for (const accountId of [most, nearly]) await fleet.noteLogBytes(accountId, null);
  expect((await figures()).get('heliograph_logs_filling{percent="60"}')).toBe(0);
});
