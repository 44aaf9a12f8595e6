import {
  type BinaryNode,
  type GroupMetadata,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  getBinaryNodeChildString,
} from '@whiskeysockets/baileys';
import { extractGroupMetadata } from '@whiskeysockets/baileys/lib/Socket/groups.js';
import { phoneNumberSchema } from '../../../contract/ids.ts';
import type { Group, GroupChange, GroupRole, Person } from '../../../contract/numbers/group.ts';
import type { GroupNotice } from '../connection/connection.ts';
import { personOf, stanzaTime, userDigits } from './jids.ts';

/** A person as the contract has one; null where neither form can be one. */
export function contractPerson(jid: string | undefined, otherForm?: string): Person | null {
  if (!jid) return null;
  const { phoneNumber, lid } = personOf(jid, otherForm);
  const isPhoneNumber = phoneNumberSchema.safeParse(phoneNumber).success;
  if (!(phoneNumber && isPhoneNumber) && !lid) return null;
  return { ...(phoneNumber && isPhoneNumber && { phoneNumber }), ...(lid && { lid }) };
}

const roles: Record<string, GroupRole> = { admin: 'admin', superadmin: 'owner' };

/** A group as the contract has it. */
export function contractGroup(metadata: GroupMetadata): Group {
  const { id, subject, desc, owner, ownerPn, creation, announce, restrict, joinApprovalMode } = metadata;
  return {
    groupId: id,
    subject: subject ?? '',
    description: desc ?? null,
    owner: contractPerson(owner, ownerPn),
    createdAt: creation ? new Date(creation * 1000).toISOString() : null,
    isAnnounce: Boolean(announce),
    isLocked: Boolean(restrict),
    joinApproval: Boolean(joinApprovalMode),
    participants: metadata.participants.flatMap(({ id: jid, phoneNumber, lid, admin }) => {
      const person = contractPerson(jid, phoneNumber ?? lid);
      return person ? [{ ...person, role: roles[admin ?? ''] ?? 'member' }] : [];
    }),
  };
}

/** Reads a notification about a group; null when it tells nothing that is kept. */
export function readGroupNotice(node: BinaryNode): GroupNotice | null {
  const { id, from } = node.attrs;
  if (!id || !from || !Array.isArray(node.content)) return null;
  const changes = node.content.flatMap((child) => changeOf(node, child) ?? []);
  return changes.length === 0 ? null : { noticeId: id, groupId: from, at: stanzaTime(node), changes };
}

function changeOf(node: BinaryNode, child: BinaryNode): GroupChange | null {
  switch (child.tag) {
    case 'create':
      return getBinaryNodeChild(child, 'group')?.attrs.id
        ? { kind: 'group', group: contractGroup(extractGroupMetadata(child)) }
        : null;
    case 'add':
    case 'remove':
    case 'promote':
    case 'demote':
      return participantChange(child, child.tag);
    case 'leave':
      return participantChange(child, 'remove');
    case 'subject':
      return { kind: 'settings', settings: { subject: child.attrs.subject ?? '' } };
    case 'description':
      return { kind: 'settings', settings: { description: getBinaryNodeChildString(child, 'body') ?? null } };
    case 'announcement':
    case 'not_announcement':
      return { kind: 'settings', settings: { isAnnounce: child.tag === 'announcement' } };
    case 'locked':
    case 'unlocked':
      return { kind: 'settings', settings: { isLocked: child.tag === 'locked' } };
    case 'membership_approval_mode': {
      const state = getBinaryNodeChild(child, 'group_join')?.attrs.state;
      return state ? { kind: 'settings', settings: { joinApproval: state === 'on' } } : null;
    }
    case 'created_membership_requests':
    case 'revoked_membership_requests':
      return joinRequest(node, child);
    default:
      return null;
  }
}

function participantChange(
  child: BinaryNode,
  action: 'add' | 'remove' | 'promote' | 'demote',
): GroupChange | null {
  const people = peopleIn(child);
  return people.length === 0 ? null : { kind: 'participants', action, participants: people };
}

/** A person who withdraws their own request has revoked it. Requests of others are decided by an admin. */
function joinRequest({ attrs }: BinaryNode, child: BinaryNode): GroupChange | null {
  const actor = contractPerson(attrs.participant, attrs.participant_pn);
  const named = peopleIn(child);
  const people = named.length > 0 ? named : actor ? [actor] : [];
  if (people.length === 0) return null;
  const isOwn = people.every((person) => isSame(person, actor));
  const ended = isOwn ? 'revoked' : 'rejected';
  const action = child.tag === 'created_membership_requests' ? 'created' : ended;
  return { kind: 'join_request', action, participants: people };
}

function peopleIn(child: BinaryNode): Person[] {
  return getBinaryNodeChildren(child, 'participant').flatMap(
    ({ attrs }) => contractPerson(attrs.jid, attrs.phone_number ?? attrs.lid) ?? [],
  );
}

function isSame(one: Person, other: Person | null): boolean {
  return (
    (one.lid !== undefined && one.lid === other?.lid) ||
    (one.phoneNumber !== undefined && one.phoneNumber === other?.phoneNumber)
  );
}

/** The address under which a group knows one of its members by phone number; null where it has no such member. */
export function memberAddress({ participants }: GroupMetadata, phoneNumber: string): string | null {
  const member = participants.find(
    (one) => userDigits(one.phoneNumber) === phoneNumber || userDigits(one.id) === phoneNumber,
  );
  return member?.id ?? null;
}
