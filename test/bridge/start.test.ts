import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBridge } from '../../src/session-bridge/bridge.ts';
import { ConfigError, readConfig } from '../../src/session-bridge/config.ts';
import { FakeEdge } from './fake-edge.ts';
import { enrolmentToken } from './fake-enrolment.ts';
import { startEnvironment } from './stage.ts';

const good = {
  GATEWAY_URL: 'http://127.0.0.1:8787',
  BRIDGE_ENROLMENT_TOKEN: 'a token',
  VAULT_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
  BRIDGE_HOME: '/nowhere/at/all',
};

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bridge-start-'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

async function run(env: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  const child = spawn(process.execPath, ['src/session-bridge/main.ts'], {
    env: { ...startEnvironment, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

test.each([
  ['GATEWAY_URL', undefined],
  ['GATEWAY_URL', 'ftp://example.org'],
  ['VAULT_KEY', undefined],
  ['VAULT_KEY', 'c2hvcnQ='],
  ['VAULT_KEY', Buffer.alloc(32, 1).toString('base64')],
  ['VAULT_KEY_PREVIOUS', 'c2hvcnQ='],
  ['VAULT_KEY_PREVIOUS', Buffer.alloc(32, 1).toString('base64')],
  ['VAULT_KEY_PREVIOUS', good.VAULT_KEY],
  ['BRIDGE_HOME', undefined],
  ['BRIDGE_CAPACITY', 'many'],
  ['LOGINS_AT_ONCE', '0'],
  ['LOGINS_PER_SECOND', 'some'],
  ['NETWORK', 'telegraph'],
  ['NETWORK_SOCKET_URL', 'http://127.0.0.1'],
  ['WA_WEB_VERSION', 'latest'],
  ['LOG_LEVEL', 'loud'],
  ['RECONNECT_BASE_MS', 'soon'],
  ['HEALTH_PORT', '70000'],
])('%s as %s is refused with a sentence that names it', (name, value) => {
  expect(() => readConfig({ ...good, [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ ...good, [name]: value })).toThrow(new RegExp(`^${name} .*\\.$`));
});

test('a gateway by http is one of this machine, unless the operator says that the network is to be trusted', () => {
  for (const url of ['http://gateway.example', 'ws://10.0.0.5:8787', 'http://127.0.0.1.example']) {
    expect(() => readConfig({ ...good, GATEWAY_URL: url }), url).toThrow(
      /^GATEWAY_URL must be an https address/,
    );
    expect(() => readConfig({ ...good, GATEWAY_URL: url, GATEWAY_PLAINTEXT: '1' }), url).not.toThrow();
  }
  for (const url of [
    'https://gateway.example',
    'http://localhost:8787',
    'http://[::1]:8787',
    'ws://127.0.0.1:8787',
  ])
    expect(() => readConfig({ ...good, GATEWAY_URL: url }), url).not.toThrow();
});

test('the real network and the simulator differ by configuration alone', () => {
  const { network, networkSocketUrl, ...rest } = readConfig(good);
  expect([network, networkSocketUrl]).toEqual(['whatsapp', null]);
  const socketUrl = 'ws://127.0.0.1:8790/ws/chat';
  const simulated = readConfig({ ...good, NETWORK: 'simulator', NETWORK_SOCKET_URL: socketUrl });
  expect(simulated).toEqual({ ...rest, network: 'simulator', networkSocketUrl: socketUrl });
});

test('the process ends with exit code 1 and one sentence when a variable is missing', async () => {
  const { code, stderr } = await run({ ...good, VAULT_KEY: '' });
  expect(code).toBe(1);
  expect(stderr.trim()).toBe('VAULT_KEY is not set: it must hold the base64 of 32 random bytes.');
});

test('the process ends with exit code 1 and one sentence when its journal is damaged', async () => {
  await writeFile(
    join(home, 'journal.sqlite'),
    'this is no database, and it is long enough to be seen as none'.repeat(20),
  );
  const { code, stderr } = await run({ ...good, BRIDGE_HOME: home });
  expect(code).toBe(1);
  expect(stderr.trim()).toMatch(/^The journal in BRIDGE_HOME cannot be used: .+\.$/);
});

test('a bridge that was never let in says which token it needs, and one that is not wanted ends with a sentence', async () => {
  const edge = await FakeEdge.start();
  const env = {
    ...good,
    GATEWAY_URL: edge.url.replace('ws', 'http'),
    NETWORK: 'simulator',
    NETWORK_SOCKET_URL: 'ws://127.0.0.1:9/ws/chat',
  };
  const { BRIDGE_ENROLMENT_TOKEN: _, ...without } = { ...env, BRIDGE_HOME: join(home, 'without') };
  const missing = await run(without);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(/^BRIDGE_ENROLMENT_TOKEN is not set: .*\.\n$/);
  const refused = await run({ ...env, BRIDGE_HOME: join(home, 'refused') });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^BRIDGE_ENROLMENT_TOKEN lets no bridge in: .*\.\n$/);
  expect(refused.stderr).not.toContain(good.BRIDGE_ENROLMENT_TOKEN);
  await edge.close();
});

test('a bridge that was let in once needs no enrolment token any more', async () => {
  const edge = await FakeEdge.start();
  const log = { logDestination: { write: () => {} } };
  const config = readConfig({
    ...good,
    GATEWAY_URL: edge.url.replace('ws', 'http'),
    BRIDGE_HOME: join(home, 'known'),
    BRIDGE_ENROLMENT_TOKEN: enrolmentToken,
  });
  const first = startBridge(config, log);
  await edge.until('it connects', () => edge.isConnected(first.bridgeId));
  await first.close();
  await edge.until('it is gone', () => !edge.isConnected(first.bridgeId));
  const second = startBridge({ ...config, enrolmentToken: null }, log);
  expect(second.bridgeId).toBe(first.bridgeId);
  await edge.until('it is back', () => edge.isConnected(second.bridgeId));
  await second.close();
  await edge.close();
});
