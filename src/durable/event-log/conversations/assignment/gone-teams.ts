import type { LogState } from '../../log-state.ts';
import type { ConversationRows } from '../conversation-rows.ts';

/** The teams that are gone and still have conversations. */
const name = 'teams.gone';
/** Conversations of one transaction: a few milliseconds. */
const sliceMax = 1_000;

/** Teams that are gone: what they had is no team's by and by. Call what writes inside a transaction. */
export class GoneTeams {
  readonly #state: LogState;
  readonly #rows: ConversationRows;

  constructor(state: LogState, rows: ConversationRows) {
    this.#state = state;
    this.#rows = rows;
  }

  forget(teamId: string): void {
    if (this.#rows.forgetTeam(teamId, sliceMax) === sliceMax)
      this.#state.put(name, [...this.#left(), teamId]);
  }

  dueAt(): number | null {
    return this.#left().length === 0 ? null : 1;
  }

  /** Goes on with one of them. */
  run(): void {
    const [teamId, ...others] = this.#left();
    if (teamId === undefined || this.#rows.forgetTeam(teamId, sliceMax) === sliceMax) return;
    if (others.length === 0) this.#state.remove(name);
    else this.#state.put(name, others);
  }

  #left(): string[] {
    return this.#state.get<string[]>(name) ?? [];
  }
}
