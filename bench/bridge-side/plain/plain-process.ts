import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PlainCalls } from './plain-calls.ts';

const entry = fileURLToPath(new URL('./plain-client.ts', import.meta.url));

interface Answer {
  id: number;
  answer?: unknown;
  error?: string;
}

/** A process of plain Baileys sessions. */
export class PlainProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  #nextId = 1;

  constructor(nodeFlags: readonly string[] = []) {
    this.#child = fork(entry, {
      execArgv: ['--disable-warning=ExperimentalWarning', ...nodeFlags],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', ({ id, answer, error }: Answer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(error));
    });
    this.#child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The plain sessions have ended.'));
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Rejects when the call fails or the process ends. */
  call<Name extends keyof PlainCalls>(
    name: Name,
    input: Parameters<PlainCalls[Name]>[0],
  ): ReturnType<PlainCalls[Name]> {
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    this.#child.send({ call: name, id, input });
    return promise as ReturnType<PlainCalls[Name]>;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
