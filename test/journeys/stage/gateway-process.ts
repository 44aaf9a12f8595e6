import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../../src/local/project-root.ts';
import { freePorts } from '../../free-ports.ts';
import { waitUntil } from '../../wait-until.ts';
import { isRunning, processTree } from './processes.ts';

/** Resolves when none of these processes is running any more. */
const allGone = (pids: readonly number[]) =>
  waitUntil('A process of the gateway is still running', async () => (pids.some(isRunning) ? null : true));

const terminalName = 'terminal.txt';

/** What `local.json` holds. */
export interface LocalJson {
  baseUrl: string;
  admin: { email: string; password: string };
  apiKey: string;
  numberId: string | null;
  phoneNumber: string | null;
  /** Null with `NETWORK=whatsapp`. */
  simulator: { socketUrl: string; adminUrl: string } | null;
  bridges: { bridgeId: string; pid: number }[];
  mail: { url: string };
}

/** A program and its arguments. */
type StartCommand = readonly [string, ...string[]];

export type Part = 'gateway' | 'workerd' | 'bridge' | 'simulator' | 'supervisor';

/** All that another process needs to use a gateway which it has not started. */
export interface GatewayPlace {
  home: string;
  environment: Record<string, string>;
}

/**
 * What `npm start` runs, with a state folder and ports of its own. It can be killed in parts or as a whole, and
 * started again over the same state.
 */
export class GatewayProcess {
  readonly home: string;
  readonly environment: Record<string, string>;
  /** All that its terminals have shown, over every start. */
  terminalText = '';
  /** Where they are kept for other processes too; null: nowhere. */
  #terminalFile: string | null = null;
  #child: ChildProcess | null = null;
  #exit: Promise<number | null> = Promise.resolve(null);

  private constructor(home: string, environment: Record<string, string>) {
    this.home = home;
    this.environment = environment;
  }

  /** One that another process has started, and will stop: it is used, and neither killed nor started again. */
  static at({ home, environment }: GatewayPlace): GatewayProcess {
    return new GatewayProcess(home, environment);
  }

  /** One that other processes use too: they find it with {@link GatewayProcess.at}. */
  static async startShared(environment: Record<string, string>): Promise<GatewayProcess> {
    const gateway = await GatewayProcess.prepare(environment);
    gateway.#terminalFile = join(gateway.home, terminalName);
    return gateway.#startOrDiscard();
  }

  /** A gateway that is not running yet. Without `HELIOGRAPH_DEMO` in `environment` there is no demo. */
  static async prepare(environment: Record<string, string> = {}): Promise<GatewayProcess> {
    const { port, simulatorPort } = await freePorts();
    const home = mkdtempSync(join(tmpdir(), 'heliograph-journey-'));
    return new GatewayProcess(home, {
      HELIOGRAPH_DEMO: '0',
      HELIOGRAPH_HOME: home,
      PORT: String(port),
      SIMULATOR_PORT: String(simulatorPort),
      // The tests' receivers are on this machine, which is closed to customers but for the demo.
      WEBHOOK_PRIVATE_HOSTS: environment.HELIOGRAPH_DEMO === '1' ? '' : '127.0.0.1',
      // Each test signs people up, and a hash takes a third of a second of CPU otherwise.
      PASSWORD_HASHING: environment.PUBLIC_URL === undefined ? 'quick' : 'slow',
      ...environment,
    });
  }

  static async start(environment: Record<string, string> = {}): Promise<GatewayProcess> {
    return (await GatewayProcess.prepare(environment)).#startOrDiscard();
  }

  async #startOrDiscard(): Promise<this> {
    try {
      await this.start();
      return this;
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Starts it and waits until it is ready. */
  async start(command?: StartCommand): Promise<LocalJson> {
    // One that a killed run left behind says nothing about this one.
    rmSync(join(this.home, 'local.json'), { force: true });
    this.launch(command);
    return waitUntil('The gateway did not become ready', async () => {
      if (this.#child === null)
        throw new Error(`The gateway ended before it was ready:\n${this.terminalText}`);
      return existsSync(join(this.home, 'local.json')) ? this.local : null;
    });
  }

  /** Starts it and waits for nothing. */
  launch(command: StartCommand = [process.execPath, 'scripts/start.js']): void {
    const [program, ...args] = command;
    const child = spawn(program, args, {
      cwd: projectRoot,
      env: { ...process.env, NO_COLOR: '1', ...this.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const show = (chunk: Buffer) => {
      this.terminalText += chunk.toString('utf8');
      if (this.#terminalFile !== null) appendFileSync(this.#terminalFile, chunk);
    };
    child.stdout.on('data', show);
    child.stderr.on('data', show);
    this.#exit = new Promise((resolve) => {
      child.once('close', (code) => {
        this.#child = null;
        resolve(code);
      });
    });
  }

  /** Where it is, for other processes. */
  get place(): GatewayPlace {
    return { home: this.home, environment: this.environment };
  }

  get local(): LocalJson {
    return JSON.parse(readFileSync(join(this.home, 'local.json'), 'utf8'));
  }

  /** All that its terminals have shown, whoever has started it. */
  get shownText(): string {
    const file = join(this.home, terminalName);
    return existsSync(file) ? readFileSync(file, 'utf8') : this.terminalText;
  }

  get secrets() {
    return JSON.parse(readFileSync(join(this.home, 'secrets.json'), 'utf8'));
  }

  /** The exit code, once it has ended. */
  ended(): Promise<number | null> {
    return this.#exit;
  }

  pidOf(part: Part): number {
    const tree = processTree(this.#child?.pid ?? -1);
    const marks: Record<Part, string> = {
      gateway: 'src/local/gateway/gateway.ts',
      workerd: 'workerd serve',
      bridge: 'session-bridge/main.ts',
      simulator: 'network-simulator/main.ts',
      supervisor: 'src/local/main.ts',
    };
    const found = tree.find(({ command }) => command.includes(marks[part]));
    if (found === undefined) throw new Error(`no ${part} is running`);
    return found.pid;
  }

  /** Sends a signal to the process that was launched, and to no other. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** kill -9 of one part; resolves once it was started again, and the gateway and the network answer. */
  async killAndAwaitRestart(part: Part): Promise<void> {
    const killed = this.pidOf(part);
    process.kill(killed, 'SIGKILL');
    await waitUntil(`The ${part} was not started again`, async () => {
      try {
        if (this.pidOf(part) === killed) return null;
        const { PORT, SIMULATOR_PORT } = this.environment;
        // A connection that nobody takes care of any more is given up, and the next one made.
        const signal = AbortSignal.timeout(10_000);
        await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal });
        await fetch(`http://127.0.0.1:${SIMULATOR_PORT}/admin/messages?to=0`, { signal });
        return true;
      } catch {
        return null;
      }
    }).catch((error: Error) => {
      const lines = this.logs().map(
        ({ name, text }) => `${name}:\n${text.split('\n').slice(-20).join('\n')}`,
      );
      throw new Error(`${error.message}\n${lines.join('\n')}`);
    });
  }

  /** kill -9 of every process of it, all at once; resolves when they are gone, and their ports free. */
  async killEverything(): Promise<void> {
    const pids = processTree(this.#child?.pid ?? -1).map(({ pid }) => pid);
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It went with one that was killed before it.
      }
    }
    await this.#exit;
    await allGone(pids);
  }

  /** Stops it as Ctrl-C does, and proves that it went cleanly and left no process. */
  async stop(): Promise<void> {
    if (this.#child?.pid === undefined) return;
    const pids = processTree(this.#child.pid).map(({ pid }) => pid);
    this.#child.kill('SIGINT');
    expect(await this.#exit).toBe(0);
    await allGone(pids);
  }

  /** The text of every log file. */
  logs(): { name: string; text: string }[] {
    const folder = join(this.home, 'logs');
    return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  }

  /** Stops it, whatever has become of it, and removes its state. */
  async discard(): Promise<void> {
    try {
      await this.stop();
    } finally {
      await this.killEverything();
      rmSync(this.home, { recursive: true, force: true });
    }
  }
}
