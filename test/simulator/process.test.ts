import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { certificatePathIn } from '../../src/network-simulator/server/certificate.ts';
import { adminOk, arrivals } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { type SimulatorProcess, spawnSimulator, startProcess } from './stage/simulator-process.ts';
import { until } from './stage/until.ts';

const own = '628130000001';
const friend = '628130000002';
const jid = (phone: string) => `${phone}@s.whatsapp.net`;
let home: string;
let running: SimulatorProcess[] = [];
const start = async (port?: number): Promise<SimulatorProcess> => {
  const simulator = await startProcess(home, port);
  running.push(simulator);
  return simulator;
};
const waiting = async (adminUrl: string, phone: string): Promise<number> => {
  const { devices } = await adminOk(adminUrl, 'GET', `phones/${phone}`);
  return (devices as { waiting: number }[])[0]?.waiting ?? -1;
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'simulator-'));
});

afterEach(async () => {
  await Promise.all(running.map((simulator) => simulator.end('SIGKILL')));
  running = [];
  rmSync(home, { recursive: true });
});

/** What is done before a kill -9 of the simulator; it answers what is looked at after the next start. */
type Before = (simulator: SimulatorProcess) => Promise<(next: SimulatorProcess) => Promise<void>>;

const aroundKill: Record<string, Before> = {
  'the client logs in with what it has, and traffic goes on both ways': async (first) => {
    const [own, friend] = ['628130000011', '628130000012'];
    const client = await new LinkedClient(first.socketUrl).pair(first.adminUrl, own);
    await adminOk(first.adminUrl, 'PATCH', `phones/${friend}`, { autoRead: true });
    const before = await client.send(jid(friend), 'before');
    await until(() => client.receiptsOf(before).includes('read'), 'the receipt');
    await adminOk(first.adminUrl, 'POST', `phones/${friend}/messages`, { to: own, text: 'hello' });
    await until(() => client.texts().includes('hello'), 'the text');
    return async (second) => {
      await until(() => client.closedWith === 428, 'the end of the link');
      await client.logIn();
      const after = await client.send(jid(friend), 'after');
      await until(() => client.receiptsOf(after).includes('read'), 'the receipt by the kept script');
      expect(client.receiptsOf(after)).not.toContain('retry');
      await adminOk(second.adminUrl, 'POST', `phones/${friend}/messages`, { to: own, text: 'still here' });
      await until(() => client.texts().includes('still here'), 'the text after the restart');
      const rows = await arrivals(second.adminUrl, friend);
      expect(rows.map(({ text, count }) => ({ text, count }))).toEqual([
        { text: 'before', count: 1 },
        { text: 'after', count: 1 },
      ]);
      await client.disconnect();
    };
  },

  'everything that waited for an absent client is still there': async (first) => {
    const [own, friend] = ['628130000021', '628130000022'];
    const client = await new LinkedClient(first.socketUrl).pair(first.adminUrl, own);
    await until(async () => (await waiting(first.adminUrl, own)) === 0, 'the history to be confirmed');
    await client.disconnect();
    const texts = Array.from({ length: 20 }, (_, index) => `kept ${index}`);
    for (const text of texts)
      await adminOk(first.adminUrl, 'POST', `phones/${friend}/messages`, { to: own, text });
    return async (second) => {
      expect(await waiting(second.adminUrl, own)).toBe(texts.length);
      await client.logIn();
      await until(() => client.texts().length === texts.length, 'all texts');
      expect(client.texts()).toEqual(texts);
      await client.disconnect();
    };
  },

  'groups, bans and media are there': async (first) => {
    const [own, friend] = ['628130000031', '628130000032'];
    const { id } = await adminOk(first.adminUrl, 'POST', 'groups', {
      subject: 'Kept',
      members: [own, friend],
    });
    const client = await new LinkedClient(first.socketUrl).pair(first.adminUrl, own);
    await client.send(String(id), 'to the group');
    const { auth } = await client.socket.refreshMediaConn();
    const hash = createHash('sha256').update('sealed bytes').digest('base64url');
    const address = `${first.adminUrl}/mms/image/${hash}?auth=${encodeURIComponent(auth)}&token=${hash}`;
    const upload = await fetch(address, { method: 'POST', body: 'sealed bytes' });
    await adminOk(first.adminUrl, 'POST', `devices/${own}/ban`);
    await until(() => client.closedWith === 403, 'the ban');
    const { direct_path: path } = (await upload.json()) as { direct_path: string };
    return async (second) => {
      client.connect();
      await until(() => client.closedWith === 403, 'the ban to hold');
      const { data } = await adminOk(second.adminUrl, 'GET', 'groups');
      expect(data).toMatchObject([{ id, subject: 'Kept', members: expect.arrayContaining([own, friend]) }]);
      expect((await arrivals(second.adminUrl, String(id))).map((row) => row.text)).toEqual(['to the group']);
      expect(await (await fetch(`${second.adminUrl}${path}`)).text()).toBe('sealed bytes');
    };
  },

  // The last before the kill, which comes in the middle of it.
  'whatever was acknowledged has arrived once, and its receipts still come': async (first) => {
    const client = await new LinkedClient(first.socketUrl).pair(first.adminUrl, own);
    await adminOk(first.adminUrl, 'PATCH', `phones/${friend}`, { delayMs: 400 });
    // Two receipts each: a Baileys client alone takes in no more than the first hundred of what waits.
    for (let index = 0; index < 40; index++) await client.send(jid(friend), `burst ${index}`);
    await until(() => client.acks.length >= 25, 'some acknowledgements');
    return async (second) => {
      await until(() => client.closedWith === 428, 'the end of the link');
      const acknowledged = client.acks.map((ack) => ack.id);
      await client.logIn();
      await until(
        () => acknowledged.every((id) => client.receiptsOf(id).includes('delivered')),
        'the receipts that were still due',
      );
      const rows = await arrivals(second.adminUrl, friend);
      const counts = new Map(rows.map((row) => [row.id, row.count]));
      expect(acknowledged.map((id) => counts.get(id))).toEqual(acknowledged.map(() => 1));
      await client.disconnect();
    };
  },
};

describe('after kill -9', () => {
  const looks: Record<string, (next: SimulatorProcess) => Promise<void>> = {};
  let kept: string;
  let second: SimulatorProcess;

  beforeAll(async () => {
    kept = mkdtempSync(join(tmpdir(), 'simulator-'));
    const first = await startProcess(kept);
    try {
      for (const [name, before] of Object.entries(aroundKill)) looks[name] = await before(first);
    } finally {
      expect(await first.end('SIGKILL')).toBe('SIGKILL');
    }
    second = await startProcess(kept, first.port);
  });
  afterAll(async () => {
    await second?.end('SIGKILL');
    rmSync(kept, { recursive: true });
  });

  test.each(Object.keys(aroundKill))('%s', async (name) => {
    await looks[name]?.(second);
  });

  test('a folder that another simulator uses is one sentence and exit code 1', async () => {
    const { ended, stderr } = spawnSimulator({ SIMULATOR_HOME: kept, SIMULATOR_PORT: '0' });
    expect(await ended).toBe(1);
    expect(stderr()).toContain('database is locked');
    expect(existsSync(join(kept, 'network.db'))).toBe(true);
  });
});

test('SIGTERM ends it cleanly; its first line says where it listens, and the certificate is there to be trusted', async () => {
  const simulator = await start();
  const line = JSON.parse(simulator.stdout().split('\n')[0] ?? '');
  expect(line).toEqual({ event: 'simulator.listening', port: simulator.port, tlsPort: expect.any(Number) });
  expect(readFileSync(certificatePathIn(home), 'utf8')).toContain('BEGIN CERTIFICATE');
  const client = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, own);
  expect(await simulator.end('SIGTERM')).toBe(0);
  await until(() => client.closedWith === 428, 'the end of the link');
});

test('SIGINT ends it cleanly; its log holds no texts and no whole phone numbers', async () => {
  const simulator = await start();
  const client = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, own);
  const id = await client.send(jid(friend), 'a private word');
  await until(() => client.receiptsOf(id).includes('delivered'), 'the receipt');
  await client.disconnect();
  await until(() => simulator.stdout().includes('device.offline'), 'the log of the departure');
  await client.logIn();
  expect(await simulator.end('SIGINT')).toBe(0);
  await until(() => client.closedWith === 428, 'the end of the link');
  expect(simulator.stdout()).toContain('628***001');
  expect(simulator.stdout()).not.toContain('a private word');
  expect(simulator.stdout()).not.toContain(own);
  expect(simulator.stdout()).not.toContain(friend);
});

test('a port in use is one sentence and exit code 1', async () => {
  const occupant = createServer();
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
  const { port } = occupant.address() as { port: number };
  const { ended, stderr, stdout } = spawnSimulator({ SIMULATOR_HOME: home, SIMULATOR_PORT: String(port) });
  expect(await ended).toBe(1);
  expect(stderr()).toBe(
    `SIMULATOR_PORT ${port} is in use; stop what listens there, or choose another port.\n`,
  );
  expect(stdout()).toBe('');
  await new Promise((resolve) => occupant.close(resolve));
});

test('a damaged state file is one sentence and exit code 1', async () => {
  writeFileSync(join(home, 'network.db'), 'this is no database, and long enough to be looked at as one');
  const { ended, stderr } = spawnSimulator({ SIMULATOR_HOME: home, SIMULATOR_PORT: '0' });
  expect(await ended).toBe(1);
  expect(stderr()).toMatch(/^The simulator's state in .*network\.db cannot be used: .*\.\n$/);
});
