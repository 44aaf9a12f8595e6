import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { certificatePathIn } from '../../src/network-simulator/server/certificate.ts';
import { freePortPair } from '../../test/free-ports.ts';

const entry = fileURLToPath(new URL('../../src/network-simulator/main.ts', import.meta.url));
const exitWithParent = new URL('../../src/local/parts/exit-with-parent.ts', import.meta.url).href;

/** A simulated network in a process of its own. */
export class SimulatorProcess {
  readonly socketUrl: string;
  readonly adminUrl: string;
  /** What whoever goes there for files has to trust. */
  readonly certificatePath: string;
  readonly #child: ChildProcess;

  private constructor(port: number, home: string, child: ChildProcess) {
    this.socketUrl = `ws://127.0.0.1:${port}/ws/chat`;
    this.adminUrl = `http://127.0.0.1:${port}`;
    this.certificatePath = certificatePathIn(home);
    this.#child = child;
  }

  static async start(home: string): Promise<SimulatorProcess> {
    const port = await freePortPair();
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', exitWithParent, entry],
      {
        env: { PATH: process.env.PATH, SIMULATOR_PORT: String(port), SIMULATOR_HOME: home },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      },
    );
    const simulator = new SimulatorProcess(port, home, child);
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('"simulator.listening"')) resolve();
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error('The simulator ended before it listened.');
    });
    await Promise.race([listening, ended]);
    ended.catch(() => {});
    return simulator;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
