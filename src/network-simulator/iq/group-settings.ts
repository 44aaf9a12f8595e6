import { notifyMembers } from '../groups/group-stanzas.ts';
import type { Group } from '../groups/groups.ts';
import { decideRequests } from '../groups/join-group.ts';
import { addressOf } from '../wire/addresses.ts';
import {
  bytesOf,
  childNamed,
  childrenNamed,
  childrenOf,
  nowSeconds,
  type Stanza,
  stanza,
} from '../wire/stanza.ts';
import type { Answer, Query } from './query.ts';

const flags: Record<string, { isAnnounce: boolean } | { isLocked: boolean }> = {
  announcement: { isAnnounce: true },
  not_announcement: { isAnnounce: false },
  locked: { isLocked: true },
  unlocked: { isLocked: false },
};

/** What an admin sets of a group, its invite, and who waits to be let in; undefined: asks for something else. */
export function answerAdmin({ network, device, iq }: Query, group: Group, asked: Stanza): Answer | undefined {
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
        stanza('membership_approval_request', {
          jid: addressOf(user, 'lid'),
          phone_number: addressOf(user, 'pn'),
          request_time: nowSeconds(),
        }),
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
