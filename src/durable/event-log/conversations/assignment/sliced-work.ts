import type { EventDraft } from '../../events/event-draft.ts';
import type { LogState } from '../../log-state.ts';

/** What a slice did, in a few milliseconds; `isWhole`: nothing is left to do. */
export interface Slice {
  drafts: EventDraft[];
  isWhole: boolean;
}

/**
 * Work on teams or people, done in slices. Their ids are stored until nothing is left, so a crash loses nothing. Call methods
 * that write inside a transaction.
 */
export class SlicedWork {
  readonly #state: LogState;
  readonly #name: string;
  readonly #slice: (id: string, at: number) => Slice;
  /** Null: not looked up. Each change makes it null, since its transaction may be rolled back. */
  #left: readonly string[] | null = null;

  /** `name`: under which those that are left stand in the log's state. */
  constructor(state: LogState, name: string, slice: (id: string, at: number) => Slice) {
    this.#state = state;
    this.#name = name;
    this.#slice = slice;
  }

  /** The ids with which something is left. */
  get left(): readonly string[] {
    this.#left ??= this.#state.get<string[]>(this.#name) ?? [];
    return this.#left;
  }

  dueAt(): number | null {
    return this.left.length === 0 ? null : 1;
  }

  /** Goes on with the first of them; `ids`: of these, and no others. */
  run(at: number, ids = this.left): EventDraft[] {
    const [id, ...others] = ids;
    const { drafts, isWhole } = id === undefined ? { drafts: [], isWhole: true } : this.#slice(id, at);
    const left = isWhole ? others : ids;
    if (left.length > 0) this.#state.put(this.#name, left);
    else this.#state.remove(this.#name);
    this.#left = null;
    return drafts;
  }
}
