import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect } from 'vitest';
import { startSimulator } from '../../src/network-simulator/start-simulator.ts';
import { type RunningBridge, startBridge } from '../../src/session-bridge/bridge.ts';
import {
  type BridgeConfig,
  type BridgeTimings,
  defaultLogins,
  defaultTimings,
} from '../../src/session-bridge/config.ts';
import { DeafWire } from './deaf-wire.ts';
import { FakeEdge, type FakeNumber } from './fake-edge.ts';
import { enrolmentToken } from './fake-enrolment.ts';

export interface Arrival {
  id: string;
  from: string;
  to: string;
  text: string;
  count: number;
  at: string;
}

/** The same for all bridges of a test run, as in a deployment. */
export const vaultKey = Buffer.from('0123456789abcdefghijklmnopqrstuv');

/** All that a process of a bridge's own gets of this one's environment. What was compiled once is not compiled again. */
export const startEnvironment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

let phonesMade = 0;

/** A phone number that no other test uses. */
export function newPhone(): string {
  phonesMade += 1;
  return `62812${String(Date.now() % 100_000).padStart(5, '0')}${String(phonesMade).padStart(3, '0')}`;
}

/** A bridge in a process of its own. */
export class BridgeProcess {
  bridgeId = '';
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;

  constructor(child: ChildProcess, logLines: string[]) {
    this.#child = child;
    this.#exited = once(child, 'exit').then(([code]) => code as number | null);
    child.stdout?.on('data', (chunk) => logLines.push(String(chunk)));
    child.stderr?.on('data', (chunk) => logLines.push(String(chunk)));
  }

  /** `kill -9`: nothing in the process gets a chance. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Asks it to end and answers its exit code. */
  async terminate(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }
}

/** An edge, a network, and bridges between them. */
export class Stage {
  edge!: FakeEdge;
  adminUrl = '';
  /** Where bridges find the network. */
  socketUrl = '';
  readonly logLines: string[] = [];
  certificatePath = '';
  readonly #cleanups: (() => unknown)[] = [];

  /** For the tests of a file. At their end the edge has had nothing to complain of. */
  static open(): Stage {
    return forThisFile(new Stage());
  }

  async begin(): Promise<void> {
    const home = await mkdtemp(join(tmpdir(), 'bridge-network-'));
    this.atEnd(() => rm(home, { recursive: true, force: true }));
    const simulator = await startSimulator({ port: 0, tlsPort: 0, home });
    this.atEnd(() => simulator.close());
    this.adminUrl = `http://127.0.0.1:${simulator.port}`;
    this.socketUrl = `ws://127.0.0.1:${simulator.port}/ws/chat`;
    // Files go over TLS, under the simulator's own certificate.
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, readFileSync(simulator.certificatePath, 'utf8')]);
    this.atEnd(() => setDefaultCACertificates(trusted));
    this.certificatePath = simulator.certificatePath;
    this.edge = await FakeEdge.start();
    this.atEnd(() => this.edge.close());
  }

  /** Takes all of it away. */
  async end(): Promise<void> {
    try {
      expect(this.edge.complaints).toEqual([]);
    } finally {
      for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
    }
  }

  /** Waits for something that the edge gets to know. */
  readonly until = (what: string, condition: () => unknown): Promise<void> =>
    this.edge.until(what, condition);

  /** Puts a wire that can be made deaf between the network and every bridge that is started from now on. */
  async layDeafWire(): Promise<DeafWire> {
    const wire = await DeafWire.open(Number(new URL(this.adminUrl).port));
    this.socketUrl = wire.socketUrl;
    this.atEnd(() => wire.close());
    return wire;
  }

  /** Runs at the end, last first. */
  atEnd(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }

  async newHome(): Promise<string> {
    const home = await mkdtemp(join(tmpdir(), 'bridge-home-'));
    this.atEnd(() => rm(home, { recursive: true, force: true }));
    return home;
  }

  configFor(home: string, timings: Partial<BridgeTimings> = {}, journalBytesMax?: number): BridgeConfig {
    return {
      gatewayUrl: this.edge.url,
      enrolmentToken,
      vaultKey,
      vaultKeyPrevious: null,
      home,
      capacity: 50,
      logins: defaultLogins,
      network: 'simulator',
      networkSocketUrl: this.socketUrl,
      proxyPrivateHosts: ['127.0.0.1'],
      webVersion: null,
      logLevel: 'debug',
      health: null,
      vaultCacheBytesMax: 16 * 1024 * 1024,
      mediaBytesMax: 64 * 1024 * 1024,
      journalBytesMax: journalBytesMax ?? 256 * 1024 * 1024,
      timings: {
        ...defaultTimings,
        reconnectBaseMs: 20,
        reconnectCapMs: 300,
        edgeReconnectCapMs: 300,
        inDoubtGraceMs: 300,
        catchUpWaitMs: 1_000,
        drainMs: 5_000,
        ...timings,
      },
    };
  }

  /** A bridge in this process, connected to the edge. */
  async startBridge(
    home: string,
    timings: Partial<BridgeTimings> = {},
    journalBytesMax?: number,
  ): Promise<RunningBridge> {
    const bridge = startBridge(this.configFor(home, timings, journalBytesMax), {
      logDestination: { write: (line) => this.logLines.push(line) },
    });
    this.atEnd(() => bridge.close());
    await this.edge.until('the bridge connects', () => this.edge.isConnected(bridge.bridgeId));
    return bridge;
  }

  /** A bridge as a process of its own, connected to the edge. Its identity is that of its home. */
  async spawnBridge(home: string, settings: Record<string, string> = {}): Promise<BridgeProcess> {
    const known = new Set(this.edge.controlFrames);
    const child = spawn(process.execPath, ['src/session-bridge/main.ts'], {
      env: { ...startEnvironment, ...this.environmentFor(home), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const bridge = new BridgeProcess(child, this.logLines);
    this.atEnd(() => bridge.kill());
    const hello = () =>
      this.edge.controlFrames.find((seen) => !known.has(seen) && seen.frame.type === 'bridge.hello');
    await this.edge.until('the bridge process connects', hello);
    bridge.bridgeId = hello()?.bridgeId ?? '';
    return bridge;
  }

  environmentFor(home: string): Record<string, string> {
    return {
      GATEWAY_URL: this.edge.url.replace('ws', 'http'),
      BRIDGE_ENROLMENT_TOKEN: enrolmentToken,
      VAULT_KEY: vaultKey.toString('base64'),
      BRIDGE_HOME: home,
      NETWORK: 'simulator',
      NETWORK_SOCKET_URL: this.socketUrl,
      NODE_EXTRA_CA_CERTS: this.certificatePath,
      LOG_LEVEL: 'debug',
      RECONNECT_BASE_MS: '20',
      RECONNECT_CAP_MS: '300',
      IN_DOUBT_GRACE_MS: '1500',
    };
  }

  /** A number that a simulated phone has linked, driven by the bridge given. */
  async pairedNumber(bridgeId: string, phone = newPhone()): Promise<{ number: FakeNumber; phone: string }> {
    const number = this.edge.addNumber();
    number.pairByQr();
    this.edge.grant(number, bridgeId);
    await this.edge.until('a QR code', () => number.factsOf('pairing.qr').length > 0);
    await this.scan(number.factsOf('pairing.qr').at(-1)?.qr ?? '', phone);
    await this.edge.until('the session connects', () => number.factsOf('session.connected').length > 0);
    number.session = { type: 'session.start' };
    return { number, phone };
  }

  async scan(qr: string, phone: string): Promise<Response> {
    return fetch(`${this.adminUrl}/admin/mock-phone/scan-qr?phone=${phone}`, { method: 'POST', body: qr });
  }

  async admin<Answer = unknown>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    const response = await fetch(`${this.adminUrl}/admin/${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text ? JSON.parse(text) : undefined) as Answer;
  }

  async arrivalsAt(to: string): Promise<Arrival[]> {
    return (await this.admin<{ data: Arrival[] }>('GET', `messages?to=${to}`)).data;
  }
}

/** A stage with a bridge in this process from the beginning. */
export class BridgeStage extends Stage {
  bridgeId = '';
  readonly #timings: Partial<BridgeTimings>;

  constructor(timings: Partial<BridgeTimings>) {
    super();
    this.#timings = timings;
  }

  static override open(timings: Partial<BridgeTimings> = {}): BridgeStage {
    return forThisFile(new BridgeStage(timings));
  }

  override async begin(): Promise<void> {
    await super.begin();
    ({ bridgeId: this.bridgeId } = await this.startBridge(await this.newHome(), this.#timings));
  }
}

function forThisFile<AnyStage extends Stage>(stage: AnyStage): AnyStage {
  beforeAll(() => stage.begin());
  afterAll(() => stage.end());
  return stage;
}
