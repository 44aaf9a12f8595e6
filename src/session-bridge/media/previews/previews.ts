import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Log } from '../../logging.ts';
import { type Preview, type PreviewJob, previewSchema } from './preview.ts';

/** So long one file may take; then its process is killed, and the file goes without. */
const jobMs = 8_000;
/** A process that had nothing to do for so long is ended. */
const idleMs = 30_000;
/** What comes while so many wait goes without. */
const waitingMax = 50;
const heapMebibytes = 128;

const answerSchema = z.object({ id: z.int(), preview: previewSchema, problem: z.string().optional() });

interface Waiting {
  id: number;
  job: PreviewJob;
  resolve: (preview: Preview) => void;
}

/** Previews of files that are sent, one at a time, made by a process that runs while there are any. */
export class Previews {
  readonly #log: Log;
  #process: ChildProcess | null = null;
  #current: Waiting | null = null;
  readonly #waiting: Waiting[] = [];
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** What could be found out; nothing where that fails or takes too long. */
  of(job: PreviewJob): Promise<Preview> {
    if (this.#isClosed || this.#waiting.length >= waitingMax) return Promise.resolve({});
    const { promise, resolve } = Promise.withResolvers<Preview>();
    this.#lastId += 1;
    this.#waiting.push({ id: this.#lastId, job, resolve });
    this.#next();
    return promise;
  }

  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve({});
    this.#end();
  }

  #next(): void {
    if (this.#current) return;
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift() ?? null;
    if (!this.#current) {
      this.#timer = setTimeout(() => this.#end(), idleMs).unref();
      return;
    }
    const { id, job } = this.#current;
    const child = this.#process ?? this.#begin();
    this.#timer = setTimeout(() => this.#over('too slow'), jobMs);
    child.send({ id, job }, (error) => error && this.#over('not sent'));
  }

  /** Of the bridge's environment, which holds its secrets, it gets nothing. */
  #begin(): ChildProcess {
    const child = fork(fileURLToPath(new URL('./preview-process.ts', import.meta.url)), {
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapMebibytes}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const isOurs = () => this.#process === child;
    child.on('message', (message) => isOurs() && this.#take(message));
    child.once('error', () => isOurs() && this.#over('not started'));
    child.once('exit', () => isOurs() && this.#over('ended'));
    child.unref();
    child.channel?.unref();
    this.#process = child;
    return child;
  }

  #take(message: unknown): void {
    const answer = answerSchema.safeParse(message);
    if (!answer.success) this.#over('not understood');
    else if (answer.data.id === this.#current?.id) {
      const { preview, problem } = answer.data;
      if (problem) this.#log.info({ kind: this.#current.job.kind, problem }, 'media.no_preview');
      this.#settle(preview);
    }
  }

  /** What it was asked for last goes without; the next one gets another process. */
  #over(problem: string): void {
    const kind = this.#current?.job.kind;
    if (kind !== undefined) this.#log.warn({ kind, problem }, 'media.no_preview');
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#timer);
    const child = this.#process;
    this.#process = null;
    child?.kill('SIGKILL');
    this.#settle({});
  }

  #settle(preview: Preview): void {
    const current = this.#current;
    this.#current = null;
    current?.resolve(preview);
    if (current) this.#next();
  }
}
