import { leaseTimes } from '../../contract/bridge/bridge-frames.ts';

/**
 * Whether this bridge still has its leases: for a while from the sending of a ping that the fleet has answered. Two clocks
 * have to agree: the one that nobody sets stands still while the machine sleeps.
 */
export class LeaseClock {
  /** Pings that were not answered yet, in the order of their sending; null: sent before the fleet knew this link. */
  readonly #unanswered: (Moment | null)[] = [];
  #validFrom: Moment | null = null;
  readonly #waiting = new Set<() => void>();
  #validMs: number = leaseTimes.validMs;

  /** The fleet has welcomed this bridge, and says how long its leases hold: from now on, whatever was said before. */
  welcomed(validMs: number = leaseTimes.validMs): void {
    this.#validMs = validMs;
  }

  /** `counts`: the fleet has said hello on this link. */
  pinged(counts: boolean): void {
    this.#unanswered.push(counts ? now() : null);
  }

  ponged(): void {
    const sentAt = this.#unanswered.shift() ?? null;
    if (sentAt !== null) this.#validFrom = sentAt;
    if (!this.isValid) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const action of waiting) action();
  }

  /** What was asked over that link stays unanswered. The leases last for the rest of their time. */
  linkLost(): void {
    this.#unanswered.length = 0;
  }

  get isValid(): boolean {
    if (this.#validFrom === null) return false;
    const { monotonicMs, wallMs } = now();
    const elapsedMs = Math.max(monotonicMs - this.#validFrom.monotonicMs, wallMs - this.#validFrom.wallMs);
    return elapsedMs < this.#validMs;
  }

  /** Runs the action with the next answer that makes the leases valid. */
  onceValid(action: () => void): void {
    this.#waiting.add(action);
  }
}

interface Moment {
  monotonicMs: number;
  wallMs: number;
}

const now = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/**
 * The last gate before the network, one a lease: nothing leaves while the lease is not certain. What waits goes out when
 * it is certain again, and never once the lease is over.
 */
export class LeaseFence {
  readonly #clock: LeaseClock;
  #isShut = false;

  constructor(clock: LeaseClock) {
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return !this.#isShut && this.#clock.isValid;
  }

  /** The lease is over. */
  shut(): void {
    this.#isShut = true;
  }

  /** Runs the action when the gate opens next; never, where the lease is over by then. */
  onceOpen(action: () => void): void {
    this.#clock.onceValid(() => {
      if (!this.#isShut) action();
    });
  }

  /** Resolves when the gate is open; not at all where the lease is over. */
  async opened(): Promise<void> {
    if (this.isOpen) return;
    await new Promise<void>((resolve) => this.onceOpen(resolve));
  }
}
