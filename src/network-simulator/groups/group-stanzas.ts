import type { Device, User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { notification, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import type { GroupSettings } from './group-settings.ts';
import type { Group } from './groups.ts';

/** A group as the network describes it: members by alias, with their numbers. */
export function groupNode(network: Network, group: Group): Stanza {
  const created = String(group.createdAtSeconds);
  const members = network.groups.members(group);
  return stanza(
    'group',
    {
      id: group.id.split('@')[0],
      subject: group.subject,
      s_t: created,
      s_o: addressOf(group.creator, 'lid'),
      s_o_pn: addressOf(group.creator, 'pn'),
      creation: created,
      creator: addressOf(group.creator, 'lid'),
      creator_pn: addressOf(group.creator, 'pn'),
      addressing_mode: 'lid',
      size: String(members.length),
    },
    [
      ...settingNodes(network.groups.settings.of(group.id)),
      ...members.map(({ user, role }) =>
        memberNode(user, {
          ...(user.script.hidesNumber && { phone_number: undefined }),
          type: role ?? undefined,
        }),
      ),
    ],
  );
}

/** Somebody in a group, or at its door: by alias, with the number. */
export const memberNode = (
  user: User,
  more: Record<string, string | undefined> = {},
  tag = 'participant',
): Stanza => stanza(tag, { jid: addressOf(user, 'lid'), phone_number: addressOf(user, 'pn'), ...more });

function settingNodes(settings: GroupSettings): Stanza[] {
  const { description, descriptionId, isAnnounce, isLocked, joinApproval } = settings;
  return [
    ...(description === null
      ? []
      : [
          stanza('description', { id: descriptionId ?? undefined, t: nowSeconds() }, [
            stanza('body', {}, Buffer.from(description)),
          ]),
        ]),
    ...(isAnnounce ? [stanza('announcement')] : []),
    ...(isLocked ? [stanza('locked')] : []),
    ...(joinApproval
      ? [stanza('membership_approval_mode', {}, [stanza('group_join', { state: 'on' })])]
      : []),
  ];
}

/** Tells the devices of some users what `actor` did in a group; `except` is the device that did it. */
export function notifyMembers(
  network: Network,
  group: Group,
  actor: User,
  users: Iterable<User>,
  change: Stanza,
  except?: Device,
): void {
  for (const user of users) {
    for (const device of user.devices.values()) {
      if (device === except) continue;
      const by = {
        participant: addressOf(actor, 'lid'),
        participant_pn: addressOf(actor, 'pn'),
        notify: actor.name,
      };
      network.queue.put(device, notification(group.id, 'w:gp2', [change], by));
    }
  }
}
