import { changeMembers, changeSubject, createGroup, memberChanges } from '../groups/group-changes.ts';
import { groupNode, memberNode, notifyMembers } from '../groups/group-stanzas.ts';
import type { Group } from '../groups/groups.ts';
import { decideRequests, joinByInvite } from '../groups/join-group.ts';
import {
  bytesOf,
  childNamed,
  childrenNamed,
  childrenOf,
  nowSeconds,
  type Stanza,
  stanza,
} from '../wire/stanza.ts';
import { type Answer, notFound, type Query } from './query.ts';

const gone: Answer = { error: { code: '410', text: 'gone' } };
const forbidden: Answer = { error: { code: '403', text: 'forbidden' } };

/** `w:g2`: groups are made, asked for and changed. */
export function answerGroups(query: Query): Answer {
  const { network, device, iq, asked } = query;
  switch (asked?.tag) {
    case 'create':
      return create(query, asked);
    case 'participating': {
      const all = network.groups.of(device.user);
      for (const group of all) network.outdated.told(group, device);
      const groups = all.map((group) => groupNode(network, group));
      return { content: [stanza('groups', {}, groups)] };
    }
    case 'leave':
      for (const { attrs } of childrenNamed(asked, 'group')) {
        const left = network.groups.get(attrs.id ?? '');
        if (left) changeMembers(network, left, device.user, 'remove', [device.user], device);
      }
      return {};
    case 'invite':
      if (asked.attrs.code !== undefined) return useInvite(query, asked.attrs.code);
  }
  const group = network.groups.get(iq.attrs.to ?? '');
  if (!group) return notFound;
  if (!network.groups.isMember(group, device.user)) return forbidden;
  return asked ? answerMember(query, group, asked) : {};
}

/** Whoever has an invite sees the group, or comes in. */
function useInvite({ network, device, iq }: Query, code: string): Answer {
  const group = network.groups.get(network.groups.settings.groupOfInvite(code) ?? '');
  if (!group) return gone;
  if (iq.attrs.type === 'get') return { content: [groupNode(network, group)] };
  const joined = joinByInvite(network, device.user, code, device);
  return joined?.isIn
    ? { content: [stanza('group', { jid: group.id })] }
    : { content: [stanza('membership_approval_request', { jid: group.id })] };
}

function create({ network, device }: Query, asked: Stanza): Answer {
  const members = childrenNamed(asked, 'participant').flatMap(
    ({ attrs }) => network.users.byAddress(attrs.jid) ?? [],
  );
  const subject = asked.attrs.subject ?? '';
  const group = createGroup(network, device.user, subject, members, { except: device });
  return { content: [groupNode(network, group)] };
}

function answerMember(query: Query, group: Group, asked: Stanza): Answer {
  const { network, device } = query;
  if (asked.tag === 'query') {
    network.outdated.told(group, device);
    return { content: [groupNode(network, group)] };
  }
  const isAdmin = network.groups.roleOf(group, device.user) !== null;
  if (isAdmin) {
    const answer = answerAdmin(query, group, asked);
    if (answer) return answer;
  }
  if (asked.tag === 'subject') {
    if (!isAdmin && network.groups.settings.of(group.id).isLocked) return forbidden;
    changeSubject(network, group, device.user, bytesOf(asked).toString(), device);
    return {};
  }
  const change = memberChanges.find((one) => one === asked.tag);
  if (!isAdmin) return forbidden;
  if (!change) return {};
  const outcome = childrenNamed(asked, 'participant').map(({ attrs }) => ({
    jid: attrs.jid,
    user: network.users.byAddress(attrs.jid),
  }));
  const found = outcome.flatMap(({ user }) => user ?? []);
  const changed = changeMembers(network, group, device.user, change, found, device);
  const participants = outcome.map(({ jid, user }) =>
    user
      ? // In the group already.
        memberNode(user, { error: changed.includes(user) ? undefined : '409' })
      : stanza('participant', { jid, error: '404' }),
  );
  return { content: [stanza(change, {}, participants)] };
}

const flags: Record<string, { isAnnounce: boolean } | { isLocked: boolean }> = {
  announcement: { isAnnounce: true },
  not_announcement: { isAnnounce: false },
  locked: { isLocked: true },
  unlocked: { isLocked: false },
};

/** What an admin sets of a group, its invite, and who waits to be let in; undefined: asks for something else. */
function answerAdmin({ network, device, iq }: Query, group: Group, asked: Stanza): Answer | undefined {
  const { settings } = network.groups;
  const tell = (change: Stanza) => {
    const members = network.groups.members(group).map(({ user }) => user);
    notifyMembers(network, group, device.user, members, change, device);
  };
  const flag = flags[asked.tag];
  if (flag) {
    settings.change(group.id, flag);
    tell(stanza(asked.tag));
    return {};
  }
  switch (asked.tag) {
    case 'description': {
      const body = childNamed(asked, 'body');
      const description = body ? bytesOf(body).toString() : null;
      settings.change(group.id, { description, descriptionId: asked.attrs.id ?? null });
      tell(stanza('description', { id: asked.attrs.id, t: nowSeconds() }, body ? [body] : undefined));
      return {};
    }
    case 'membership_approval_mode': {
      const state = childNamed(asked, 'group_join')?.attrs.state ?? 'off';
      settings.change(group.id, { joinApproval: state === 'on' });
      tell(stanza(asked.tag, {}, [stanza('group_join', { state })]));
      return {};
    }
    case 'invite': {
      const isSet = iq.attrs.type === 'set';
      const code = isSet ? settings.renewInvite(group.id) : settings.of(group.id).invite;
      return { content: [stanza('invite', { code })] };
    }
    case 'membership_approval_requests': {
      const waiting = settings.requests(group.id).flatMap((id) => network.users.byId(id) ?? []);
      const requests = waiting.map((user) =>
        memberNode(user, { request_time: nowSeconds() }, 'membership_approval_request'),
      );
      return { content: [stanza('membership_approval_requests', {}, requests)] };
    }
    case 'membership_requests_action':
      return { content: childrenOf(asked).map((action) => decide({ network, device }, group, action)) };
    default:
      return undefined;
  }
}

function decide({ network, device }: Pick<Query, 'network' | 'device'>, group: Group, asked: Stanza): Stanza {
  const action = asked.tag === 'approve' ? 'approve' : 'reject';
  const named = childrenNamed(asked, 'participant').map(({ attrs }) => attrs.jid);
  const users = named.flatMap((jid) => network.users.byAddress(jid) ?? []);
  const decided = decideRequests(network, group, device.user, action, users, device);
  const outcome = named.map((jid) => {
    const user = network.users.byAddress(jid);
    return stanza('participant', { jid, error: user && decided.includes(user) ? undefined : '404' });
  });
  return stanza('membership_requests_action', {}, [stanza(action, {}, outcome)]);
}
