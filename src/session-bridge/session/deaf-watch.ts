/** Fewer acknowledged messages say nothing: their recipients may all be asleep. */
const acknowledgedMin = 3;
/** The longest wait, as a multiple of the first: a network where nobody answers is left in peace. */
const waitFactorMax = 16;

export interface DeafWatchOptions {
  /** How long an open session may hear nothing after a message of its was acknowledged. */
  deafAfterMs: number;
  onDeaf: () => void;
}

/**
 * Finds sessions that are open and deaf: the network takes their messages, and neither a receipt nor a message comes
 * in. Each time that renewing one has not helped, the next time takes twice as long.
 */
export class DeafWatch {
  readonly #options: DeafWatchOptions;
  #acknowledged = 0;
  #waitFactor = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeafWatchOptions) {
    this.#options = options;
  }

  /** The network has taken a message. */
  acknowledged(): void {
    this.#acknowledged += 1;
    this.#timer ??= setTimeout(() => this.#judge(), this.#options.deafAfterMs * this.#waitFactor);
  }

  /** Something came in: a receipt of any kind, or a message. */
  heard(): void {
    this.closed();
    this.#waitFactor = 1;
  }

  /** The session is not open any more. */
  closed(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
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
