/**
 * Items in order, each to be found without looking at the others. For lists of some thousand items: to put one in moves
 * the ones behind it, which is a copy of a few kilobytes.
 */
export class SortedList<Item> {
  readonly #compare: (a: Item, b: Item) => number;
  readonly #items: Item[] = [];

  /** `compare` is 0 for an item and itself alone. */
  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare;
  }

  add(item: Item): void {
    this.#items.splice(this.#indexOf(item), 0, item);
  }

  delete(item: Item): void {
    const index = this.#indexOf(item);
    if (this.#items[index] === item) this.#items.splice(index, 1);
  }

  /** The first item in order of which `fits` holds. */
  find(fits: (item: Item) => boolean): Item | null {
    return this.#items.find(fits) ?? null;
  }

  /** Where the item is, or would be. */
  #indexOf(item: Item): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#items[middle];
      if (other !== undefined && this.#compare(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
