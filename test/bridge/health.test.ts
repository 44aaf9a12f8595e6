import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type RunningBridge, startBridge } from '../../src/session-bridge/bridge.ts';
import { readConfig } from '../../src/session-bridge/config.ts';
import { ReadinessCheck } from '../../src/session-bridge/health/health-server.ts';
import { JournalDatabase } from '../../src/session-bridge/journal/database.ts';
import { freePorts, occupyPort } from '../free-ports.ts';
import { waitUntil } from '../wait-until.ts';
import { FakeEdge } from './fake-edge.ts';
import { enrolmentToken } from './fake-enrolment.ts';

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bridge-health-'));
});

afterAll(() => rm(home, { recursive: true, force: true }));

const configFor = (name: string, gatewayUrl: string, port: number) =>
  readConfig({
    GATEWAY_URL: gatewayUrl,
    BRIDGE_ENROLMENT_TOKEN: enrolmentToken,
    VAULT_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
    BRIDGE_HOME: join(home, name),
    HEALTH_PORT: String(port),
    RECONNECT_BASE_MS: '20',
  });

async function ask(port: number, path: string): Promise<{ status: number; reasons: string[] }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const { reasons } = (await response.json()) as { reasons: string[] };
  return { status: response.status, reasons };
}

const quiet = { logDestination: { write: () => {} } };

test('a bridge is alive from its start on, ready while it is linked, and says why it is not', async () => {
  const edge = await FakeEdge.start();
  const { port } = await freePorts();
  const bridge: RunningBridge = startBridge(configFor('linked', edge.url.replace('ws', 'http'), port), quiet);
  await waitUntil('it is ready', async () =>
    (await ask(port, '/readyz').catch(() => null))?.status === 200 ? true : null,
  );
  expect((await ask(port, '/livez')).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
  await edge.close();
  await waitUntil('it has lost its link', async () =>
    (await ask(port, '/readyz')).status === 503 ? true : null,
  );
  expect(await ask(port, '/readyz')).toEqual({
    status: 503,
    reasons: ['There is no link to the gateway at GATEWAY_URL.'],
  });
  expect((await ask(port, '/livez')).status).toBe(200);
  const drained = bridge.drain();
  expect(bridge.readiness()).toEqual({
    isReady: false,
    reasons: ['The bridge is draining: it hands its numbers over and ends.'],
  });
  await drained;
  await expect(ask(port, '/livez')).rejects.toThrow();
});

test('a bridge whose disk is almost full is not ready, before its journal takes no more', () => {
  const db = new JournalDatabase(join(home, 'full'), () => undefined);
  const linked = { isEnrolled: true, isLinked: true, isEnding: false };
  const mib = 1024 * 1024;
  expect(new ReadinessCheck(db, () => 64 * mib).judge(linked).isReady).toBe(true);
  expect(new ReadinessCheck(db, () => 5 * mib).judge(linked)).toEqual({
    isReady: false,
    reasons: ['The disk of BRIDGE_HOME is almost full (5 MiB are left): make room there.'],
  });
  db.close();
});

test('a bridge looks at its disk once in five seconds, however often it is asked', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const db = new JournalDatabase(join(home, 'filling'), () => undefined);
  let freeBytes = 64 * 1024 * 1024;
  const check = new ReadinessCheck(db, () => freeBytes);
  const isReadyAfter = (ms: number) => {
    vi.advanceTimersByTime(ms);
    return check.judge({ isEnrolled: true, isLinked: true, isEnding: false }).isReady;
  };
  expect(isReadyAfter(0)).toBe(true);
  freeBytes = 0;
  expect([isReadyAfter(4_999), isReadyAfter(1)]).toEqual([true, false]);
  freeBytes = 64 * 1024 * 1024;
  expect([isReadyAfter(4_999), isReadyAfter(1)]).toEqual([false, true]);
  db.close();
});

test('a port for health checks that another program has is named in a sentence', async () => {
  const taken = await occupyPort(0);
  const { port = 0 } = taken ?? {};
  const said = await new Promise<string>((resolve) => {
    const bridge = startBridge(configFor('taken', 'http://127.0.0.1:9', port), {
      ...quiet,
      onImpossible: (error) => void bridge.close().then(() => resolve(error.message)),
    });
  });
  expect(said).toMatch(new RegExp(`^HEALTH_PORT ${port} cannot be opened on 127.0.0.1: .*\\.$`));
  await taken?.close();
});
