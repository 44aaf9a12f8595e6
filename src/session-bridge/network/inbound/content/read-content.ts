import type { proto } from '@whiskeysockets/baileys';
import type { MediaReference, MediaSource, MessageContent } from '../../../../contract/messages/content.ts';
import { fileNameOf } from '../../../../contract/messages/media.ts';
import { isContent } from './message-kinds.ts';
import { readContactCard } from './read-contact-card.ts';
import { clipped, clippedText, readWords } from './read-words.ts';
import type { Unwrapped } from './unwrap.ts';

/**
 * The content of a message, without the message that it refers to; null if no person wrote it. The content of an edit is left
 * out, since its message was already received.
 */
export function readContent(
  { message, kind, isViewOnce, isEdited }: Unwrapped,
  mediaId: string,
): MessageContent | null {
  if (kind === null || isEdited || !isContent(kind)) return null;
  const text = readWords(message);
  if (text !== null) return { type: 'text', text: clippedText(text) };
  return (
    readFile(message, isViewOnce, mediaId) ??
    readPlace(message) ??
    readCards(message) ??
    readPoll(message) ?? { type: 'unsupported', kind: clipped(kind, 128) }
  );
}

function readFile(message: proto.IMessage, isViewOnce: boolean, mediaId: string): MessageContent | null {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message;
  const once = (part: { viewOnce?: boolean | null }) =>
    isViewOnce || part.viewOnce ? ({ viewOnce: true } as const) : {};
  if (imageMessage) {
    const media = readMedia(imageMessage, mediaId);
    return media && { type: 'image', media, ...once(imageMessage) };
  }
  const video = videoMessage ?? ptvMessage;
  if (video) {
    const media = readMedia(video, mediaId);
    return media && { type: 'video', media, ...once(video) };
  }
  if (audioMessage) {
    const media = readMedia(audioMessage, mediaId);
    return media && { type: 'audio', media, ...once(audioMessage) };
  }
  if (documentMessage) {
    const media = readMedia(documentMessage, mediaId);
    return media && { type: 'document', media };
  }
  const media = stickerMessage && readMedia(stickerMessage, mediaId);
  return media ? { type: 'sticker', media } : null;
}

function readPlace({ locationMessage, liveLocationMessage }: proto.IMessage): MessageContent | null {
  const place = locationMessage ?? liveLocationMessage;
  if (!place) return null;
  const { degreesLatitude: latitude, degreesLongitude: longitude } = place;
  if (!isAngle(latitude, 90) || !isAngle(longitude, 180)) return null;
  const { name, address } = locationMessage ?? { name: liveLocationMessage?.caption, address: null };
  return {
    type: 'location',
    location: {
      latitude,
      longitude,
      ...(name && { name: clipped(name, 1000) }),
      ...(address && { address: clipped(address, 1000) }),
      ...((liveLocationMessage || locationMessage?.isLive) && { isLive: true }),
    },
  };
}

const isAngle = (value: number | null | undefined, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most;

const cardsMax = 100;

function readCards({ contactMessage, contactsArrayMessage }: proto.IMessage): MessageContent | null {
  const cards = contactMessage ? [contactMessage] : (contactsArrayMessage?.contacts ?? []);
  if (cards.length === 0) return null;
  return { type: 'contacts', contacts: cards.slice(0, cardsMax).flatMap(readContactCard).slice(0, cardsMax) };
}

const optionsMax = 100;

function readPoll(message: proto.IMessage): MessageContent | null {
  const poll =
    message.pollCreationMessage ??
    message.pollCreationMessageV2 ??
    message.pollCreationMessageV3 ??
    message.pollCreationMessageV5;
  const options = poll?.options?.map(({ optionName }) => clipped(optionName ?? '', 1024)) ?? [];
  if (!poll || options.length === 0) return null;
  return {
    type: 'poll',
    poll: {
      name: clipped(poll.name ?? '', 1024),
      options: options.slice(0, optionsMax),
      selectableCount: poll.selectableOptionsCount ?? 0,
    },
  };
}

/** The fields that descriptions of files have in common; each kind has some of them. */
interface FileDescription {
  url?: string | null;
  directPath?: string | null;
  mediaKey?: Uint8Array | null;
  fileSha256?: Uint8Array | null;
  fileEncSha256?: Uint8Array | null;
  mimetype?: string | null;
  fileLength?: unknown;
  fileName?: string | null;
  title?: string | null;
  caption?: string | null;
  seconds?: number | null;
  width?: number | null;
  height?: number | null;
  ptt?: boolean | null;
}

const hashBytes = 32;

/** A file by reference; null where the network does not say which file it is. */
function readMedia(file: FileDescription, mediaId: string): MediaReference | null {
  if (file.fileSha256?.length !== hashBytes) return null;
  const fileName = fileNameOf(file.fileName) ?? fileNameOf(file.title);
  const source = sourceOf(file);
  return {
    mediaId,
    mimetype: clipped(file.mimetype || 'application/octet-stream', 255),
    bytes: wholeNumber(file.fileLength),
    sha256: Buffer.from(file.fileSha256).toString('hex'),
    ...(fileName && { fileName }),
    ...(file.caption && { caption: clippedText(file.caption) }),
    ...(file.seconds && { durationSeconds: wholeNumber(file.seconds) }),
    ...(file.width && { width: wholeNumber(file.width) }),
    ...(file.height && { height: wholeNumber(file.height) }),
    ...(file.ptt && { voice: true }),
    ...(source ? { status: 'pending', source } : { status: 'unavailable' }),
  };
}

/** Null if it cannot be opened any more, such as view-once content that only the phone shows. */
function sourceOf({ directPath, url, mediaKey, fileEncSha256 }: FileDescription): MediaSource | null {
  if (!directPath || mediaKey?.length !== hashBytes || fileEncSha256?.length !== hashBytes) return null;
  if (directPath.length > 2048) return null;
  return {
    directPath,
    ...(url && url.length <= 2048 && { url }),
    mediaKey: Buffer.from(mediaKey).toString('base64'),
    encSha256: Buffer.from(fileEncSha256).toString('base64'),
  };
}

function wholeNumber(value: unknown): number {
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
