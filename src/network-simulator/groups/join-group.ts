import type { Device, User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { stanza } from '../wire/stanza.ts';
import { changeMembers } from './group-changes.ts';
import { memberNode, notifyMembers } from './group-stanzas.ts';
import type { Group } from './groups.ts';

/** Somebody comes with the invite of a group: they are in, or wait for an admin. Undefined: the invite is over. */
export function joinByInvite(
  network: Network,
  user: User,
  invite: string,
  except?: Device,
): { group: Group; isIn: boolean } | undefined {
  const group = network.groups.get(network.groups.settings.groupOfInvite(invite) ?? '');
  if (!group) return undefined;
  const { settings } = network.groups;
  if (network.groups.isMember(group, user)) return { group, isIn: true };
  if (!settings.of(group.id).joinApproval) {
    changeMembers(network, group, user, 'add', [user], except);
    return { group, isIn: true };
  }
  settings.addRequest(group.id, user.id);
  tellAdmins(network, group, user, 'created_membership_requests', [user]);
  return { group, isIn: false };
}

/** An admin lets those in who wait, or turns them away. Answers those who were waiting. */
export function decideRequests(
  network: Network,
  group: Group,
  actor: User,
  action: 'approve' | 'reject',
  users: User[],
  except?: Device,
): User[] {
  const waiting = users.filter((user) => network.groups.settings.removeRequest(group.id, user.id));
  if (waiting.length === 0) return waiting;
  if (action === 'approve') changeMembers(network, group, actor, 'add', waiting, except);
  else tellAdmins(network, group, actor, 'revoked_membership_requests', waiting, except);
  return waiting;
}

function tellAdmins(
  network: Network,
  group: Group,
  actor: User,
  tag: string,
  users: User[],
  except?: Device,
): void {
  const admins = network.groups.members(group).flatMap(({ user, role }) => (role === null ? [] : user));
  const people = users.map((user) => memberNode(user));
  const change = stanza(tag, { request_method: 'invite_link' }, people);
  notifyMembers(network, group, actor, admins, change, except);
}
