import type { NumberDownFrame } from '../../../src/contract/bridge/bridge-frames.ts';
import type { NetworkQuery, PersonOutcome } from '../../../src/contract/bridge/network-queries.ts';
import type { Group } from '../../../src/contract/numbers/group.ts';
import type { FakeBridge } from './fake-bridge.ts';

type QueryFrame = Extract<NumberDownFrame, { type: 'query' }>;

/** A group with these members, of whom the first owns it. */
export function groupOf(groupId: string, phoneNumbers: readonly string[], more: Partial<Group> = {}): Group {
  const [owner] = phoneNumbers;
  return {
    groupId,
    subject: 'Rollout',
    description: null,
    owner: owner === undefined ? null : { phoneNumber: owner },
    createdAt: '2026-01-31T08:10:00.000Z',
    isAnnounce: false,
    isLocked: false,
    joinApproval: false,
    participants: phoneNumbers.map((phoneNumber, index) => ({
      phoneNumber,
      role: index === 0 ? 'owner' : 'member',
    })),
    ...more,
  };
}

/** A small network behind a fake bridge: it has groups, knows everybody, and answers every question. */
export class FakeNetwork {
  readonly asked: NetworkQuery[] = [];
  /** The digits by which it knows people, where others are looked up for them. */
  readonly addresses = new Map<string, string>();
  readonly #bridge: FakeBridge;
  readonly #own: string;
  readonly #groups = new Map<string, Group>();
  readonly #profile = { name: 'Example', about: null as string | null, pictureUrl: null as string | null };

  constructor(bridge: FakeBridge, own: string, groups: readonly Group[] = []) {
    this.#bridge = bridge;
    this.#own = own;
    for (const group of groups) this.#groups.set(group.groupId, group);
    bridge.onQuery = (frame) => void this.#answer(frame);
  }

  async #answer({ queryId, query }: QueryFrame): Promise<void> {
    this.asked.push(query);
    if (query.verb === 'groups.sync') await this.#tellGroups();
    const answer = this.#answerTo(query);
    if (answer) this.#bridge.say({ type: 'query.result', queryId, answer: { ...answer } });
    else {
      const failure = { reason: 'refused', code: '404' } as const;
      this.#bridge.say({ type: 'query.failed', queryId, verb: query.verb, failure });
    }
  }

  async #tellGroups(): Promise<void> {
    const groups = [...this.#groups.values()];
    if (groups.length > 0) await this.#bridge.tell({ type: 'groups.state', groups });
    const groupIds = groups.map(({ groupId }) => groupId);
    await this.#bridge.tell({ type: 'groups.synced', groupIds, at: new Date().toISOString() });
  }

  #answerTo(query: NetworkQuery): object | null {
    switch (query.verb) {
      case 'contacts.check':
        return {
          contacts: query.phoneNumbers.map((phoneNumber) => {
            const address = this.addresses.get(phoneNumber);
            return { phoneNumber, onNetwork: true, ...(address !== undefined && { address }) };
          }),
        };
      case 'contacts.picture':
        return { url: 'https://pps.whatsapp.net/picture.jpg' };
      case 'contacts.blocked':
        return { contacts: [{ phoneNumber: '628123456789' }] };
      case 'profile.get':
        return this.#profile;
      case 'groups.create': {
        const { subject, participants } = query;
        const group = groupOf(`12036300000000${Date.now()}@g.us`.slice(-23), [this.#own, ...participants], {
          subject,
        });
        this.#groups.set(group.groupId, group);
        return { group, outcomes: ok(participants) };
      }
      case 'groups.change': {
        const { verb: _, groupId, description, ...settings } = query;
        return this.#changed(groupId, (group) => ({
          ...group,
          ...(Object.fromEntries(
            Object.entries(settings).filter(([, value]) => value !== undefined),
          ) as Partial<Group>),
          ...(description !== undefined && { description: description || null }),
        }));
      }
      case 'groups.participants':
        return this.#moved(query.groupId, query.participants, query.action === 'remove');
      case 'groups.decide':
        return this.#moved(query.groupId, query.participants, query.action === 'reject');
      case 'groups.invite':
        return { invite: query.renew ? 'AnotherInvite0' : 'TheFirstInvite' };
      case 'groups.join': {
        const [group] = this.#groups.values();
        return group ? { groupId: group.groupId, group } : null;
      }
      case 'groups.requests':
        return { participants: [{ phoneNumber: '628222333444', lid: '100000000000018' }] };
      default:
        return {};
    }
  }

  #changed(groupId: string, change: (group: Group) => Group): { group: Group } | null {
    const group = this.#groups.get(groupId);
    if (!group) return null;
    const changed = change(group);
    this.#groups.set(groupId, changed);
    return { group: changed };
  }

  #moved(groupId: string, phoneNumbers: string[], out: boolean): object | null {
    const changed = this.#changed(groupId, (group) => {
      const others = group.participants.filter(
        ({ phoneNumber }) => !phoneNumbers.includes(phoneNumber ?? ''),
      );
      const moved = phoneNumbers.map((phoneNumber) => ({ phoneNumber, role: 'member' as const }));
      return { ...group, participants: out ? others : [...others, ...moved] };
    });
    return changed && { ...changed, outcomes: ok(phoneNumbers) };
  }
}

const ok = (phoneNumbers: readonly string[]): PersonOutcome[] =>
  phoneNumbers.map((phoneNumber) => ({ phoneNumber, ok: true }));
