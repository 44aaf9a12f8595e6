import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestJson } from '../../src/local/json-client.ts';
import { waitUntil } from '../../src/local/wait-until.ts';
import { freePorts } from '../../test/free-ports.ts';
import { processTree } from '../../test/journeys/stage/processes.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
/** As `npm start` has it: a process that is started again is not compiled again. */
const compileCache = join(projectRoot, 'node_modules', '.cache', 'heliograph', 'compiled');
const exitWithParent = new URL('../../src/local/parts/exit-with-parent.ts', import.meta.url).href;
const startWithinMs = 60_000;
const tokenWithinMs = 15_000;
const pairWithinMs = 30_000;
const stopWithinMs = 20_000;

/** No limit of the product stands in the way of a measurement. */
export const unlimited = {
  PLANS: '{"free": "unlimited"}',
  KEY_RATE_PER_SECOND: '1000000',
  KEY_RATE_BURST: '1000000',
  PERSON_RATE_PER_SECOND: '1000000',
  PERSON_RATE_BURST: '1000000',
};

/** Everything that `npm start` runs, over a state folder and ports of its own. */
export class LocalRun {
  readonly home: string;
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  readonly #environment: Record<string, string>;
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  #token = '';
  #cookie = '';
  #output = '';

  private constructor(
    home: string,
    ports: { port: number; simulatorPort: number },
    variables: Record<string, string>,
  ) {
    this.home = home;
    this.baseUrl = `http://127.0.0.1:${ports.port}`;
    this.simulatorUrl = `http://127.0.0.1:${ports.simulatorPort}`;
    this.#environment = {
      HELIOGRAPH_DEMO: '0',
      HELIOGRAPH_HOME: home,
      PORT: String(ports.port),
      SIMULATOR_PORT: String(ports.simulatorPort),
      WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      ...variables,
    };
  }

  /** Starts it and resolves when it is ready and signed in to. */
  static async start(variables: Record<string, string> = {}): Promise<LocalRun> {
    const home = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
    const run = new LocalRun(home, await freePorts(), variables);
    try {
      await run.#launch();
      await run.signIn();
      return run;
    } catch (error) {
      await run.discard();
      throw error;
    }
  }

  get socketUrl(): string {
    return `${this.simulatorUrl.replace('http', 'ws')}/ws/chat`;
  }

  get secrets(): {
    admin: { email: string; password: string };
    bridgeToken: string;
    vaultKey: string;
    bootstrapToken: string;
  } {
    return JSON.parse(readFileSync(join(this.home, 'secrets.json'), 'utf8'));
  }

  get local(): { baseUrl: string; bridges: { bridgeId: string; pid: number }[] } {
    return JSON.parse(readFileSync(join(this.home, 'local.json'), 'utf8'));
  }

  /** A token lives for minutes: call it again, or {@link refresh}, in long runs. */
  signIn(): Promise<void> {
    return this.#takeToken('/v1/auth/login', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(this.secrets.admin),
    });
  }

  /** The next token of the same session, as an open dashboard gets it. */
  refresh(): Promise<void> {
    return this.#takeToken('/v1/auth/refresh', { headers: { cookie: this.#cookie } });
  }

  async #takeToken(path: string, request: RequestInit): Promise<void> {
    const signal = AbortSignal.timeout(tokenWithinMs);
    const response = await fetch(`${this.baseUrl}${path}`, { method: 'POST', signal, ...request });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    this.#cookie = cookies.join('; ');
    this.#token = ((await response.json()) as { token: string }).token;
  }

  /** The person's credential, as a header has it. */
  get authorization(): string {
    return `Bearer ${this.#token}`;
  }

  admin<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return requestJson(this.baseUrl, method, path, {
      headers: { authorization: this.authorization },
      ...(body !== undefined && { body }),
    });
  }

  simulator<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return requestJson(this.simulatorUrl, method, path, body === undefined ? {} : { body });
  }

  /** A number with its pauses turned off, linked to a simulated phone and connected; its id. */
  async pairNumber(phone: string): Promise<string> {
    const { numberId } = await this.admin<{ numberId: string }>('POST', '/v1/numbers', { label: phone });
    await this.pace(numberId, { minDelayMs: 0, maxDelayMs: 0 });
    await this.admin('POST', `/v1/numbers/${numberId}/pair`, { method: 'qr' });
    const qr = await waitUntil('A QR code', pairWithinMs, async () => {
      const path = `/v1/numbers/${numberId}/pairing`;
      return (await this.admin<{ qr: string | null }>('GET', path).catch(() => null))?.qr ?? null;
    });
    await this.simulator('POST', `/admin/mock-phone/scan-qr?phone=${phone}`, qr);
    await this.whenState(numberId, 'connected');
    return numberId;
  }

  async pace(numberId: string, pacing: Record<string, unknown>): Promise<void> {
    await this.admin('PATCH', `/v1/numbers/${numberId}`, { pacing });
  }

  async whenState(numberId: string, state: string): Promise<void> {
    await waitUntil(`The number ${state}`, pairWithinMs, async () => {
      const number = await this.admin<{ state: string }>('GET', `/v1/numbers/${numberId}`).catch(() => null);
      return number?.state === state ? true : null;
    });
  }

  /** An API key that always sends from this number. */
  async keyPinnedTo(numberId: string, onPinFailure: 'strict' | 'fallback' = 'strict'): Promise<string> {
    const { key } = await this.admin<{ key: string }>('POST', '/v1/auth/api-keys', {
      name: `Bench ${randomUUID()}`,
      pinnedNumberId: numberId,
      onPinFailure,
    });
    return key;
  }

  pidOf(part: 'workerd' | 'bridge' | 'simulator' | 'gateway'): number {
    const marks = {
      gateway: 'src/local/gateway/gateway.ts',
      workerd: 'workerd serve',
      bridge: 'session-bridge/main.ts',
      simulator: 'network-simulator/main.ts',
    };
    const found = processTree(this.#child?.pid ?? -1).find(({ command }) => command.includes(marks[part]));
    if (found === undefined) throw new Error(`No ${part} is running.`);
    return found.pid;
  }

  /** The log files' texts, by name. */
  logs(): Map<string, string> {
    const folder = join(this.home, 'logs');
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }

  /** Stops it and removes its state. */
  async discard(): Promise<void> {
    const tree = this.#child?.pid === undefined ? [] : processTree(this.#child.pid);
    this.#child?.kill('SIGINT');
    const patience = setTimeout(() => {
      for (const { pid } of tree) killIfThere(pid);
    }, stopWithinMs);
    await this.#exited;
    clearTimeout(patience);
    rmSync(this.home, { recursive: true, force: true });
  }

  async #launch(): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', exitWithParent, 'src/local/main.ts'],
      {
        cwd: projectRoot,
        env: { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: compileCache, ...this.#environment },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    this.#child = child;
    const keep = (chunk: Buffer) => {
      this.#output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    this.#exited = new Promise((resolve) => {
      child.once('close', () => {
        this.#child = null;
        resolve();
      });
    });
    await waitUntil('The gateway', startWithinMs, async () => {
      if (this.#child === null) throw new Error(`The gateway ended before it was ready:\n${this.#output}`);
      return existsSync(join(this.home, 'local.json')) ? true : null;
    });
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
