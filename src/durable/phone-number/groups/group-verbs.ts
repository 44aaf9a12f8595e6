import type { QueryAnswer, QueryOf, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { Group } from '../../../contract/group.ts';
import type { Asked, Queries } from '../queries/queries.ts';
import type { Groups } from './groups.ts';

/** Questions about a group, or that make one. */
export type GroupVerb = Exclude<Extract<QueryVerb, `groups.${string}`>, 'groups.sync'>;

interface GroupVerbsParts {
  groups: Groups;
  queries: Queries;
  /** Runs a change in a transaction, and what follows it. */
  commit: (change: () => void) => void;
}

/** Changes groups at the network, and takes over at once what has become of them. */
export class GroupVerbs {
  readonly #parts: GroupVerbsParts;

  constructor(parts: GroupVerbsParts) {
    this.#parts = parts;
  }

  /** Refused for a group that the number is not in, and as the network refuses. */
  async ask<Verb extends GroupVerb>(query: QueryOf<Verb>): Promise<Asked<Verb>> {
    const { groups, queries } = this.#parts;
    if ('groupId' in query && groups.find(query.groupId) === null) return noSuchGroup;
    const asked = await queries.ask<Verb>(query as never);
    if (asked.ok) this.#apply(query, asked.answer);
    return asked;
  }

  #apply(query: QueryOf<GroupVerb>, answer: QueryAnswer<GroupVerb>): void {
    const { groups, commit } = this.#parts;
    const group: Group | null = 'group' in answer ? answer.group : null;
    if (group) commit(() => groups.put(group, Date.now()));
    if (query.verb === 'groups.leave') commit(() => groups.left(query.groupId, Date.now()));
  }
}

const noSuchGroup: Refusal = refuse('NOT_FOUND', 'There is no such group.');
