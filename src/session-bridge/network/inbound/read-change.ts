import { jidEncode, proto } from '@whiskeysockets/baileys';
import type { MessageChange, MessageTarget } from '../../../contract/messages/changes.ts';
import { emojiUnitsMax } from '../../../contract/messages/changes.ts';
import { textOf } from '../../../contract/messages/content.ts';
import { isSelf, type OwnAccount, type Person, personOf } from '../stanzas/jids.ts';
import { clipped } from './content/clipped.ts';
import { readContent } from './content/read-content.ts';
import type { Complete } from './content/read-context.ts';
import { unwrap } from './content/unwrap.ts';

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
const clockDriftMs = 60_000;
const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/** What a message does to another one that is there; null for one that does nothing of the kind. */
export async function readChange(
  message: proto.IMessage,
  chat: Chat,
  complete: Complete,
): Promise<MessageChange | null> {
  const { protocolMessage, reactionMessage, pollUpdateMessage } = message;
  const headOf = async (key: proto.IMessageKey | null | undefined, isTheirs: boolean) => {
    const target = key?.id ? await readTarget(key, chat, complete, isTheirs) : null;
    return target && { ...common(chat), target };
  };
  if (reactionMessage) {
    const head = await headOf(reactionMessage.key, false);
    const emoji = clipped(reactionMessage.text ?? '', emojiUnitsMax);
    return head && { change: 'reaction', ...head, at: atOf(chat, reactionMessage.senderTimestampMs), emoji };
  }
  if (pollUpdateMessage) {
    const head = await headOf(pollUpdateMessage.pollCreationMessageKey, false);
    const { encPayload, encIv } = pollUpdateMessage.vote ?? {};
    if (!head || !encPayload?.length || !encIv?.length || encPayload.length > votePayloadBytesMax)
      return null;
    return {
      change: 'vote',
      ...head,
      at: atOf(chat, pollUpdateMessage.senderTimestampMs),
      payload: Buffer.from(encPayload).toString('base64'),
      iv: Buffer.from(encIv).toString('base64'),
      creators: addressesOf(creatorOf(head.target, chat)),
      voters: addressesOf(chat.author),
    };
  }
  if (protocolMessage?.type === REVOKE) {
    const head = await headOf(protocolMessage.key, true);
    return head && { change: 'deleted', ...head };
  }
  if (protocolMessage?.type === MESSAGE_EDIT && protocolMessage.editedMessage) {
    const head = await headOf(protocolMessage.key, true);
    const content = readContent(unwrap(protocolMessage.editedMessage), 'edited');
    const at = atOf(chat, protocolMessage.timestampMs);
    return head && content && { change: 'edited', ...head, at, text: textOf(content) };
  }
  return null;
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

/** The network counts in seconds, in which somebody may change their mind: their own clock orders that, if it is right. */
function atOf({ at }: Chat, senderMs: unknown): string {
  const ms = Number(senderMs);
  return Math.abs(ms - Date.parse(at)) < clockDriftMs ? new Date(ms).toISOString() : at;
}

const digitsOf = ({ phoneNumber, lid }: Person): string => phoneNumber ?? lid ?? '';

/**
 * Which message a key means. A key is written from the side of whoever acts: `fromMe` is their own. `isTheirs`: where the
 * key does not say, it is one of their own.
 */
async function readTarget(
  { id, fromMe, participant }: proto.IMessageKey,
  chat: Chat,
  complete: Complete,
  isTheirs: boolean,
): Promise<MessageTarget> {
  const { groupId, peer, author, own } = chat;
  const isAuthors = fromMe ?? isTheirs;
  let writer = author;
  if (groupId !== null && participant) writer = await complete(personOf(participant, undefined));
  else if (groupId === null && !isAuthors) writer = isSelf(author, own) ? peer : own;
  const isOwn = isSelf(writer, own);
  return {
    providerMessageId: clipped(id ?? '', 128),
    isOwn,
    ...((isOwn ? own.phoneNumber : digitsOf(writer)) && {
      author: isOwn ? (own.phoneNumber ?? '') : digitsOf(writer),
    }),
    ...(!isOwn && writer.lid && { authorLid: writer.lid }),
  };
}

function creatorOf({ isOwn, author, authorLid }: MessageTarget, { own }: Chat): Person {
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
