import { type BinaryNode, getBinaryNodeChild } from '@whiskeysockets/baileys';

/** A call that begins now, as far as it takes to turn it down; null for anything else about calls. */
export function ringingCall(node: BinaryNode): { callId: string; caller: string } | null {
  const offer = getBinaryNodeChild(node, 'offer');
  const callId = offer?.attrs['call-id'];
  const caller = offer?.attrs['call-creator'] ?? node.attrs.from;
  // One that waited at the network rings no more.
  return callId && caller && node.attrs.offline === undefined ? { callId, caller } : null;
}
