/** A timer of an object: when it is due follows from the object's state, so there is nothing to keep in step. */
export interface NamedTimer {
  name: string;
  /** Milliseconds since 1970, or null while there is nothing to wait for. */
  dueAt(): number | null;
  /** Runs when due, at least once; must be safe to repeat, and must move its own `dueAt` on. */
  run(now: number): void | Promise<void>;
}

/** After a timer has thrown, or has left itself due: milliseconds until it is tried again. */
const retryMs = 5_000;

/**
 * Many named timers on the one alarm that the platform gives an object. The alarm may fire early, never late: it is
 * moved only to an earlier time, since each move is a row written.
 */
export class NamedTimers {
  readonly #storage: DurableObjectStorage;
  readonly #timers: readonly NamedTimer[];
  /** When the platform's alarm is set to, as far as this life of the object knows. */
  #armedAt: number | null = null;

  constructor(storage: DurableObjectStorage, timers: readonly NamedTimer[]) {
    this.#storage = storage;
    this.#timers = timers;
  }

  /** For the constructor of the object: learns the alarm that an earlier life has set, and sets a missing one. */
  async wake(): Promise<void> {
    this.#armedAt = await this.#storage.getAlarm();
    this.arm();
  }

  /** Call after each change that may have brought a timer forward. */
  arm(): void {
    const dueAt = this.#earliest();
    if (dueAt === null || (this.#armedAt !== null && this.#armedAt <= dueAt)) return;
    this.#armedAt = dueAt;
    void this.#storage.setAlarm(dueAt);
  }

  /** The object's `alarm()`. A timer that throws is reported and stays due; the others run all the same. */
  async ring(now: number, onError: (name: string, error: unknown) => void): Promise<void> {
    this.#armedAt = null;
    const failed = new Set<string>();
    for (const timer of this.#timers) {
      const dueAt = timer.dueAt();
      if (dueAt === null || dueAt > now) continue;
      try {
        await timer.run(now);
      } catch (error) {
        failed.add(timer.name);
        onError(timer.name, error);
      }
    }
    const next = this.#earliest();
    if (next !== null) {
      this.#armedAt = failed.size > 0 || next <= now ? now + retryMs : next;
      await this.#storage.setAlarm(this.#armedAt);
    }
  }

  #earliest(): number | null {
    const due = this.#timers.map((timer) => timer.dueAt()).filter((at) => at !== null);
    return due.length > 0 ? Math.min(...due) : null;
  }
}
