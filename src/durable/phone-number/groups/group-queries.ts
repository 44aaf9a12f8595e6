import type { QueryAnswer, QueryOf, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';
import type { Group } from '../../../contract/numbers/group.ts';
import type { BridgeLink } from '../bridge/bridge-link.ts';
import type { DeviceStore } from '../device/device-store.ts';
import type { NumberState } from '../number-state.ts';
import type { Asked, Queries } from '../queries.ts';
import type { Groups } from './groups.ts';

/** The groups come as facts: where they have not come after so long, they are asked for again. */
const retryMs = 120_000;

interface GroupSyncParts {
  groups: Groups;
  queries: Queries;
  device: DeviceStore;
  link: BridgeLink;
  state: NumberState;
}

/**
 * Queries all groups if they are not known, or if a change was missed. Nobody waits for the response, so the object may sleep:
 * the results arrive as facts.
 */
export class GroupSync {
  readonly #parts: GroupSyncParts;

  constructor(parts: GroupSyncParts) {
    this.#parts = parts;
  }

  /** When the network is to be asked; null while nothing is missing, or it cannot be asked. */
  dueAt(): number | null {
    const { groups, queries, device, link, state } = this.#parts;
    if (!groups.isStale || device.current?.state !== 'connected' || !link.ready) return null;
    const askedAt = state.get<number>('groupsAskedAt');
    return Math.max(askedAt === null ? 0 : askedAt + retryMs, queries.heldUntil('groups.sync') ?? 0);
  }

  run(now: number): void {
    this.#noteAsked(now);
    this.#parts.queries.tell({ verb: 'groups.sync' });
  }

  /** Asks now, whatever is known, and waits until the network has answered: the groups follow as facts. */
  async ask(): Promise<{ ok: true; answer: object } | Refusal> {
    this.#noteAsked(Date.now());
    return this.#parts.queries.ask({ verb: 'groups.sync' });
  }

  #noteAsked(now: number): void {
    this.#parts.state.put('groupsAskedAt', now);
    this.#parts.groups.noteAsked();
  }
}

/** Questions about a group, or that make one. */
export type GroupVerb = Exclude<Extract<QueryVerb, `groups.${string}`>, 'groups.sync'>;

interface GroupVerbsParts {
  groups: Groups;
  device: DeviceStore;
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

  /** Refused for a group that the number is not in, to remove itself, and as the network refuses. */
  async ask<Verb extends GroupVerb>(query: QueryOf<Verb>): Promise<Asked<Verb>> {
    const { groups, queries } = this.#parts;
    if ('groupId' in query && groups.find(query.groupId) === null) return noSuchGroup;
    if (this.#removesItself(query)) return leavesOtherwise;
    const asked = await queries.ask<Verb>(query as never);
    if (asked.ok) this.#apply(query, asked.answer);
    return asked;
  }

  /** Nobody could tell afterwards what has become of the group: the network shows it to members alone. */
  #removesItself(query: QueryOf<GroupVerb>): boolean {
    const own = this.#parts.device.current?.phoneNumber ?? null;
    if (own === null || query.verb !== 'groups.participants' || query.action !== 'remove') return false;
    return query.participants.includes(own);
  }

  #apply(query: QueryOf<GroupVerb>, answer: QueryAnswer<GroupVerb>): void {
    const { groups, commit } = this.#parts;
    const group: Group | null = 'group' in answer ? answer.group : null;
    if (group) commit(() => groups.put(group, Date.now()));
    if (query.verb === 'groups.leave') commit(() => groups.left(query.groupId, Date.now()));
  }
}

const noSuchGroup: Refusal = refuse('NOT_FOUND', 'There is no such group.');
const leavesOtherwise: Refusal = invalidField(
  'participants',
  'One of them is the number itself: it leaves with DELETE /v1/numbers/{id}/groups/{groupId}.',
);
