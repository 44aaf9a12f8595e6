import type { BinaryNode, GroupMetadata, WASocket } from '@whiskeysockets/baileys';
import type { DeviceKeys } from '../keys/auth-state.ts';
import { GroupMetadataCache, isInGroup, phoneNumberInGroup } from '../stanzas/group-metadata.ts';
import { type OwnAccount, userDigits } from '../stanzas/jids.ts';

/** Who is in the groups that a session writes to, as far as the network told it lately. */
export class GroupMembers {
  readonly #sock: WASocket;
  readonly #deviceLists: DeviceKeys['deviceLists'];
  readonly #known = new GroupMetadataCache();

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
    this.#known.set(metadata);
    return metadata;
  }

  learn(metadata: GroupMetadata): void {
    this.#known.set(metadata);
  }

  /** The group changed: whoever wants its members asks again. */
  changed(groupId: string): void {
    this.#known.drop(groupId);
  }

  /** The network counts other devices in a chat than the client does: members and devices are asked for again. */
  outdated(chat: string, own: OwnAccount): void {
    const members = this.#known.get(chat)?.participants.map(({ id }) => userDigits(id)) ?? [userDigits(chat)];
    // Devices of the own account get a copy, of what is sent to one person too.
    for (const user of [...members, own.phoneNumber, own.lid]) if (user) this.#deviceLists.del(user);
    this.#known.drop(chat);
  }

  /** Somebody in a group asks for a message who is not known to be in it: what is sent once more has to reach them. */
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
