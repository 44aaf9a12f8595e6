import type { BinaryNode, GroupMetadata, WASocket } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import type { DeviceKeys } from '../keys/auth-state.ts';
import { type OwnAccount, userDigits } from '../stanzas/jids.ts';

const groupsMax = 100;
const keptMs = 300_000;

/** The phone number of a member whom a stanza names by alias alone. */
function phoneNumberInGroup({ participants }: GroupMetadata, lid: string): string | null {
  const member = participants.find(
    ({ id, lid: alias }) => userDigits(alias ?? id) === lid || userDigits(id) === lid,
  );
  return userDigits(member?.phoneNumber);
}

/** Whether the group has this member, named by number or alias, as any of its devices. */
function isInGroup({ participants }: GroupMetadata, member: string): boolean {
  const digits = userDigits(member);
  return participants.some(({ id, lid, phoneNumber }) =>
    [id, lid, phoneNumber].some((address) => userDigits(address) === digits),
  );
}

/** The members of the groups that a session writes to, as the network reported them lately. */
export class GroupMembers {
  readonly #sock: WASocket;
  readonly #deviceLists: DeviceKeys['deviceLists'];
  readonly #known = new LRUCache<string, GroupMetadata>({ max: groupsMax, ttl: keptMs });

  constructor(sock: WASocket, { deviceLists }: DeviceKeys) {
    this.#sock = sock;
    this.#deviceLists = deviceLists;
  }

  /** Without a question to the network. */
  known(groupId: string): GroupMetadata | undefined {
    return this.#known.get(groupId);
  }

  async of(groupId: string): Promise<GroupMetadata> {
    const known = this.#known.get(groupId);
    if (known) return known;
    const metadata = await this.#sock.groupMetadata(groupId);
    this.learn(metadata);
    return metadata;
  }

  learn(metadata: GroupMetadata): void {
    this.#known.set(metadata.id, metadata);
  }

  /** The group changed: its members have to be queried again. */
  changed(groupId: string): void {
    this.#known.delete(groupId);
  }

  /** The network counts other devices in a chat than the client does: members and devices are asked for again. */
  outdated(chat: string, own: OwnAccount): void {
    const members = this.#known.get(chat)?.participants.map(({ id }) => userDigits(id)) ?? [userDigits(chat)];
    // Devices of the own account get a copy, of what is sent to one person too.
    for (const user of [...members, own.phoneNumber, own.lid]) if (user) this.#deviceLists.del(user);
    this.#known.delete(chat);
  }

  /** An unknown member of a group requests a message again. They have to be known, so that the repeat reaches them. */
  noteAsker({ attrs: { type, from = '', participant = '' } }: BinaryNode, own: OwnAccount): void {
    const group = type === 'retry' ? this.#known.get(from) : undefined;
    if (group && !isInGroup(group, participant)) this.outdated(from, own);
  }

  /** The phone number of a member (both digits); the network is asked where the group is not known. */
  async phoneNumberOf(lid: string, groupId: string): Promise<string | null> {
    return phoneNumberInGroup(await this.of(groupId), lid);
  }

  /** The same, without a question. */
  knownNumberOf(lid: string, groupId: string): string | null {
    const group = this.#known.get(groupId);
    return group ? phoneNumberInGroup(group, lid) : null;
  }
}
