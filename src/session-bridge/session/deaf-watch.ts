import { spreadMs } from '../backoff.ts';

/** Fewer acknowledged messages say nothing: their recipients may all be asleep. */
const acknowledgedMin = 3;
/** The longest wait, as a multiple of the first, so that a network on which nobody answers is not bothered often. */
const waitFactorMax = 16;

export interface DeafWatchOptions {
  /** How long an open session may receive nothing after the network has acknowledged a message from it. */
  deafAfterMs: number;
  /** How long an open session may hear nothing at all, whether or not it has sent anything. */
  quietAfterMs: number;
  onDeaf: () => void;
}

/**
 * Finds deaf sessions: they are open and the network accepts their messages, but neither a receipt nor a message arrives. A
 * session that sends nothing counts as deaf after hours of silence. If a new connection has not helped, the next wait is twice
 * as long.
 */
export class DeafWatch {
  readonly #options: DeafWatchOptions;
  #acknowledged = 0;
  #waitFactor = 1;
  #timer: NodeJS.Timeout | undefined;
  #quietTimer: NodeJS.Timeout | undefined;

  constructor(options: DeafWatchOptions) {
    this.#options = options;
  }

  /**
   * The session is open. A session that only receives is renewed now and then while nothing arrives, since it has no other way
   * to notice.
   */
  opened(): void {
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(this.#options.onDeaf, spreadMs(this.#options.quietAfterMs));
  }

  /** The network has taken a message. */
  acknowledged(): void {
    this.#acknowledged += 1;
    this.#timer ??= setTimeout(() => this.#judge(), this.#options.deafAfterMs * this.#waitFactor);
  }

  /** Something came in: a receipt of any kind, or a message. */
  heard(): void {
    const wasOpen = this.#quietTimer !== undefined;
    this.closed();
    this.#waitFactor = 1;
    if (wasOpen) this.opened();
  }

  /** The session is not open any more. */
  closed(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#quietTimer);
    this.#timer = undefined;
    this.#quietTimer = undefined;
    this.#acknowledged = 0;
  }

  #judge(): void {
    this.#timer = undefined;
    // Too few yet: the next acknowledgement begins a new wait.
    if (this.#acknowledged < acknowledgedMin) return;
    this.#waitFactor = Math.min(this.#waitFactor * 2, waitFactorMax);
    this.#acknowledged = 0;
    this.#options.onDeaf();
  }
}
