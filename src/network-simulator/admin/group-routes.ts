import { changeMembers, changeSubject, createGroup } from '../groups/group-changes.ts';
import type { GroupSettings } from '../groups/group-settings.ts';
import type { Group } from '../groups/groups.ts';
import { decideRequests, joinByInvite } from '../groups/join-group.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { namedPhone } from './named-user.ts';
import { groupChange, joinByCode, newGroup, requestDecision } from './request-schemas.ts';
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
      const {
        subject,
        add,
        remove,
        joinApproval,
        isQuiet,
        rejectWith,
        rejections = Infinity,
      } = groupChange.parse(json());
      const group = network.groups.get(path.id ?? '');
      if (!group) throw new Refusal(404, 'There is no such group.');
      const users = (phones: string[]) => phones.map((phone) => network.users.ensure(phone));
      const { settings } = network.groups;
      if (rejectWith) network.groups.refusals.set(group.id, { code: rejectWith, times: rejections });
      else if (rejectWith === null) network.groups.refusals.delete(group.id);
      if (joinApproval !== undefined) settings.change(group.id, { joinApproval });
      if (subject !== undefined) changeSubject(network, group, group.creator, subject);
      const change = (how: 'add' | 'remove', phones: string[] = []) => {
        if (phones.length === 0) return;
        changeMembers(network, group, group.creator, how, users(phones), undefined, isQuiet);
      };
      change('add', add);
      change('remove', remove);
      return { body: describeGroup(network, group) };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/join',
    answer({ network, path, json }) {
      const { invite } = joinByCode.parse(json());
      const joined = joinByInvite(network, namedPhone(network, path.phone), invite);
      if (!joined) throw new Refusal(404, 'There is no such invite.');
      return { body: { id: joined.group.id, isIn: joined.isIn } };
    },
  },
  {
    method: 'POST',
    path: '/admin/groups/:id/requests',
    answer({ network, path, json }) {
      const { action, phones } = requestDecision.parse(json());
      const group = network.groups.get(path.id ?? '');
      if (!group) throw new Refusal(404, 'There is no such group.');
      const users = phones.map((phone) => network.users.ensure(phone));
      decideRequests(network, group, group.creator, action, users);
      return { body: describeGroup(network, group) };
    },
  },
];

function describeGroup(network: Network, group: Group) {
  return {
    id: group.id,
    subject: group.subject,
    ...shownSettings(network.groups.settings.of(group.id)),
    members: network.groups.members(group).map(({ user }) => user.phone),
  };
}

/** The id of a description is between clients and the network. */
function shownSettings({ descriptionId: _, ...settings }: GroupSettings) {
  return settings;
}
