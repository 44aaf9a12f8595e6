import type { MessageChange } from '../../../contract/messages/changes.ts';
import type { NumberState } from '../number-state.ts';

/** Deletions that wait at most, the newest of them, and how long: phones offer an admin to take a message back for two days. */
const heldMax = 50;
const heldMs = 2 * 24 * 3600 * 1000;

interface Held {
  change: MessageChange;
  at: number;
}

/**
 * Deletions of what others wrote, in groups of which it is not known who their admins are: they count once that is known. They
 * outlive an eviction.
 */
export class HeldDeletions {
  readonly #state: NumberState;

  constructor(state: NumberState) {
    this.#state = state;
  }

  /** A repeat is held once. Call inside a transaction. */
  hold(change: MessageChange, now: number): void {
    const others = this.#all(now).filter((held) => !isSame(held.change, change));
    this.#state.put('heldDeletions', [...others, { change, at: now }].slice(-heldMax));
  }

  /** Those that wait, oldest first; none waits any more. Call inside a transaction. */
  takeAll(now: number): MessageChange[] {
    const held = this.#all(now);
    if (held.length > 0) this.#state.put('heldDeletions', []);
    return held.map(({ change }) => change);
  }

  #all(now: number): Held[] {
    return (this.#state.get<Held[]>('heldDeletions') ?? []).filter(({ at }) => at > now - heldMs);
  }
}

const isSame = (one: MessageChange, other: MessageChange): boolean =>
  one.chat === other.chat &&
  one.from === other.from &&
  one.target.providerMessageId === other.target.providerMessageId;
