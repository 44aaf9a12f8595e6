import {
  type BinaryNode,
  getContentType,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  normalizeMessageContent,
  proto,
  unpadRandomMax16,
} from '@whiskeysockets/baileys';
import { type InboundMessage, inboundTextCharactersMax } from '../../../contract/bridge-frames.ts';
import { isSelf, type OwnAccount, personOf, stanzaTime } from './jids.ts';

export type InboundReading =
  | { kind: 'text'; message: InboundMessage }
  /** A type that the product does not carry. */
  | { kind: 'skipped'; messageType: string }
  /** Not a message from somebody: our own, or one that only clients exchange. */
  | { kind: 'none' };

const none: InboundReading = { kind: 'none' };

/** Parts that accompany a message and are none by themselves. */
const silentTypes = [
  'senderKeyDistributionMessage',
  'protocolMessage',
  'messageContextInfo',
  'deviceSentMessage',
];

/**
 * Reads a decrypted message. `phoneNumberOfAlias` is asked only where the stanza names its author by alias alone.
 * Throws when the plaintext is no message.
 */
export async function readInbound(
  node: BinaryNode,
  plaintext: Uint8Array,
  own: OwnAccount,
  phoneNumberOfAlias: (lid: string, groupId: string | null) => Promise<string | null>,
): Promise<InboundReading> {
  const { id, from, participant, category, notify } = node.attrs;
  if (!id || !from || category === 'peer' || isJidStatusBroadcast(from) || isJidNewsletter(from)) return none;
  const isGroup = Boolean(isJidGroup(from));
  const authorJid = isGroup || isJidBroadcast(from) ? participant : from;
  if (!authorJid) return none;
  const { participant_pn, participant_lid, sender_pn, sender_lid } = node.attrs;
  const author = personOf(authorJid, participant_pn ?? sender_pn ?? participant_lid ?? sender_lid);
  if (isSelf(author, own)) return none;

  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  if (message.deviceSentMessage) return none;
  const content = normalizeMessageContent(message);
  const text = content?.conversation || content?.extendedTextMessage?.text;
  if (!text) {
    const messageType = content && getContentType(content);
    return messageType && !silentTypes.includes(messageType) ? { kind: 'skipped', messageType } : none;
  }
  const phoneNumber =
    author.phoneNumber ?? (author.lid ? await phoneNumberOfAlias(author.lid, isGroup ? from : null) : null);
  const authorDigits = phoneNumber ?? author.lid;
  if (!authorDigits) return none;
  return {
    kind: 'text',
    message: {
      providerMessageId: id,
      at: stanzaTime(node),
      chatType: isGroup ? 'group' : 'personal',
      from: authorDigits,
      ...(author.lid && { senderLid: author.lid }),
      ...(isGroup && { groupId: from }),
      pushName: notify ?? '',
      messageType: 'text',
      text: text.slice(0, inboundTextCharactersMax).toWellFormed(),
    },
  };
}
