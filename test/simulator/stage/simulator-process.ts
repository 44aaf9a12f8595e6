import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePortPair } from '../../free-ports.ts';
import { until } from './until.ts';

const main = fileURLToPath(new URL('../../../src/network-simulator/main.ts', import.meta.url));

export type SimulatorProcess = {
  child: ChildProcess;
  port: number;
  adminUrl: string;
  socketUrl: string;
  stdout(): string;
  /** Sends a signal and waits for the end; answers the exit code, or the signal that ended it. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | string | null>;
};

/** Starts `main.ts` as a process of its own. */
export function spawnSimulator(environment: Record<string, string>): {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<number | string | null>;
} {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** As `spawnSimulator`, and waits until it listens. */
export async function startProcess(home: string, chosenPort?: number): Promise<SimulatorProcess> {
  const port = chosenPort ?? (await freePortPair());
  const { child, stdout, stderr, ended } = spawnSimulator({
    SIMULATOR_HOME: home,
    SIMULATOR_PORT: String(port),
  });
  await until(() => stdout().includes('\n') || child.exitCode !== null, 'the simulator to listen');
  const first = stdout().split('\n')[0];
  if (!first) throw new Error(`the simulator did not start: ${stderr()}`);
  const listening = JSON.parse(first) as { port: number };
  return {
    child,
    port: listening.port,
    adminUrl: `http://127.0.0.1:${listening.port}`,
    socketUrl: `ws://127.0.0.1:${listening.port}/ws/chat`,
    stdout,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
