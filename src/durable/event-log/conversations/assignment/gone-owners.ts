import type { EventDraft } from '../../events/event-draft.ts';
import type { LogState } from '../../log-state.ts';

/** Makes some of what they have nobody's, a few milliseconds' worth; `isWhole`: nothing is left. */
type Free = (id: string, at: number) => { drafts: EventDraft[]; isWhole: boolean };

/**
 * Teams, or people, that are gone: what they had is nobody's by and by. Those that still have something are stored, so that it
 * goes on after a crash. Call what writes inside a transaction.
 */
export class GoneOwners {
  readonly #state: LogState;
  readonly #name: string;
  readonly #free: Free;

  /** `name`: under which those that are left stand in the log's state. */
  constructor(state: LogState, name: string, free: Free) {
    this.#state = state;
    this.#name = name;
    this.#free = free;
  }

  /** Those that still have something. */
  get left(): readonly string[] {
    return this.#state.get<string[]>(this.#name) ?? [];
  }

  dueAt(): number | null {
    return this.left.length === 0 ? null : 1;
  }

  /** Goes on with the first of them; `ids`: of these, and no others. */
  run(at: number, ids = this.left): EventDraft[] {
    const [id, ...others] = ids;
    const { drafts, isWhole } = id === undefined ? { drafts: [], isWhole: true } : this.#free(id, at);
    const left = isWhole ? others : ids;
    if (left.length > 0) this.#state.put(this.#name, left);
    else this.#state.remove(this.#name);
    return drafts;
  }
}
