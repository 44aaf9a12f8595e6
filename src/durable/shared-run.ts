/**
 * Reads from another place, one run at a time. A run that began before a call may have read old data, so each call is served
 * by a run that begins after it. All callers that wait share that run.
 */
export class SharedRun {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  get isUnderWay(): boolean {
    return this.#running !== null || this.#next !== null;
  }

  run(): Promise<void> {
    this.#next ??= this.#runAfter(this.#running);
    return this.#next;
  }

  async #runAfter(earlier: Promise<void> | null): Promise<void> {
    // Whoever waits for the earlier one has its fault.
    await earlier?.catch(() => {});
    const own = this.#next;
    this.#running = own;
    this.#next = null;
    try {
      await this.#work();
    } finally {
      if (this.#running === own) this.#running = null;
    }
  }
}
