import type { TableSweep } from '../../../storage/table-sweep.ts';
import type { LogState } from '../../log-state.ts';
import type { RunRows } from './run-rows.ts';

const everyMs = 24 * 3_600_000;
/** Between two slices of one sweep. */
const sliceEveryMs = 1_000;
const rowsMax = 1_000;
const sweptName = 'automations.swept';

/** Once a day what is too old or too much goes: only in a log that has, or had, rules. */
export class Upkeep {
  readonly #state: LogState;
  readonly #runs: RunRows;
  readonly #people: TableSweep;
  readonly #rules: () => ReadonlySet<string>;
  #sweptAt: number | null;
  #nextSliceAt: number | null = null;

  constructor(state: LogState, runs: RunRows, people: TableSweep, rules: () => ReadonlySet<string>) {
    this.#state = state;
    this.#runs = runs;
    this.#people = people;
    this.#rules = rules;
    this.#sweptAt = state.get<number>(sweptName);
  }

  /** There may be something to forget some day. */
  begin(hasRules: boolean): void {
    if (hasRules && this.#sweptAt === null) this.#note(Date.now());
  }

  dueAt(): number | null {
    return this.#nextSliceAt ?? (this.#sweptAt === null ? null : this.#sweptAt + everyMs);
  }

  run(now: number): void {
    const isDone = this.#runs.sweep(this.#rules(), now, rowsMax) && this.#people.sweep(now);
    this.#nextSliceAt = isDone ? null : now + sliceEveryMs;
    if (isDone) this.#note(now);
  }

  #note(at: number): void {
    this.#state.put(sweptName, at);
    this.#sweptAt = at;
  }
}
