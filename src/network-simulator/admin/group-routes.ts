import { changeMembers, changeSubject, createGroup } from '../groups/group-changes.ts';
import type { Group } from '../groups/groups.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { groupChange, newGroup } from './request-schemas.ts';
import type { AdminRoute } from './route.ts';

export const groupRoutes: AdminRoute[] = [
  {
    method: 'GET',
    path: '/admin/groups',
    answer: ({ network }) => ({
      body: { data: network.groups.all().map((group) => describeGroup(network, group)) },
    }),
  },
  {
    method: 'POST',
    path: '/admin/groups',
    answer({ network, json }) {
      const { subject, members, autoJoin } = newGroup.parse(json());
      const [creator, ...others] = members.map((phone) => network.users.ensure(phone));
      if (!creator) throw new Refusal(400, 'A group needs a member.');
      const group = createGroup(network, creator, subject, others, { autoJoin });
      return { status: 201, body: describeGroup(network, group) };
    },
  },
  {
    method: 'PATCH',
    path: '/admin/groups/:id',
    answer({ network, path, json }) {
      const { subject, add, remove } = groupChange.parse(json());
      const group = network.groups.get(path.id ?? '');
      if (!group) throw new Refusal(404, 'There is no such group.');
      const users = (phones: string[]) => phones.map((phone) => network.users.ensure(phone));
      if (subject !== undefined) changeSubject(network, group, group.creator, subject);
      if (add?.length) changeMembers(network, group, group.creator, 'add', users(add));
      if (remove?.length) changeMembers(network, group, group.creator, 'remove', users(remove));
      return { body: describeGroup(network, group) };
    },
  },
];

function describeGroup(network: Network, group: Group) {
  return {
    id: group.id,
    subject: group.subject,
    members: network.groups.members(group).map(({ user }) => user.phone),
  };
}
