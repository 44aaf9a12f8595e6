import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  isJidGroup,
} from '@whiskeysockets/baileys';
import type { RawReceipt } from '../connection/connection.ts';
import { isSelf, type OwnAccount, personOf, stanzaTime } from './jids.ts';

const deliveredTypes = [undefined, '', 'inactive'];
const readTypes = ['read', 'played'];
/** Receipts about messages that others sent to us: they say nothing about ours. */
const foreignTypes = ['read-self', 'played-self', 'hist_sync', 'peer_msg', 'server-error'];

/** Reads a receipt stanza; null when it says nothing about a message of ours. */
export function readReceipt(node: BinaryNode, own: OwnAccount): RawReceipt | null {
  const { id, from, type, participant } = node.attrs;
  if (!id || !from || (type && foreignTypes.includes(type))) return null;
  const items = getBinaryNodeChildren(getBinaryNodeChild(node, 'list'), 'item');
  const author = personOf(participant ?? from, node.attrs.participant_pn ?? node.attrs.sender_pn);
  const isFromOwnDevice = type === 'sender' || isSelf(author, own);
  return {
    providerMessageIds: [id, ...items.flatMap((item) => item.attrs.id ?? [])],
    kind: isFromOwnDevice ? 'evidence' : kindOf(type),
    isFromOwnDevice,
    at: stanzaTime(node),
    groupId: isJidGroup(from) ? from : null,
    recipient: author.phoneNumber,
    recipientLid: author.lid,
  };
}

function kindOf(type: string | undefined): RawReceipt['kind'] {
  if (deliveredTypes.includes(type)) return 'delivered';
  return type && readTypes.includes(type) ? 'read' : 'evidence';
}
