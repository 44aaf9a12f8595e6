import { ClockWatch } from './clock-watch.ts';
import { earliest, endOfWait, isDue } from './due-times.ts';

/** A timer of an object: when it is due follows from the object's state, so there is nothing to keep in step. */
export interface NamedTimer {
  name: string;
  /** Milliseconds since 1970, or null while there is nothing to wait for. */
  dueAt(): number | null;
  /**
   * When the alarm fires for it, if not when it is due; null: never. Then it runs with the next alarm, whatever that is for.
   * It is for work that nobody waits for, since setting an alarm writes a row.
   */
  wakesAt?(): number | null;
  /** Runs when due, at least once; must be safe to repeat, and must move its own `dueAt` on. */
  run(now: number): void | Promise<void>;
  /**
   * The clock was set back, or may have been before this life: ends the waits that it has made too long. For waits of which `dueAt`
   * does not see it by itself ({@link endOfWait}).
   */
  clockWentBack?(now: number): void;
}

/** Work that continues slice by slice while it is due; other timers run in between. */
export const slicedTimer = (name: string, dueAt: () => number | null, slice: () => void): NamedTimer => ({
  name,
  dueAt,
  async run() {
    while (isDue(dueAt(), Date.now())) {
      slice();
      await scheduler.wait(0);
    }
  },
});

/** After a timer has thrown, or has left itself due: milliseconds until it is tried again. */
const retryMs = 5_000;
/** How long the alarm waits for timers that call another object; then they continue by themselves. */
const deadlineMs = 20_000;
/** A run that takes longer is lost: the timer runs again. */
const runMsMax = 15 * 60_000;

/**
 * Many named timers on the one alarm that the platform gives an object. The alarm may fire early, never late. It is moved only
 * to an earlier time, since each move writes a row. Timers do not wait for one another.
 */
export class NamedTimers {
  readonly #storage: DurableObjectStorage;
  readonly #timers: readonly NamedTimer[];
  readonly #clock = new ClockWatch();
  /** When the platform's alarm is set to, as far as this life of the object knows. */
  #armedAt: number | null = null;
  /** Timers whose last run has not ended, and when it counts as lost. */
  readonly #running = new Map<string, number>();

  constructor(storage: DurableObjectStorage, timers: readonly NamedTimer[]) {
    this.#storage = storage;
    this.#timers = timers;
  }

  /** For the constructor of the object: learns the alarm that an earlier life has set, and sets a missing one. */
  async wake(): Promise<void> {
    this.#armedAt = await this.#storage.getAlarm();
    const now = Date.now();
    this.#clock.wentBack(now);
    this.#endLongWaits(now);
    this.arm();
  }

  /**
   * Call after each change that may have brought a timer forward, without a wait in between: then the alarm is stored
   * in the same commit as the change.
   */
  arm(): void {
    const now = Date.now();
    if (this.#clock.wentBack(now)) this.#endLongWaits(now);
    const dueAt = this.#earliest();
    if (dueAt === null || (this.#armedAt !== null && this.#armedAt <= dueAt)) return;
    this.#armedAt = dueAt;
    void this.#storage.setAlarm(dueAt);
  }

  /** The object's `alarm()`. A timer that throws is reported and stays due; the others run all the same. */
  async ring(now: number, onError: (name: string, error: unknown) => void): Promise<void> {
    this.#armedAt = null;
    if (this.#clock.wentBack(now)) this.#endLongWaits(now);
    const failed = new Set<string>();
    const fail = (name: string, error: unknown) => {
      failed.add(name);
      onError(name, error);
    };
    // Ended with the race: an object with a wait under way does not sleep.
    const deadline = new AbortController();
    const passed = scheduler.wait(deadlineMs, { signal: deadline.signal }).catch(() => {});
    try {
      const runs = this.#timers.map((timer) => this.#runDue(timer, now, fail));
      await Promise.race([Promise.all(runs), passed]);
    } finally {
      deadline.abort();
      const next = this.#earliest();
      if (next !== null) {
        this.#armedAt = failed.size > 0 || next <= now ? now + retryMs : next;
        await this.#storage.setAlarm(this.#armedAt);
      }
    }
  }

  #endLongWaits(now: number): void {
    for (const timer of this.#timers) timer.clockWentBack?.(now);
  }

  async #runDue(timer: NamedTimer, now: number, fail: (name: string, error: unknown) => void): Promise<void> {
    const running = this.#running.get(timer.name);
    const isRunning = running !== undefined && endOfWait(running, runMsMax, now) > now;
    if (isRunning || !isDue(timer.dueAt(), now)) return;
    const lostAt = now + runMsMax;
    this.#running.set(timer.name, lostAt);
    try {
      await timer.run(now);
    } catch (error) {
      fail(timer.name, error);
    } finally {
      if (this.#running.get(timer.name) === lostAt) this.#running.delete(timer.name);
    }
  }

  #earliest(): number | null {
    const due = earliest(this.#timers.map((timer) => (timer.wakesAt ? timer.wakesAt() : timer.dueAt())));
    // The platform takes no time before 1970.
    return due === null ? null : Math.max(1, due);
  }
}
