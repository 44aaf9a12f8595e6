import { generateParticipantHashV2 } from '@whiskeysockets/baileys';
import type { Device } from '../accounts/devices.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';

/**
 * What an acknowledgement bears where the sender does not know all who are in its group: a hash over the devices there.
 * The message has reached them all the same, and whoever got no key for it asks.
 */
export function membersHash(network: Network, sender: Device, groupId: string): string | undefined {
  if (!network.outdated.has(groupId, sender)) return undefined;
  const group = network.groups.get(groupId);
  if (!group) return undefined;
  const devices = network.groups
    .members(group)
    .flatMap(({ user }) => [0, ...user.devices.keys()].map((number) => addressOf(user, 'lid', number)));
  return generateParticipantHashV2(devices);
}
