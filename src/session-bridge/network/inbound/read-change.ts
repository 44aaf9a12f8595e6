import { jidEncode, proto } from '@whiskeysockets/baileys';
import { emojiUnitsMax, type MessageChange, type MessageTarget } from '../../../contract/messages/changes.ts';
import { isSelf, type OwnAccount, type Person, personOf } from '../stanzas/jids.ts';
import type { Complete } from './content/read-context.ts';
import { clipped, clippedText, readWords } from './content/read-words.ts';
import { type Unwrapped, unwrap } from './content/unwrap.ts';

/** The chat that a message came in, and who has written it: completed as far as that is possible. */
export interface Chat {
  /** Null in a chat of two. */
  groupId: string | null;
  /** The other side of a chat of two; in a group the author. */
  peer: Person;
  author: Person;
  own: OwnAccount;
  at: string;
}

const votePayloadBytesMax = 12_000;
/** A text of the network's full length, and what is around it. */
const editBytesMax = 90_000;
const ivBytes = 12;
const clockDriftMs = 60_000;
const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;
const { MESSAGE_EDIT: SEALED_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType;

/** What a message does to another one that is there; null for one that does nothing of the kind. */
export async function readChange(
  { message, kind }: Unwrapped,
  chat: Chat,
  complete: Complete,
): Promise<MessageChange | null> {
  if (kind === 'secretEncryptedMessage' || kind === 'encReactionMessage') {
    return readSealed(message, chat, complete);
  }
  const { protocolMessage, reactionMessage, pollUpdateMessage } = message;
  const head = common(chat);
  if (reactionMessage) {
    const { key, text, senderTimestampMs } = reactionMessage;
    if (!key?.id) return null;
    const target = await anyones(key, chat, complete);
    const emoji = clipped(text ?? '', emojiUnitsMax);
    return { change: 'reaction', ...head, target, at: atOf(chat, senderTimestampMs), emoji };
  }
  if (pollUpdateMessage) {
    const { pollCreationMessageKey: key, vote } = pollUpdateMessage;
    const { encPayload, encIv } = vote ?? {};
    if (!key?.id || !encPayload?.length || encPayload.length > votePayloadBytesMax) return null;
    if (encIv?.length !== ivBytes) return null;
    const target = await anyones(key, chat, complete);
    const creators = addressesOf(writerOf(target, chat));
    if (creators.length === 0) return null;
    return {
      change: 'vote',
      ...head,
      target,
      at: atOf(chat, pollUpdateMessage.senderTimestampMs),
      payload: Buffer.from(encPayload).toString('base64'),
      iv: Buffer.from(encIv).toString('base64'),
      creators,
      voters: addressesOf(chat.author),
    };
  }
  if (!protocolMessage?.key?.id) return null;
  const { key, type, editedMessage, timestampMs } = protocolMessage;
  if (type === REVOKE) return { change: 'deleted', ...head, target: await takenBack(key, chat, complete) };
  if (type === MESSAGE_EDIT && editedMessage) {
    const text = readEditedText(unwrap(editedMessage));
    if (text === null) return null;
    return { change: 'edited', ...head, target: authors(key, chat), at: atOf(chat, timestampMs), text };
  }
  return null;
}

/** What newer phones seal with the secret of the message: who keeps the message opens it. */
async function readSealed(
  { secretEncryptedMessage: edit, encReactionMessage: reaction }: proto.IMessage,
  chat: Chat,
  complete: Complete,
): Promise<MessageChange | null> {
  const { targetMessageKey: key, encPayload, encIv } = edit ?? reaction ?? {};
  if (!key?.id || !encPayload?.length || encPayload.length > editBytesMax || encIv?.length !== ivBytes)
    return null;
  if (edit && edit.secretEncType !== SEALED_EDIT) return null;
  const target = edit ? authors(key, chat) : await anyones(key, chat, complete);
  const writers = addressesOf(writerOf(target, chat));
  if (writers.length === 0) return null;
  return {
    change: edit ? 'sealed_edit' : 'sealed_reaction',
    ...common(chat),
    target,
    payload: Buffer.from(encPayload).toString('base64'),
    iv: Buffer.from(encIv).toString('base64'),
    authors: writers,
    doers: addressesOf(chat.author),
  };
}

function common({ groupId, peer, author, at }: Chat) {
  return {
    chatType: groupId === null ? ('personal' as const) : ('group' as const),
    chat: groupId ?? digitsOf(peer),
    at,
    from: digitsOf(author),
    ...(author.lid && { fromLid: author.lid }),
  };
}

/**
 * The network dates in seconds, and somebody may change their mind within one. The time of their own device orders such
 * changes, if its clock is right.
 */
function atOf({ at }: Chat, senderMs: unknown): string {
  const ms = Number(senderMs);
  return Math.abs(ms - Date.parse(at)) < clockDriftMs ? new Date(ms).toISOString() : at;
}

const digitsOf = ({ phoneNumber, lid }: Person): string => phoneNumber ?? lid ?? '';

/** A message that its author changes or takes back: who has sent the change, whatever its key says. */
function authors({ id }: proto.IMessageKey, { author, own }: Chat): MessageTarget {
  return targetOf(id, author, own);
}

/** A message that is taken back: the author's own, or in a group somebody else's, as an admin may. */
async function takenBack(key: proto.IMessageKey, chat: Chat, complete: Complete): Promise<MessageTarget> {
  const isOthers = chat.groupId !== null && !key.fromMe && key.participant;
  return isOthers ? anyones(key, chat, complete) : authors(key, chat);
}

/**
 * A message of anybody in the chat. A key is written from the side of the person who acts: `fromMe` means their own message.
 */
async function anyones(
  { id, fromMe, participant }: proto.IMessageKey,
  { groupId, peer, author, own }: Chat,
  complete: Complete,
): Promise<MessageTarget> {
  let writer = author;
  if (groupId !== null && participant) writer = await complete(personOf(participant, undefined));
  else if (groupId === null && !fromMe) writer = isSelf(author, own) ? peer : own;
  return targetOf(id, writer, own);
}

function targetOf(id: string | null | undefined, writer: Person, own: OwnAccount): MessageTarget {
  const isOwn = isSelf(writer, own);
  const author = isOwn ? (own.phoneNumber ?? '') : digitsOf(writer);
  return {
    providerMessageId: clipped(id ?? '', 128),
    isOwn,
    ...(author && { author }),
    ...(!isOwn && writer.lid && { authorLid: writer.lid }),
  };
}

function writerOf({ isOwn, author, authorLid }: MessageTarget, { own }: Chat): Person {
  if (isOwn) return own;
  return { phoneNumber: author === authorLid ? null : (author ?? null), lid: authorLid ?? null };
}

/** Every form in which the network may have named somebody. */
function addressesOf({ phoneNumber, lid }: Person): string[] {
  return [
    ...(phoneNumber ? [jidEncode(phoneNumber, 's.whatsapp.net')] : []),
    ...(lid ? [jidEncode(lid, 'lid')] : []),
  ];
}

/**
 * The text of a message after an edit. An edit has either the caption alone, or the file with its caption; a file without a
 * caption has lost it. Null if the edit cannot be read, which is not the same as an empty text.
 */
function readEditedText({ message }: Unwrapped): string | null {
  const words = readWords(message) ?? captionOf(message);
  return words === null ? null : clippedText(words);
}

function captionOf({
  imageMessage,
  videoMessage,
  ptvMessage,
  documentMessage,
}: proto.IMessage): string | null {
  const file = imageMessage ?? videoMessage ?? ptvMessage ?? documentMessage;
  if (!file) return null;
  return file.caption ?? (file.fileSha256?.length ? '' : null);
}
