import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildBuffer } from '@whiskeysockets/baileys';

const keyBytes = 32;
const signatureBytes = 64;
const registrationBytes = 4;

/**
 * Removes from the network's response to a key query everybody without keys, or without usable ones; returns how many. Because
 * of one of them the client would not send a message to a whole group. If they are left out, the client skips that device,
 * which can request the message again.
 */
export function dropBrokenBundles(frame: BinaryNode): number {
  if (frame.tag !== 'iq' || frame.attrs.type !== 'result') return 0;
  const list = getBinaryNodeChild(frame, 'list');
  if (!list || !Array.isArray(list.content)) return 0;
  const usable = list.content.filter((node) => node.tag !== 'user' || isUsable(node));
  const dropped = list.content.length - usable.length;
  if (dropped > 0) list.content = usable;
  return dropped;
}

function isUsable(user: BinaryNode): boolean {
  const signed = getBinaryNodeChild(user, 'skey');
  const oneTime = getBinaryNodeChild(user, 'key');
  return (
    hasBytes(user, 'registration', registrationBytes) &&
    hasBytes(user, 'identity', keyBytes) &&
    isKey(signed) &&
    hasBytes(signed, 'signature', signatureBytes) &&
    (oneTime === undefined || isKey(oneTime))
  );
}

const isKey = (node: BinaryNode | undefined) =>
  getBinaryNodeChildBuffer(node, 'id') !== undefined && hasBytes(node, 'value', keyBytes);

const hasBytes = (node: BinaryNode | undefined, tag: string, bytes: number) =>
  getBinaryNodeChildBuffer(node, tag)?.length === bytes;
