import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type LineLog, LineSplitter } from './line-log.ts';

const preload = new URL('./exit-with-parent.ts', import.meta.url).href;

const restartDelayFirstMs = 100;
const restartDelayMaxMs = 5000;
/** Who is there this long after it was ready has started well, and the count of failed starts begins anew. */
const startedWellMs = 5000;
const failedStartsMax = 4;
/** An error of Node or Miniflare, with where it was thrown. */
const lastErrorLinesMax = 30;

export interface PartOptions {
  /** `gateway`, `bridge`, `simulator`: also the name of its log. */
  name: string;
  /** Source file of its process, relative to this folder. */
  entry: string;
  environment: Record<string, string>;
  log: LineLog;
  /** How long a clean stop may take before it is killed. */
  stopMs: number;
  logger: Logger;
  /** Whether this line of its output says that it is ready. */
  isReady(line: string, pid: number | undefined): boolean;
  /** Each line of its output, beside the log file. */
  onLine?(line: string): void;
  /** It is running anew after it died. */
  onRestart?(died: string): void;
}

/**
 * One process of the local gateway: started, restarted when it dies with a growing delay, and stopped. `gaveUp`
 * rejects with its last words when it dies again and again as soon as it starts.
 */
export class SupervisedPart {
  readonly name: string;
  /** Resolves when it has been ready once. */
  readonly ready: Promise<void>;
  readonly gaveUp: Promise<never>;
  readonly #options: PartOptions;
  readonly #log: LineLog;
  #becomeReady!: () => void;
  #reject!: (error: Error) => void;
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  #stopping = false;
  /** Since when this process of it is ready, in milliseconds since 1970. */
  #readyAt: number | null = null;
  #failedStarts = 0;
  #restartTimer: NodeJS.Timeout | null = null;
  #lastErrorLines: string[] = [];

  constructor(options: PartOptions) {
    this.#options = options;
    this.name = options.name;
    this.#log = options.log;
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
    this.gaveUp = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Whoever awaits it hears of it; until then it is no unhandled rejection.
    this.gaveUp.catch(() => {});
  }

  start(): void {
    const { name, entry, environment, logger } = this.#options;
    this.#lastErrorLines = [];
    this.#readyAt = null;
    const startedAt = Date.now();
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--import',
        preload,
        fileURLToPath(new URL(entry, import.meta.url)),
      ],
      {
        // A group of its own: Ctrl-C must reach the supervisor alone, which stops the parts in order.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { ...process.env, NODE_OPTIONS: '', ...environment },
      },
    );
    this.#child = child;
    logger.info({ event: 'part.started', part: name, pid: child.pid });
    this.#read(child);
    this.#exited = new Promise((resolve) => {
      const ended = (died: string, killed: boolean) => {
        if (this.#child !== child) return;
        this.#child = null;
        resolve();
        this.#afterExit(died, killed, Date.now() - startedAt);
      };
      child.once('error', (error) => ended(error.message, false));
      // `close` and not `exit`: its last words have been read by then.
      child.once('close', (code, signal) => ended(signal ?? `exit code ${code}`, signal === 'SIGKILL'));
    });
  }

  /** Asks it to stop, kills it when that takes too long, and resolves when it is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    const child = this.#child;
    child?.kill('SIGTERM');
    const killTimer = setTimeout(() => {
      this.#options.logger.warn({ event: 'part.killed', part: this.name, afterMs: this.#options.stopMs });
      child?.kill('SIGKILL');
    }, this.#options.stopMs);
    await this.#exited;
    clearTimeout(killTimer);
    this.#log.close();
  }

  #read(child: ChildProcess): void {
    const addLine = (line: string) => {
      this.#log.write(`${line}\n`);
      this.#options.onLine?.(line);
      if (!this.#options.isReady(line, child.pid)) return;
      this.#readyAt ??= Date.now();
      this.#becomeReady();
    };
    const output = new LineSplitter(addLine);
    const errors = new LineSplitter((line) => {
      this.#lastErrorLines.push(line);
      if (this.#lastErrorLines.length > lastErrorLinesMax) this.#lastErrorLines.shift();
      addLine(line);
    });
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
    child.stdout?.on('end', () => output.end());
    child.stderr?.on('end', () => errors.end());
  }

  #afterExit(died: string, killed: boolean, livedMs: number): void {
    const { name, logger } = this.#options;
    if (this.#stopping) {
      logger.info({ event: 'part.stopped', part: name, died });
      return;
    }
    const startedWell = this.#readyAt !== null && Date.now() - this.#readyAt >= startedWellMs;
    // Being killed from outside says nothing about whether it can start.
    this.#failedStarts = killed || startedWell ? 0 : this.#failedStarts + 1;
    logger.error({ event: 'part.died', part: name, died, livedMs, failedStarts: this.#failedStarts });
    if (this.#failedStarts >= failedStartsMax) {
      const lastWords = this.#lastErrorLines.join('\n').trim();
      this.#reject(
        new Error(
          `The ${name} does not start: it ended ${failedStartsMax} times in a row (${died}).\n${lastWords}`.trim(),
        ),
      );
      return;
    }
    const delayMs = Math.min(restartDelayFirstMs * 2 ** this.#failedStarts, restartDelayMaxMs);
    this.#restartTimer = setTimeout(() => {
      this.start();
      this.#options.onRestart?.(died);
    }, delayMs);
  }
}
