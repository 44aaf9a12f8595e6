import type { DeviceState } from '../../../contract/bridge/device.ts';
import type { Health } from '../../hand-over/number-news.ts';
import { type FilterCheck, filteredRefusal } from '../recipients/recipient-filters.ts';
import type { MessageKind } from './sender.ts';

/** A number of the account as the choice of a sender sees it. */
export interface Candidate {
  readonly numberId: string;
  readonly inPool: boolean;
  readonly state: DeviceState;
  readonly phoneNumber: string | null;
  readonly health: Health;
  /** Its object does not answer for the moment. */
  readonly isFailing: boolean;
  /** Messages that it may send in the next hour. */
  readonly weight: number;
  /** Its place in the rotation: the lowest goes first; `order` decides between equals. */
  readonly place: number;
  readonly order: number;
  readonly filters: FilterCheck;
}

/** A recipient as a number sees it. */
export interface Chat {
  /** All addresses of a person, which filters are asked about; none for a group. */
  addresses: readonly string[];
  /** What a message to them would be. */
  kind: MessageKind;
}

/**
 * `ready`: can send it now, or as soon as its pacing lets it. `waiting`: would take it and hold it. `unfit`: cannot be
 * asked at all.
 */
export type Fitness = 'ready' | 'waiting' | 'unfit';

/** Whether a number can be chosen for a recipient, and what speaks against it. */
export function fitnessOf(
  candidate: Candidate,
  { addresses, kind }: Chat,
): { fitness: Fitness; reason: string | null } {
  const { state, health, filters, weight, isFailing } = candidate;
  if (state !== 'connected') {
    return { fitness: 'unfit', reason: health.reason ?? `The number is ${state}.` };
  }
  const [filter] = filters.refusing(addresses);
  if (filter !== undefined) return { fitness: 'unfit', reason: filteredRefusal(filter).message };
  if (health.status === 'resting') {
    return { fitness: 'unfit', reason: health.reason ?? 'The number rests after failures.' };
  }
  if (isFailing) return { fitness: 'waiting', reason: 'The number does not answer for the moment.' };
  if (health.status === 'restricted' && kind === 'new') {
    return {
      fitness: 'waiting',
      reason: health.reason ?? 'The network restricts new chats for this number.',
    };
  }
  if (weight > 0 || kind === 'answer') return { fitness: 'ready', reason: null };
  return { fitness: 'waiting', reason: 'The number may send nothing more for now.' };
}

/** What a number can do for most recipients; null: for none. */
export type Readiness = 'ready' | 'restricted' | 'waiting';

export function readinessOf({ state, health, isFailing, weight }: Candidate): Readiness | null {
  if (state !== 'connected' || health.status === 'resting') return null;
  if (isFailing || weight === 0) return 'waiting';
  return health.status === 'restricted' ? 'restricted' : 'ready';
}

/**
 * The account's numbers; those of the pool in the order of the rotation. A choice takes the first number that fits, and looks at
 * none behind it.
 */
export class SenderPool {
  readonly #all = new Map<string, Candidate>();
  readonly #lists: Readonly<Record<Readiness, InOrder>> = {
    ready: new InOrder(),
    restricted: new InOrder(),
    waiting: new InOrder(),
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

/**
 * Numbers in the order of the rotation, of which one is found without examining the others. It is for some thousand numbers:
 * inserting one moves those behind it, which copies a few kilobytes.
 */
class InOrder {
  readonly #candidates: Candidate[] = [];

  add(candidate: Candidate): void {
    this.#candidates.splice(this.#indexOf(candidate), 0, candidate);
  }

  delete(candidate: Candidate): void {
    const index = this.#indexOf(candidate);
    if (this.#candidates[index] === candidate) this.#candidates.splice(index, 1);
  }

  /** The first one of which `fits` holds. */
  find(fits: (candidate: Candidate) => boolean): Candidate | null {
    return this.#candidates.find(fits) ?? null;
  }

  /** Where it is, or would be. */
  #indexOf(candidate: Candidate): number {
    let low = 0;
    let high = this.#candidates.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#candidates[middle];
      if (other !== undefined && inOrder(other, candidate) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
