import { type BinaryNode, jidEncode, type proto } from '@whiskeysockets/baileys';
import type { ContactCard, FileContent, MessageContent } from '../../../contract/messages/content.ts';
import { voiceType } from '../../../contract/messages/media-kinds.ts';
import type { UploadTicket } from '../../media/upload-tickets.ts';
import { chatAddress } from '../stanzas/jids.ts';

/** A message as the network carries it, and what stands beside its ciphertexts. */
export interface WireMessage {
  message: proto.IMessage;
  nodes: BinaryNode[];
  /** Of the stanza, beside those that every message has. */
  attributes: Record<string, string>;
}

/** The message cannot be sent; no part of it has left. */
class NotSendableError extends Error {}

/**
 * The wire content of a message; it is sent again to a device that could not read it. `ownPhone`: digits of the sending
 * number; `ticket`: where the network has its file. Throws {@link NotSendableError}.
 */
export function wireMessage(
  content: MessageContent,
  ownPhone: string | null,
  ticket: UploadTicket | null = null,
): WireMessage {
  const contextInfo = contextOf(content, ownPhone);
  switch (content.type) {
    case 'text':
      return plain({ extendedTextMessage: { text: content.text, ...contextInfo } });
    case 'location': {
      const { latitude, longitude, name, address } = content.location;
      const place = { degreesLatitude: latitude, degreesLongitude: longitude, name, address };
      return plain({ locationMessage: { ...place, ...contextInfo } });
    }
    case 'contacts':
      return plain(contactsMessage(content.contacts, contextInfo));
    case 'poll':
      return {
        message: pollMessage(content, contextInfo),
        nodes: [{ tag: 'meta', attrs: { polltype: 'creation' } }],
        attributes: {},
      };
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      if (ticket === null) throw new NotSendableError('A message with a file has none.');
      return plain(fileMessage(content, ticket, contextInfo));
    case 'unsupported':
      throw new NotSendableError(`A message of the kind ${content.type} cannot be sent.`);
  }
}

const plain = (message: proto.IMessage): WireMessage => ({ message, nodes: [], attributes: {} });

type ContextInfo = { contextInfo?: proto.IContextInfo };

function contextOf({ quoted, mentions, isForwarded }: MessageContent, ownPhone: string | null): ContextInfo {
  const author = quoted?.isOwn ? ownPhone : quoted?.author;
  const contextInfo: proto.IContextInfo = {
    ...(quoted && {
      stanzaId: quoted.providerMessageId,
      quotedMessage: { conversation: quoted.text },
      ...(author && { participant: addressOf(author, quoted.isOwn ? undefined : quoted.authorLid) }),
    }),
    ...(mentions && { mentionedJid: mentions.map(chatAddress) }),
    ...(isForwarded && { isForwarded, forwardingScore: 1 }),
  };
  return Object.keys(contextInfo).length === 0 ? {} : { contextInfo };
}

/** Somebody of whom only the alias is known is named by it. */
const addressOf = (digits: string, lid: string | undefined) =>
  digits === lid ? jidEncode(digits, 'lid') : chatAddress(digits);

function contactsMessage(cards: readonly ContactCard[], contextInfo: ContextInfo): proto.IMessage {
  const contacts = cards.map((card) => ({ displayName: card.name, vcard: vcardOf(card) }));
  const [only] = contacts;
  if (contacts.length === 1) return { contactMessage: { ...only, ...contextInfo } };
  const displayName = `${contacts.length} contacts`;
  return { contactsArrayMessage: { displayName, contacts, ...contextInfo } };
}

/** RFC 2426, with the network's own digits beside the number, so that a phone offers to write to it. */
function vcardOf({ name, phoneNumber, organisation }: ContactCard): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    ...(organisation ? [`ORG:${escaped(organisation)}`] : []),
    ...(phoneNumber ? [`TEL;type=CELL;type=VOICE;waid=${phoneNumber}:+${phoneNumber}`] : []),
    'END:VCARD',
  ].join('\n');
}

const escaped = (value: string) => value.replaceAll(/[\\,;]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');

function pollMessage(
  { poll, secret }: Extract<MessageContent, { type: 'poll' }>,
  contextInfo: ContextInfo,
): proto.IMessage {
  const creation = {
    name: poll.name,
    options: poll.options.map((optionName) => ({ optionName })),
    selectableOptionsCount: poll.selectableCount,
    ...contextInfo,
  };
  return {
    ...(secret && { messageContextInfo: { messageSecret: Buffer.from(secret, 'base64') } }),
    // The form for one choice is another than that for several.
    ...(poll.selectableCount === 1 ? { pollCreationMessageV3: creation } : { pollCreationMessage: creation }),
  };
}

/** What is sent for a file that the network has. */
function fileMessage(
  content: FileContent,
  ticket: UploadTicket,
  contextInfo: { contextInfo?: proto.IContextInfo },
): proto.IMessage {
  const { caption, fileName, mimetype, voice } = content.media;
  const { preview = {} } = ticket;
  const seconds = content.media.durationSeconds ?? preview.seconds;
  // A phone turns a picture before it shows it, and its size with it.
  const { width = content.media.width, height = content.media.height, pages } = preview;
  const shared = {
    url: ticket.url,
    directPath: ticket.directPath,
    mediaKey: Buffer.from(ticket.mediaKey, 'base64'),
    fileSha256: Buffer.from(ticket.sha256, 'hex'),
    fileEncSha256: Buffer.from(ticket.encSha256, 'base64'),
    fileLength: ticket.bytes,
    mediaKeyTimestamp: Math.floor(ticket.uploadedAt / 1000),
    mimetype: mimetype ?? null,
    ...contextInfo,
  };
  const size = { ...(width && { width }), ...(height && { height }) };
  const words = caption ? { caption } : {};
  const once = 'viewOnce' in content && content.viewOnce ? { viewOnce: true } : {};
  // What may be seen once is not to be seen before.
  const isShown = preview.thumbnail !== undefined && !('viewOnce' in once);
  const thumbnail = isShown ? { jpegThumbnail: Buffer.from(preview.thumbnail ?? '', 'base64') } : {};
  const waveform = preview.waveform ? { waveform: Buffer.from(preview.waveform, 'base64') } : {};
  const sealed = (message: proto.IMessage): proto.IMessage =>
    'viewOnce' in once ? { viewOnceMessage: { message } } : message;
  switch (content.type) {
    case 'image':
      return sealed({ imageMessage: { ...shared, ...size, ...words, ...thumbnail, ...once } });
    case 'video':
      return sealed({
        videoMessage: { ...shared, ...size, ...words, ...once, ...(seconds !== undefined && { seconds }) },
      });
    case 'audio':
      return sealed({
        audioMessage: {
          ...shared,
          ...once,
          ...(seconds !== undefined && { seconds }),
          // Whatever it was given as, a voice note is Opus in Ogg. Phones show as one only what says so.
          ...(voice && { ptt: true, mimetype: `${voiceType}; codecs=opus`, ...waveform }),
        },
      });
    case 'document':
      return {
        documentMessage: {
          ...shared,
          ...(fileName && { fileName, title: fileName }),
          ...words,
          ...(pages && { pageCount: pages }),
        },
      };
    case 'sticker':
      return { stickerMessage: { ...shared, ...size, ...(preview.isAnimated && { isAnimated: true }) } };
  }
}
