import type { LeaseClock } from './lease-clock.ts';

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
