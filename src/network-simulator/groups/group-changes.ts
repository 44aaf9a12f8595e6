import type { Device, User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { stanza } from '../wire/stanza.ts';
import { groupNode, memberNode, notifyMembers } from './group-stanzas.ts';
import type { Group } from './groups.ts';

export const memberChanges = ['add', 'remove', 'promote', 'demote'] as const;
type MemberChange = (typeof memberChanges)[number];

/** Makes a group, and tells every device in it but the one that asked. */
export function createGroup(
  network: Network,
  creator: User,
  subject: string,
  members: User[],
  options: { autoJoin?: boolean; except?: Device } = {},
): Group {
  const group = network.groups.create(creator, subject, members, options.autoJoin);
  const everyone = network.groups.members(group).map(({ user }) => user);
  const created = stanza('create', { type: 'new' }, [groupNode(network, group)]);
  notifyMembers(network, group, creator, everyone, created, options.except);
  return group;
}

/**
 * Adds, removes, promotes or demotes. Everybody who was in the group learns it; who comes in gets the whole group, and who
 * is in it already is not added again. `isQuiet`: nobody is told, as where a notice gets lost. Answers whom it changed.
 */
export function changeMembers(
  network: Network,
  group: Group,
  actor: User,
  change: MemberChange,
  asked: User[],
  except?: Device,
  isQuiet = false,
): User[] {
  const before = network.groups.members(group).map(({ user }) => user);
  const users = change === 'add' ? asked.filter((user) => !before.includes(user)) : asked;
  if (users.length === 0) return users;
  for (const user of users) {
    if (change === 'remove') network.groups.removeMember(group, user);
    else network.groups.setMember(group, user, change === 'promote' ? 'admin' : null);
  }
  if (isQuiet) {
    for (const { devices } of before)
      for (const device of devices.values()) network.outdated.add(group, device);
    return users;
  }
  if (change === 'add') {
    const create = stanza('create', { type: 'add' }, [groupNode(network, group)]);
    notifyMembers(network, group, actor, users, create);
  }
  const participants = users.map((user) => memberNode(user));
  notifyMembers(network, group, actor, before, stanza(change, {}, participants), except);
  return users;
}

export function changeSubject(
  network: Network,
  group: Group,
  actor: User,
  subject: string,
  except?: Device,
): void {
  network.groups.rename(group, subject);
  const members = network.groups.members(group).map(({ user }) => user);
  notifyMembers(network, group, actor, members, stanza('subject', { subject }), except);
}
