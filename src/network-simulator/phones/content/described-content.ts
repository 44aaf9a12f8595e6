import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';

/** What arrived, in plain words: its kind, and what there is to know of it. A text is told by its text alone. */
export interface DescribedContent {
  kind?: string;
  content?: unknown;
  quotedMessageId?: string;
  mentions?: string[];
  isForwarded?: true;
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/** Describes a message that a phone has read; what has no word here is told as the network carries it. */
export function describeContent(message: proto.IMessage): DescribedContent {
  const inner = normalizeMessageContent(message) ?? {};
  const part = getContentType(inner);
  const info = contextOf(part ? inner[part] : null);
  return {
    ...kindOf(inner, part),
    ...(info?.stanzaId && { quotedMessageId: info.stanzaId }),
    ...(info?.mentionedJid?.length && { mentions: info.mentionedJid.map((jid) => jid.split('@')[0] ?? '') }),
    ...(info?.isForwarded && { isForwarded: true }),
  };
}

function contextOf(part: unknown): proto.IContextInfo | null {
  if (typeof part !== 'object' || part === null || !('contextInfo' in part)) return null;
  return part.contextInfo as proto.IContextInfo | null;
}

function kindOf(
  message: proto.IMessage,
  part: keyof proto.IMessage | undefined,
): Pick<DescribedContent, 'kind' | 'content'> {
  const { protocolMessage: protocol, reactionMessage: reaction, locationMessage: place } = message;
  const text = message.conversation ?? message.extendedTextMessage?.text;
  if (text) return {};
  if (reaction) {
    return { kind: 'reaction', content: { messageId: reaction.key?.id, emoji: reaction.text ?? '' } };
  }
  if (protocol?.type === REVOKE) return { kind: 'delete', content: { messageId: protocol.key?.id } };
  if (protocol?.type === MESSAGE_EDIT) {
    const edited = protocol.editedMessage;
    const now = edited?.conversation ?? edited?.extendedTextMessage?.text ?? '';
    return { kind: 'edit', content: { messageId: protocol.key?.id, text: now } };
  }
  if (place) {
    const { degreesLatitude: latitude, degreesLongitude: longitude, name, address } = place;
    return { kind: 'location', content: { latitude, longitude, name, address } };
  }
  const cards = message.contactMessage ? [message.contactMessage] : message.contactsArrayMessage?.contacts;
  if (cards) {
    return {
      kind: 'contacts',
      content: cards.map(({ displayName, vcard }) => ({ name: displayName, vcard })),
    };
  }
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV3;
  if (poll) {
    const options = poll.options?.map(({ optionName }) => optionName) ?? [];
    const content = { name: poll.name, options, selectableCount: poll.selectableOptionsCount };
    return { kind: 'poll', content };
  }
  return describedFile(message) ?? { kind: part ?? 'nothing', content: part ? message[part] : null };
}

function describedFile(message: proto.IMessage): Pick<DescribedContent, 'kind' | 'content'> | null {
  const { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage } = message;
  const [kind, file] = imageMessage
    ? (['image', imageMessage] as const)
    : videoMessage
      ? (['video', videoMessage] as const)
      : audioMessage
        ? (['audio', audioMessage] as const)
        : documentMessage
          ? (['document', documentMessage] as const)
          : (['sticker', stickerMessage] as const);
  if (!file) return null;
  const { caption, fileName, ptt } = file as { caption?: string; fileName?: string; ptt?: boolean };
  return {
    kind,
    content: {
      mimetype: file.mimetype,
      bytes: Number(file.fileLength ?? 0),
      sha256: Buffer.from(file.fileSha256 ?? []).toString('hex'),
      ...(caption && { caption }),
      ...(fileName && { fileName }),
      ...(ptt && { voice: true }),
    },
  };
}
