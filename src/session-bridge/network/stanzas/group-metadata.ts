import type { GroupMetadata } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import { userDigits } from './jids.ts';

const groupsMax = 100;
const keptMs = 300_000;

/** Members of the groups a session writes to, so that not every send asks the network for them. */
export class GroupMetadataCache {
  readonly #byGroup = new LRUCache<string, GroupMetadata>({ max: groupsMax, ttl: keptMs });

  get(groupId: string): GroupMetadata | undefined {
    return this.#byGroup.get(groupId);
  }

  set(metadata: GroupMetadata): void {
    this.#byGroup.set(metadata.id, metadata);
  }

  /** The group changed: the next send asks again. */
  drop(groupId: string): void {
    this.#byGroup.delete(groupId);
  }
}

/** The phone number of a member whom a stanza names by alias alone. */
export function phoneNumberInGroup({ participants }: GroupMetadata, lid: string): string | null {
  const member = participants.find(
    ({ id, lid: alias }) => userDigits(alias ?? id) === lid || userDigits(id) === lid,
  );
  return userDigits(member?.phoneNumber);
}

/** Whether the group has this member, named by number or alias, as any of its devices. */
export function isInGroup({ participants }: GroupMetadata, member: string): boolean {
  const digits = userDigits(member);
  return participants.some(({ id, lid, phoneNumber }) =>
    [id, lid, phoneNumber].some((address) => userDigits(address) === digits),
  );
}
