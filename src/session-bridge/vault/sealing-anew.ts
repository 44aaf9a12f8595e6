import type { VaultEntry } from '../../contract/bridge/bridge-frames.ts';
import { errorText, type Log } from '../logging.ts';

/** One number's vault, for resealing its entries. */
export interface AgingVault {
  readonly numberId: string;
  /**
   * The next entries, by key, that are not sealed under the current key in the current format. Empty: there are no more. Null:
   * the edge cannot be asked at the moment.
   */
  outdated(after: string | null): Promise<VaultEntry[] | null>;
  /** Reseals them and journals them; returns how many no key opens. */
  sealAnew(entries: VaultEntry[]): { unreadable: number };
  /** A session uses it. A vault that nobody uses may be cleared at any moment, and is not written. */
  isInUse(): boolean;
}

/** Between two steps, so that the bridge's work comes first. */
const pauseMs = 50;

/**
 * Reseals entries that have an earlier key or format. It runs in the background, for one number of the bridge and a limited
 * part of its entries at a time. What fails is done when it is requested again.
 */
export class SealingAnew {
  readonly #log: Log;
  readonly #waiting = new Set<AgingVault>();
  readonly #done = new WeakSet<AgingVault>();
  #isClosed = false;
  #isWorking = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Repeating it changes nothing. */
  ask(vault: AgingVault): void {
    if (this.#done.has(vault)) return;
    this.#waiting.add(vault);
    void this.#work();
  }

  /** Nothing of this vault is sealed under another key any more, as far as it can be opened. */
  isDone(vault: AgingVault): boolean {
    return this.#done.has(vault);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (const vault of this.#waiting) {
      this.#waiting.delete(vault);
      try {
        await this.#renew(vault);
      } catch (error) {
        this.#log.warn({ numberId: vault.numberId, error: errorText(error) }, 'vault.not_sealed_anew');
      }
    }
    this.#isWorking = false;
  }

  async #renew(vault: AgingVault): Promise<void> {
    const { numberId } = vault;
    let entries = 0;
    let unreadable = 0;
    let after: string | null = null;
    while (vault.isInUse() && !this.#isClosed) {
      const found: VaultEntry[] | null = await vault.outdated(after);
      if (found === null || !vault.isInUse() || this.#isClosed) return;
      const last = found.at(-1);
      if (!last) {
        this.#done.add(vault);
        if (entries > 0)
          this.#log.info({ numberId, entries: entries - unreadable, unreadable }, 'vault.sealed_anew');
        return;
      }
      entries += found.length;
      unreadable += vault.sealAnew(found).unreadable;
      after = last.key;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
