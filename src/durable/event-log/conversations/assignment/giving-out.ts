import type { EventDraft } from '../../events/event-draft.ts';
import type { LogState } from '../../log-state.ts';
import type { Conversation } from '../conversation.ts';
import type { Assignment } from './assignment.ts';
import { type Slice, SlicedWork } from './sliced-work.ts';

/** Conversations that are given out in one go. */
const givenMax = 50;

/** Gives a conversation to whoever of its team has the turn, if anybody can take it. */
type Give = (conversation: Conversation, at: number) => EventDraft[];

/** Gives out the waiting conversations of teams, some at a time. Call what writes inside a transaction. */
export class GivingOut {
  readonly #assignment: Assignment;
  readonly #give: Give;
  readonly #teams: SlicedWork;

  constructor(state: LogState, assignment: Assignment, give: Give) {
    this.#assignment = assignment;
    this.#give = give;
    this.#teams = new SlicedWork(state, 'teams.giving_out', (teamId, at) => this.#slice(teamId, at));
  }

  /** Begins with the teams of a person who has come, or has room again; null: with all teams. */
  begin(userId: string | null, at: number): EventDraft[] {
    const { left } = this.#teams;
    const teamIds = this.#assignment.givingTo(userId).filter((id) => !left.includes(id));
    const some = teamIds.filter((id) => this.#assignment.waiting(id, 1).length > 0);
    return some.length === 0 ? [] : this.#teams.run(at, [...some, ...left]);
  }

  dueAt(): number | null {
    return this.#teams.dueAt();
  }

  run(at: number): EventDraft[] {
    return this.#teams.run(at);
  }

  /** If nobody can take any of those that have waited longest, the others wait for the next occasion. */
  #slice(teamId: string, at: number): Slice {
    const waiting = this.#assignment.waiting(teamId, givenMax);
    const drafts = waiting.flatMap((one) => this.#give(one, at));
    return { drafts, isWhole: waiting.length < givenMax || drafts.length === 0 };
  }
}
