import PQueue from 'p-queue';

/** The turn of one login: it waits for it, and holds it while it is in progress. */
export interface LoginTurn {
  /** The login is over, or is not wanted any more: one that has not begun does not begin. */
  end(): void;
}

export interface LoginLimits {
  /** Logins under way, of all numbers together. */
  atOnce: number;
  /** Logins that begin within any one second, evenly spread. */
  perSecond: number;
}

/**
 * Which of a bridge's numbers logs in next. If all did at once, as after a start or after the loss of another bridge, it would
 * look like an attack to the network, and each would wait for the work of all.
 */
export class LoginTurns {
  readonly #queue: PQueue;

  constructor({ atOnce, perSecond }: LoginLimits) {
    // The logins of a second are spread over it. If all started at once, they would share the core, and the first would be
    // done only with the last.
    this.#queue = new PQueue({
      concurrency: atOnce,
      intervalCap: 1,
      interval: 1_000 / perSecond,
      strict: true,
    });
  }

  /** Runs `begin` when the turn comes, never within this call. What is urgent passes what is not. */
  ask(isUrgent: boolean, begin: () => void): LoginTurn {
    const over = new AbortController();
    const untilOver = async () => {
      await Promise.resolve();
      if (over.signal.aborted) return;
      begin();
      await new Promise(() => {});
    };
    this.#queue.add(untilOver, { signal: over.signal, priority: isUrgent ? 1 : 0 }).catch(() => {});
    return { end: () => over.abort() };
  }
}
