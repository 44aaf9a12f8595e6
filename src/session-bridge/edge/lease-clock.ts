import { leaseTimes } from '../../contract/bridge/bridge-frames.ts';

/**
 * Whether this bridge still has its leases. They are valid for a while from the sending of a ping that the fleet has answered.
 * Both the monotonic clock and the wall clock must agree, since the monotonic clock stops while the machine sleeps.
 */
export class LeaseClock {
  /** Pings that were not answered yet, in the order of their sending; null: sent before the fleet knew this link. */
  readonly #unanswered: (Moment | null)[] = [];
  #validFrom: Moment | null = null;
  readonly #waiting = new Set<() => void>();
  #validMs: number = leaseTimes.validMs;

  /** The fleet has welcomed this bridge, and said how long its leases are valid: this replaces earlier values. */
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

  /** The pings of that link will not be answered. The leases last for the rest of their time. */
  linkLost(): void {
    this.#unanswered.length = 0;
  }

  get isValid(): boolean {
    if (this.#validFrom === null) return false;
    const { monotonicMs, wallMs } = now();
    const elapsedMs = Math.max(monotonicMs - this.#validFrom.monotonicMs, wallMs - this.#validFrom.wallMs);
    return elapsedMs < this.#validMs;
  }

  /** Runs the action as soon as a pong makes the leases valid. */
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
 * The last check before the network, one for each lease. Nothing leaves while the lease is uncertain. Waiting frames leave
 * when it is certain again, and never if the lease has ended.
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

  /** Runs the action when the gate opens next; never if the lease has ended by then. */
  onceOpen(action: () => void): void {
    this.#clock.onceValid(() => {
      if (!this.#isShut) action();
    });
  }

  /** Resolves when the gate is open; never if the lease has ended. */
  async opened(): Promise<void> {
    if (this.isOpen) return;
    await new Promise<void>((resolve) => this.onceOpen(resolve));
  }
}
