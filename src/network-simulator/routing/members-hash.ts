import { generateParticipantHashV2 } from '@whiskeysockets/baileys';
import type { Device, User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { type Addressing, addressingOf, addressOf, isGroupAddress } from '../wire/addresses.ts';

/**
 * What an acknowledgement bears where the sender does not know all devices that a message is for: a hash over these. In a
 * group the message has reached them all the same, and whoever got no key for it asks; in a chat of two it has not.
 */
export function membersHash(network: Network, sender: Device, to: string): string | undefined {
  const devices = isGroupAddress(to) ? inGroup(network, sender, to) : inChat(network, sender, to);
  return devices && generateParticipantHashV2(devices);
}

function inGroup(network: Network, sender: Device, groupId: string): string[] | undefined {
  const group = network.groups.get(groupId);
  if (!group || !network.outdated.has(groupId, sender)) return undefined;
  return network.groups.members(group).flatMap(({ user }) => devicesOf(user, 'lid'));
}

/** The devices of the other side, and the sender's own other ones, which get a copy. */
function inChat(network: Network, sender: Device, to: string): string[] | undefined {
  const recipient = network.users.byAddress(to);
  const sides = [...new Set([recipient, sender.user])].filter((user) => user !== undefined);
  if (!sides.some((user) => network.listReaders.isOutdated(user, sender))) return undefined;
  const addressing = addressingOf(to);
  const own = addressOf(sender.user, addressing, sender.number);
  return sides.flatMap((user) => devicesOf(user, addressing)).filter((address) => address !== own);
}

function devicesOf(user: User, addressing: Addressing): string[] {
  return [0, ...user.devices.keys()].map((number) => addressOf(user, addressing, number));
}
