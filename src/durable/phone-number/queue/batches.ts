import type { NumberState } from '../number-state.ts';

interface StoredBatches {
  takenUpTo: number;
  isRoomOwed: boolean;
}

/** Which batches of its account the number has taken. It remembers that for good: a late repeat must change nothing. */
export class Batches {
  readonly #state: NumberState;
  #stored: StoredBatches = { takenUpTo: 0, isRoomOwed: false };

  constructor(state: NumberState) {
    this.#state = state;
    this.reload();
  }

  /** The last batch that was taken; 0 before the first. */
  get takenUpTo(): number {
    return this.#stored.takenUpTo;
  }

  /** The account was told that there is no room, and waits to hear that there is some again. */
  get isRoomOwed(): boolean {
    return this.#stored.isRoomOwed;
  }

  /** Call in the transaction that stores the batch, or what has become of it. */
  noteTaken(batchNumber: number): void {
    this.#keep({ ...this.#stored, takenUpTo: batchNumber });
  }

  /** The account is being told that there is so much room. */
  noteRoomTold(room: number): void {
    const isRoomOwed = room === 0;
    if (isRoomOwed !== this.#stored.isRoomOwed) this.#keep({ ...this.#stored, isRoomOwed });
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#stored = this.#state.get<StoredBatches>('batches') ?? { takenUpTo: 0, isRoomOwed: false };
  }

  #keep(stored: StoredBatches): void {
    this.#stored = stored;
    this.#state.put('batches', stored);
  }
}
