import { type Candidate, type Readiness, readinessOf } from './candidate.ts';
import { SortedList } from './sorted-list.ts';

/**
 * The account's numbers; those of the pool in the order of the rotation. A choice takes the first number that fits, and looks at
 * none behind it.
 */
export class SenderPool {
  readonly #all = new Map<string, Candidate>();
  readonly #lists: Readonly<Record<Readiness, SortedList<Candidate>>> = {
    ready: new SortedList(inOrder),
    restricted: new SortedList(inOrder),
    waiting: new SortedList(inOrder),
  };

  /** Puts a number in its place, instead of where it was. */
  put(candidate: Candidate): void {
    this.remove(candidate.numberId);
    this.#all.set(candidate.numberId, candidate);
    const readiness = readinessOf(candidate);
    if (candidate.inPool && readiness !== null) this.#lists[readiness].add(candidate);
  }

  remove(numberId: string): void {
    const candidate = this.#all.get(numberId);
    if (candidate === undefined) return;
    const readiness = readinessOf(candidate);
    if (candidate.inPool && readiness !== null) this.#lists[readiness].delete(candidate);
    this.#all.delete(numberId);
  }

  find(numberId: string): Candidate | null {
    return this.#all.get(numberId) ?? null;
  }

  /** All numbers of the account; none of its order means anything. */
  get all(): Iterable<Candidate> {
    return this.#all.values();
  }

  /** The number of the pool whose turn it is, of those in `lists` of which `fits` holds. */
  next(lists: readonly Readiness[], fits: (candidate: Candidate) => boolean): Candidate | null {
    return first(lists.map((list) => this.#lists[list].find(fits)));
  }
}

function inOrder(a: Candidate, b: Candidate): number {
  return a.place - b.place || a.order - b.order;
}

/** The one that goes first. */
export function first(candidates: readonly (Candidate | null)[]): Candidate | null {
  return candidates.reduce(
    (best, it) => (best === null || (it !== null && inOrder(it, best) < 0) ? it : best),
    null,
  );
}
