import type { NumberFact } from '../../../contract/bridge/bridge-frames.ts';
import type { MessageChange } from '../../../contract/messages/changes.ts';
import type { Group, GroupChange, Participant, Person } from '../../../contract/numbers/group.ts';
import type { GroupNews } from '../../event-log/facts.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { DeviceStore } from '../device/device-store.ts';
import type { NumberState } from '../number-state.ts';
import { afterChange, groupNews, isSamePerson } from './group-diff.ts';
import type { GroupRows } from './group-rows.ts';

type FactOf<Type extends NumberFact['type']> = Extract<NumberFact, { type: Type }>;
type GroupFact = FactOf<'groups.state' | 'groups.synced' | 'group.notice'>;

export function isGroupFact(fact: NumberFact): fact is GroupFact {
  return fact.type === 'groups.state' || fact.type === 'groups.synced' || fact.type === 'group.notice';
}

/** How far the groups are known; missing in what was stored before they were kept. */
interface GroupsState {
  /** When all groups were known last; null before the first time. */
  syncedAt: number | null;
  /** Whether they are to be asked for once more. */
  isStale: boolean;
  /** Groups that were heard of by themselves since all were asked for: the answer may be from before. null: none is awaited. */
  heardOf: string[] | null;
  /** Whether something was missed since then, which the answer may lack. */
  isMissedSince: boolean;
  /** Rises with each change that the log is told of. */
  revision: number;
}

/** A group that was missing when all were asked for is not asked for again before that. */
const missingForMs = 3_600_000;

const unknown: GroupsState = {
  syncedAt: null,
  isStale: true,
  heardOf: null,
  isMissedSince: false,
  revision: 0,
};

interface GroupsParts {
  rows: GroupRows;
  state: NumberState;
  device: DeviceStore;
  outbox: LogOutbox;
}

/**
 * The groups of the number, as the network has reported them: all at a sync, changes as they happen. A change goes to the log
 * in the same transaction, except at the first sync, which has no changes.
 */
export class Groups {
  readonly #parts: GroupsParts;
  readonly #heldDeletions: HeldDeletions;

  constructor(parts: GroupsParts) {
    this.#parts = parts;
    this.#heldDeletions = new HeldDeletions(parts.state);
  }

  find(groupId: string): Group | null {
    return this.#parts.rows.find(groupId)?.group ?? null;
  }

  /** Whether an admin of the group has taken a message back, as they may; not known to be in a group that is not known. */
  isAdminsDeletion({ change, chatType, chat, from, fromLid }: MessageChange): boolean {
    if (change !== 'deleted' || chatType !== 'group') return false;
    const person: Person = {
      ...(from !== fromLid && { phoneNumber: from }),
      ...(fromLid && { lid: fromLid }),
    };
    const member = this.find(chat)?.participants.find((one) => isSamePerson(one, person));
    return member !== undefined && member.role !== 'member';
  }

  /**
   * A deletion of somebody else's message, in a group whose admins are not known for certain, waits until all groups have been
   * queried. Call inside a transaction, after the log has found that no known admin made it.
   */
  holdDeletion(change: MessageChange, now: number): void {
    if (change.change !== 'deleted' || change.chatType !== 'group' || this.isAdminsDeletion(change)) return;
    if (!change.target.isOwn && change.target.author === change.from) return;
    const { isStale, syncedAt } = this.#state();
    const isMissing = this.find(change.chat) === null && (syncedAt === null || now - syncedAt > missingForMs);
    if (!isStale && !isMissing) return;
    this.#heldDeletions.hold(change, now);
    if (!isStale) this.noteMissed();
  }

  page(limit: number, before: string | null): { groups: Group[]; hasMore: boolean } {
    return this.#parts.rows.page(limit, before);
  }

  /** Whether they are to be asked for. */
  get isStale(): boolean {
    return this.#state().isStale;
  }

  /** All of them are asked for. */
  noteAsked(): void {
    this.#keep({ heardOf: [], isMissedSince: false });
  }

  /** Something about them has been missed. */
  noteMissed(): void {
    this.#keep({ isStale: true, isMissedSince: true });
  }

  /** A phone was linked: of another one nothing is left. Call inside a transaction. */
  notePaired(isOtherPhone: boolean): void {
    if (isOtherPhone) this.#parts.rows.clear();
    this.#keep({ isStale: true, ...(isOtherPhone && { syncedAt: null }) });
  }

  /** Takes what the bridge tells. Call inside a transaction; a repeat changes nothing. */
  apply(fact: GroupFact, now: number): void {
    switch (fact.type) {
      case 'groups.state':
        this.#answered(fact, now);
        return;
      case 'groups.synced':
        this.#synced(fact, now);
        return;
      case 'group.notice':
        this.#notice(fact, now);
    }
  }

  /** A group as it is now. Call inside a transaction. */
  put(group: Group, now: number): void {
    this.#noteHeardOf(group.groupId);
    this.#put(group, now, true);
  }

  /** The number is in it no more. Call inside a transaction. */
  left(groupId: string, now: number): void {
    const { rows, device } = this.#parts;
    this.#noteHeardOf(groupId);
    const group = this.find(groupId);
    if (!group) return;
    rows.remove(groupId);
    const { phoneNumber } = device.known;
    const own = group.participants.find((one) => one.phoneNumber === phoneNumber);
    const participants = own ? [own] : phoneNumber ? [{ phoneNumber, role: 'member' as const }] : [];
    if (participants.length > 0) {
      this.#tell(group, [{ event: 'group.participants', action: 'remove', participants }], now);
    }
  }

  /** `isPart`: of one that is known only something is told, so what was missed of it before is still missing. */
  #noteHeardOf(groupId: string, isPart = false): void {
    const { heardOf, isMissedSince } = this.#state();
    if (heardOf === null) return;
    this.#keep({ heardOf: [...new Set([...heardOf, groupId])], isMissedSince: isMissedSince || isPart });
  }

  #put(group: Group, now: number, isNews: boolean): void {
    const { rows } = this.#parts;
    const known = rows.find(group.groupId);
    if (known && JSON.stringify(known.group) === JSON.stringify(group)) return;
    rows.put(group, known?.notices ?? []);
    if (known || isNews) this.#tell(group, groupNews(known?.group ?? null, group), now);
  }

  #answered({ groups }: FactOf<'groups.state'>, now: number): void {
    const { heardOf, syncedAt } = this.#state();
    for (const group of groups) {
      // All of a first sync was there before.
      if (!heardOf?.includes(group.groupId)) this.#put(group, now, syncedAt !== null);
    }
  }

  #synced({ groupIds, at }: FactOf<'groups.synced'>, now: number): void {
    const { heardOf, isMissedSince } = this.#state();
    const there = new Set([...groupIds, ...(heardOf ?? [])]);
    for (const groupId of this.#parts.rows.ids()) if (!there.has(groupId)) this.left(groupId, now);
    this.#keep({ syncedAt: Date.parse(at), isStale: heardOf !== null && isMissedSince, heardOf: null });
    const { numberId, phoneNumber } = this.#parts.device.known;
    const deletions = this.#heldDeletions.takeAll(now).filter((change) => this.isAdminsDeletion(change));
    if (deletions.length === 0) return;
    this.#parts.outbox.add(
      deletions.map((change) => ({
        kind: 'message.changed',
        numberId,
        own: phoneNumber ?? '',
        change,
        isByAdmin: true,
      })),
    );
  }

  #notice({ noticeId, groupId, changes }: FactOf<'group.notice'>, now: number): void {
    const known = this.#parts.rows.find(groupId);
    if (known?.notices.includes(noticeId)) return;
    const notices = [...(known?.notices ?? []), noticeId];
    const whole = changes.find((change) => change.kind === 'group');
    if (!known && !whole) {
      // Of a group that is not known a part is not enough, but that this number has left it.
      if (changes.every((change) => this.#isOwnLeaving(change))) this.#noteHeardOf(groupId);
      else this.noteMissed();
      return;
    }
    const before = known?.group ?? null;
    let after = before;
    for (const change of changes) {
      if (after === null && change.kind === 'group') after = change.group;
      else if (after !== null) after = afterChange(after, change);
    }
    if (after === null) return;
    if (changes.some((change) => this.#isOwnLeaving(change, before?.participants))) {
      this.left(groupId, now);
      return;
    }
    this.#noteHeardOf(groupId, !whole);
    this.#parts.rows.put(after, notices);
    this.#tell(after, [...groupNews(before, after), ...changes.flatMap(requestNews)], now);
  }

  /** Whether this number is among those who are removed. */
  #isOwnLeaving(change: GroupChange, members: readonly Participant[] = []): boolean {
    if (change.kind !== 'participants' || change.action !== 'remove') return false;
    const { phoneNumber } = this.#parts.device.known;
    const own = members.find((one) => one.phoneNumber === phoneNumber);
    return change.participants.some(
      (one) => one.phoneNumber === phoneNumber || (own !== undefined && isSamePerson(one, own)),
    );
  }

  #tell({ groupId, subject }: Group, news: readonly GroupNews[], at: number): void {
    if (news.length === 0) return;
    const revision = this.#state().revision + 1;
    this.#keep({ revision });
    const { numberId } = this.#parts.device.known;
    this.#parts.outbox.add([
      { kind: 'group.changed', numberId, revision, at, groupId, subject, news: [...news] },
    ]);
  }

  #state(): GroupsState {
    return { ...unknown, ...this.#parts.state.get<GroupsState>('groups') };
  }

  #keep(change: Partial<GroupsState>): void {
    this.#parts.state.put('groups', { ...this.#state(), ...change });
  }
}

function requestNews(change: GroupChange): GroupNews[] {
  if (change.kind !== 'join_request') return [];
  const { action, participants } = change;
  return [{ event: 'group.join_request', action, participants }];
}

/** Deletions that wait at most, the newest of them, and how long: phones offer an admin to take a message back for two days. */
const heldMax = 50;
const heldMs = 2 * 24 * 3600 * 1000;

interface Held {
  change: MessageChange;
  at: number;
}

/**
 * Deletions of what others wrote, in groups of which it is not known who their admins are: they count once that is known. They
 * outlive an eviction.
 */
export class HeldDeletions {
  readonly #state: NumberState;

  constructor(state: NumberState) {
    this.#state = state;
  }

  /** A repeat is held once. Call inside a transaction. */
  hold(change: MessageChange, now: number): void {
    const others = this.#all(now).filter((held) => !isSame(held.change, change));
    this.#state.put('heldDeletions', [...others, { change, at: now }].slice(-heldMax));
  }

  /** Those that wait, oldest first; none waits any more. Call inside a transaction. */
  takeAll(now: number): MessageChange[] {
    const held = this.#all(now);
    if (held.length > 0) this.#state.put('heldDeletions', []);
    return held.map(({ change }) => change);
  }

  #all(now: number): Held[] {
    return (this.#state.get<Held[]>('heldDeletions') ?? []).filter(({ at }) => at > now - heldMs);
  }
}

const isSame = (one: MessageChange, other: MessageChange): boolean =>
  one.chat === other.chat &&
  one.from === other.from &&
  one.target.providerMessageId === other.target.providerMessageId;
