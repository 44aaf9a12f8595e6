import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface FileProcessOptions<Result> {
  /** Of what runs in it: it answers by `answerJobs`. */
  script: URL;
  /** What it answers a job with. */
  result: z.ZodType<Result>;
  /** How long one job may take; then the process is killed. */
  jobMs: number;
  /** How many jobs may wait; no limit by default. */
  waitingMax?: number;
  heapMebibytes: number;
}

/**
 * `result`: the process has done the job. `problem`: it could not, with a sentence of its own. `lost`: it was killed, has
 * ended, or never got the job.
 */
export type JobOutcome<Result> =
  | { result: Result }
  | { problem: string }
  | { lost: 'too slow' | 'too many' | 'closed' | 'not sent' | 'not started' | 'not understood' | 'ended' };

interface Waiting<Job, Result> {
  id: number;
  job: Job;
  resolve: (outcome: JobOutcome<Result>) => void;
}

/** A process that had nothing to do for this long is ended. */
const idleMs = 30_000;

/** Jobs on the insides of files, one at a time, done by a process of their own that runs while there are any. */
export class FileProcess<Job, Result> {
  readonly #options: FileProcessOptions<Result>;
  readonly #answer;
  #process: ChildProcess | null = null;
  #current: Waiting<Job, Result> | null = null;
  readonly #waiting: Waiting<Job, Result>[] = [];
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: FileProcessOptions<Result>) {
    this.#options = options;
    this.#answer = z.union([
      z.strictObject({ id: z.int(), result: options.result }),
      z.strictObject({ id: z.int(), problem: z.string() }),
    ]);
  }

  /** Never rejects. */
  do(job: Job): Promise<JobOutcome<Result>> {
    if (this.#isClosed) return Promise.resolve({ lost: 'closed' });
    const { waitingMax = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#waiting.length >= waitingMax) return Promise.resolve({ lost: 'too many' });
    const { promise, resolve } = Promise.withResolvers<JobOutcome<Result>>();
    this.#lastId += 1;
    this.#waiting.push({ id: this.#lastId, job, resolve });
    this.#next();
    return promise;
  }

  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ lost: 'closed' });
    this.#end({ lost: 'closed' });
  }

  #next(): void {
    if (this.#current) return;
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift() ?? null;
    if (!this.#current) {
      this.#timer = setTimeout(() => this.#end({ lost: 'ended' }), idleMs).unref();
      return;
    }
    const { id, job } = this.#current;
    const child = this.#process ?? this.#begin();
    this.#timer = setTimeout(() => this.#end({ lost: 'too slow' }), this.#options.jobMs);
    child.send({ id, job }, (error) => error && this.#end({ lost: 'not sent' }));
  }

  /** Of the bridge's environment, which holds its secrets, it gets nothing. */
  #begin(): ChildProcess {
    const { script, heapMebibytes } = this.#options;
    const child = fork(fileURLToPath(script), {
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapMebibytes}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const isOurs = () => this.#process === child;
    child.on('message', (message) => isOurs() && this.#received(message));
    child.once('error', () => isOurs() && this.#end({ lost: 'not started' }));
    child.once('exit', () => isOurs() && this.#end({ lost: 'ended' }));
    child.unref();
    child.channel?.unref();
    this.#process = child;
    return child;
  }

  #received(message: unknown): void {
    const answer = this.#answer.safeParse(message);
    if (!answer.success) {
      this.#end({ lost: 'not understood' });
    } else if (answer.data.id === this.#current?.id) {
      const { id: _, ...outcome } = answer.data;
      this.#settle(outcome);
    }
  }

  /** What it was asked for last goes without; the next one gets another process. */
  #end(outcome: JobOutcome<Result>): void {
    clearTimeout(this.#timer);
    const child = this.#process;
    this.#process = null;
    child?.kill('SIGKILL');
    this.#settle(outcome);
  }

  #settle(outcome: JobOutcome<Result>): void {
    const current = this.#current;
    this.#current = null;
    current?.resolve(outcome);
    if (current) this.#next();
  }
}
