import { type BinaryNode, getBinaryNodeChild } from '@whiskeysockets/baileys';
import type { IncomingCall } from '../../../contract/messages/changes.ts';
import { type Person, personOf, stanzaTime } from './jids.ts';

/** A call that was begun, whether or not it still rings; null for anything else about calls. */
export function readCall(node: BinaryNode): (Omit<IncomingCall, 'from'> & { caller: Person }) | null {
  const offer = getBinaryNodeChild(node, 'offer') ?? getBinaryNodeChild(node, 'offer_notice');
  const callId = offer?.attrs['call-id'];
  const callerJid = offer?.attrs['call-creator'] ?? node.attrs.from;
  if (!offer || !callId || callId.length > 128 || !callerJid) return null;
  const caller = personOf(callerJid, offer.attrs.caller_pn ?? node.attrs.sender_pn);
  if (caller.phoneNumber === null && caller.lid === null) return null;
  const isGroup = Boolean(offer.attrs['group-jid']) || offer.attrs.type === 'group';
  const isVideo = Boolean(getBinaryNodeChild(offer, 'video')) || offer.attrs.media === 'video';
  return { callId, caller, isVideo, isGroup, at: stanzaTime(node) };
}

/** A call that begins now, as far as it takes to turn it down; null for anything else about calls. */
export function ringingCall(node: BinaryNode): { callId: string; caller: string } | null {
  const offer = getBinaryNodeChild(node, 'offer');
  const callId = offer?.attrs['call-id'];
  const caller = offer?.attrs['call-creator'] ?? node.attrs.from;
  // One that waited at the network rings no more.
  return callId && caller && node.attrs.offline === undefined ? { callId, caller } : null;
}
