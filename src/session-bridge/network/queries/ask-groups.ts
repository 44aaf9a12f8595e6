import type { GroupMetadata, WASocket } from '@whiskeysockets/baileys';
import type { PersonOutcome, QueryAnswer, QueryOf } from '../../../contract/bridge/network-queries.ts';
import type { Group } from '../../../contract/numbers/group.ts';
import { QueryError } from '../connection/connection.ts';
import { contractGroup, contractPerson, memberAddress } from '../stanzas/groups.ts';
import { phoneAddress, userDigits } from '../stanzas/jids.ts';

const accepted = '200';

/** Groups are made, asked for and changed. After each change the group comes along as it is then. */
export class AskGroups {
  readonly #sock: WASocket;
  readonly #onRead: (metadata: GroupMetadata) => void;

  /** `onRead`: a group as it is now. */
  constructor(sock: WASocket, onRead: (metadata: GroupMetadata) => void) {
    this.#sock = sock;
    this.#onRead = onRead;
  }

  async all(): Promise<Group[]> {
    return Object.values(await this.#sock.groupFetchAllParticipating()).map(contractGroup);
  }

  async create({ subject, participants }: QueryOf<'groups.create'>): Promise<QueryAnswer<'groups.create'>> {
    const { id } = await this.#sock.groupCreate(subject, participants.map(phoneAddress));
    // The network's answer also names those whom it did not let in.
    const metadata = await this.#read(id);
    const outcomes = participants.map((phoneNumber): PersonOutcome => {
      return { phoneNumber, ok: memberAddress(metadata, phoneNumber) !== null };
    });
    return { group: contractGroup(metadata), outcomes };
  }

  async change({ groupId, ...wanted }: QueryOf<'groups.change'>): Promise<QueryAnswer<'groups.change'>> {
    const { subject, description, isAnnounce, isLocked, joinApproval } = wanted;
    const sock = this.#sock;
    // What only an admin may change comes first: where the network refuses that, nothing has changed.
    if (isAnnounce !== undefined) {
      await sock.groupSettingUpdate(groupId, isAnnounce ? 'announcement' : 'not_announcement');
    }
    if (isLocked !== undefined) await sock.groupSettingUpdate(groupId, isLocked ? 'locked' : 'unlocked');
    if (joinApproval !== undefined) await sock.groupJoinApprovalMode(groupId, joinApproval ? 'on' : 'off');
    if (description !== undefined) await sock.groupUpdateDescription(groupId, description || undefined);
    if (subject !== undefined) await sock.groupUpdateSubject(groupId, subject);
    return { group: contractGroup(await this.#read(groupId)) };
  }

  async leave({ groupId }: QueryOf<'groups.leave'>): Promise<QueryAnswer<'groups.leave'>> {
    await this.#sock.groupLeave(groupId);
    return {};
  }

  async participants(query: QueryOf<'groups.participants'>): Promise<QueryAnswer<'groups.participants'>> {
    const { groupId, action, participants } = query;
    // Who is in a group is known there by one address alone; who comes in, by phone number.
    const members = action === 'add' ? null : await this.#read(groupId);
    const asked = participants.map((phoneNumber) => {
      const address = members ? memberAddress(members, phoneNumber) : phoneAddress(phoneNumber);
      return { phoneNumber, address };
    });
    const addresses = asked.flatMap(({ address }) => address ?? []);
    const results =
      addresses.length > 0 ? await this.#sock.groupParticipantsUpdate(groupId, addresses, action) : [];
    const outcomes = asked.map(({ phoneNumber, address }): PersonOutcome => {
      if (address === null) return { phoneNumber, ok: false, code: '404' };
      const isAbout = (jid: string | undefined) => jid === address || userDigits(jid) === phoneNumber;
      const index = addresses.indexOf(address);
      const result =
        results.find(({ jid, content }) => isAbout(jid) || isAbout(content.attrs.phone_number)) ??
        results[index];
      return outcomeOf(phoneNumber, result?.status);
    });
    return { group: contractGroup(await this.#read(groupId)), outcomes };
  }

  async invite({ groupId, renew }: QueryOf<'groups.invite'>): Promise<QueryAnswer<'groups.invite'>> {
    const sock = this.#sock;
    const invite = renew ? await sock.groupRevokeInvite(groupId) : await sock.groupInviteCode(groupId);
    if (!invite) throw new QueryError({ reason: 'refused', code: '404' });
    return { invite };
  }

  async join({ invite }: QueryOf<'groups.join'>): Promise<QueryAnswer<'groups.join'>> {
    const { id } = await this.#sock.groupGetInviteInfo(invite);
    const joined = await this.#sock.groupAcceptInvite(invite);
    return { groupId: id, group: joined ? contractGroup(await this.#read(id)) : null };
  }

  async requests({ groupId }: QueryOf<'groups.requests'>): Promise<QueryAnswer<'groups.requests'>> {
    const requests = await this.#sock.groupRequestParticipantsList(groupId);
    return {
      participants: requests.flatMap(({ jid, phone_number }) => contractPerson(jid, phone_number) ?? []),
    };
  }

  async decide(query: QueryOf<'groups.decide'>): Promise<QueryAnswer<'groups.decide'>> {
    const { groupId, action, participants } = query;
    const waiting = await this.#sock.groupRequestParticipantsList(groupId);
    const asked = participants.map((phoneNumber) => ({
      phoneNumber,
      address: waiting.find(
        ({ jid, phone_number }) =>
          userDigits(phone_number) === phoneNumber || userDigits(jid) === phoneNumber,
      )?.jid,
    }));
    const addresses = asked.flatMap(({ address }) => address ?? []);
    const results =
      addresses.length > 0 ? await this.#sock.groupRequestParticipantsUpdate(groupId, addresses, action) : [];
    const outcomes = asked.map(({ phoneNumber, address }): PersonOutcome => {
      if (address === undefined) return { phoneNumber, ok: false, code: '404' };
      const result = results.find(({ jid }) => jid === address) ?? results[addresses.indexOf(address)];
      return outcomeOf(phoneNumber, result?.status);
    });
    return { group: contractGroup(await this.#read(groupId)), outcomes };
  }

  async #read(groupId: string): Promise<GroupMetadata> {
    const metadata = await this.#sock.groupMetadata(groupId);
    this.#onRead(metadata);
    return metadata;
  }
}

function outcomeOf(phoneNumber: string, status: string | undefined): PersonOutcome {
  if (status === accepted) return { phoneNumber, ok: true };
  return { phoneNumber, ok: false, ...(status && { code: status }) };
}
