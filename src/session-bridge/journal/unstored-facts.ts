import type { NumberFact } from '../../contract/bridge/bridge-frames.ts';

/** What the network says again to the number's next login, as long as it is not acknowledged. */
const repeatedByNetwork: readonly NumberFact['type'][] = [
  'inbound',
  'receipts',
  'changes',
  'calls',
  'group.notice',
];

/** Whether the network would repeat what this fact tells, were it not acknowledged. */
export function isRepeatedByNetwork(kind: NumberFact['type']): boolean {
  return repeatedByNetwork.includes(kind);
}

/**
 * Holds what is said to the network until the edge has stored what was heard from it before: the network's memory then
 * outlives this bridge and its disk. No fact holds anything up for longer than `holdMs` milliseconds; then its being on
 * disk must do.
 */
export class UnstoredFacts {
  readonly #holdMs: number;
  /** Facts in the order in which they were heard: when they cease to hold anything up, by `performance.now()`. */
  readonly #heldUntilMs = new Map<number, number>();
  /** The number of a fact by its row in the journal: a row may be written anew, the fact keeps its place. */
  readonly #placeOfRow = new Map<number, number>();
  #lastPlace = 0;
  /** What waits, in order, each for the facts up to a place. */
  #waiting: { place: number; action: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  /** `holdMs`: where the fact holds up the network for another time. */
  heard(row: number, holdMs = this.#holdMs): void {
    this.#lastPlace += 1;
    this.#placeOfRow.set(row, this.#lastPlace);
    this.#heldUntilMs.set(this.#lastPlace, performance.now() + holdMs);
    this.#awaitTimeout();
  }

  /** The fact stands in another row now. */
  moved(row: number, newRow: number): void {
    const place = this.#placeOfRow.get(row);
    if (place === undefined) return;
    this.#placeOfRow.delete(row);
    this.#placeOfRow.set(newRow, place);
  }

  /** The edge has these. */
  stored(rows: readonly number[]): void {
    for (const row of rows) {
      const place = this.#placeOfRow.get(row);
      if (place === undefined) continue;
      this.#placeOfRow.delete(row);
      this.#heldUntilMs.delete(place);
    }
    this.#release();
  }

  /** Runs the action behind those before it, once everything heard so far is stored or has had its time. */
  afterStored(action: () => void): void {
    if (this.#waiting.length === 0 && this.#heldUntilMs.size === 0) action();
    else this.#waiting.push({ place: this.#lastPlace, action });
  }

  #release(): void {
    const firstHeld = this.#heldUntilMs.keys().next().value ?? Number.POSITIVE_INFINITY;
    const free = this.#waiting.findIndex(({ place }) => place >= firstHeld);
    const released = this.#waiting.splice(0, free === -1 ? this.#waiting.length : free);
    for (const { action } of released) action();
    // Of those that are left the first may have less time than those before it had.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#awaitTimeout();
  }

  #awaitTimeout(): void {
    const [heldUntilMs] = this.#heldUntilMs.values();
    if (this.#timer || heldUntilMs === undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#giveUp(performance.now());
        this.#release();
      },
      Math.max(1, heldUntilMs - performance.now()),
    );
  }

  #giveUp(nowMs: number): void {
    for (const [place, heldUntilMs] of this.#heldUntilMs) {
      if (heldUntilMs > nowMs) break;
      this.#heldUntilMs.delete(place);
    }
    for (const [row, place] of this.#placeOfRow)
      if (!this.#heldUntilMs.has(place)) this.#placeOfRow.delete(row);
  }
}
