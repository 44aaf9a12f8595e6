import { createHash } from 'node:crypto';
import {
  type BinaryNode,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  proto,
  unpadRandomMax16,
} from '@whiskeysockets/baileys';
import { v7 } from 'uuid';
import type { InboundMessage } from '../../../contract/bridge/bridge-frames.ts';
import type { MessageChange } from '../../../contract/messages/changes.ts';
import { protobufFields } from '../../../contract/messages/protobuf-field.ts';
import { isSelf, type OwnAccount, type Person, personOf, stanzaTime } from '../stanzas/jids.ts';
import { readContent } from './content/read-content.ts';
import { type Complete, readContext } from './content/read-context.ts';
import { clipped } from './content/read-words.ts';
import { type Unwrapped, unwrap } from './content/unwrap.ts';
import { type Chat, readChange } from './read-change.ts';

/** The phone number behind an alias, as far as the session knows it, or the member list of the group tells. */
type PhoneNumberOfAlias = (lid: string, groupId: string | null) => Promise<string | null>;

/** What a message that came in means. */
export type InboundReading =
  | { kind: 'message'; message: InboundMessage }
  | { kind: 'change'; change: MessageChange }
  /** Not reported. `what`: the network's name for it, or the number of a field that the client does not know. */
  | { kind: 'nothing'; what: string };

const pushNameUnitsMax = 256;

/**
 * Reads a decrypted message; null if no person wrote it. `phoneNumberOfAlias` is called only if the stanza names somebody by
 * alias alone. Throws if the plaintext is no message.
 */
export async function readMessage(
  node: BinaryNode,
  plaintext: Uint8Array,
  own: OwnAccount,
  phoneNumberOfAlias: PhoneNumberOfAlias,
): Promise<InboundReading | null> {
  const { id, from, category } = node.attrs;
  if (!id || !from || category === 'peer' || isJidStatusBroadcast(from) || isJidNewsletter(from)) return null;
  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  const completed = async ({ phoneNumber, lid }: Person, groupId: string | null): Promise<Person> => ({
    lid,
    phoneNumber: phoneNumber ?? (lid ? await phoneNumberOfAlias(lid, groupId) : null),
  });
  const chat = await chatOf(node, message, own, completed);
  if (chat === null) return null;
  const complete: Complete = (person) => completed(person, null);
  const { groupId, author, peer, at } = chat;
  const isFromPhone = isSelf(author, own);
  const authorDigits = isFromPhone ? own.phoneNumber : (author.phoneNumber ?? author.lid);
  const sentTo = groupId ?? peer.phoneNumber ?? peer.lid;
  if (!authorDigits || !sentTo) return null;
  const unwrapped = unwrap(isFromPhone ? innerOf(message) : message);
  const change = await readChange(unwrapped, chat, complete);
  if (change) return { kind: 'change', change };

  const senderLid = isFromPhone ? null : author.lid;
  const mediaId = inboundMediaId(at, {
    numberPhone: own.phoneNumber,
    chat: groupId ?? '',
    author: senderLid ?? authorDigits,
    providerMessageId: id,
  });
  const content = readContent(unwrapped, mediaId);
  if (content === null) return { kind: 'nothing', what: nameOf(unwrapped, plaintext) };
  const { secret } = unwrapped;
  return {
    kind: 'message',
    message: {
      providerMessageId: id,
      at,
      chatType: groupId === null ? 'personal' : 'group',
      from: authorDigits,
      ...(senderLid && { senderLid }),
      ...(groupId !== null && { groupId }),
      pushName: clipped(node.attrs.notify ?? '', pushNameUnitsMax),
      ...(isFromPhone && { sentTo }),
      content: {
        ...content,
        ...(await readContext(unwrapped, own, complete)),
        ...(secret && { secret: Buffer.from(secret).toString('base64') }),
      },
    },
  };
}

function nameOf({ message, kind }: Unwrapped, plaintext: Uint8Array): string {
  const { protocolMessage, secretEncryptedMessage } = message;
  const { Type } = proto.Message.ProtocolMessage;
  const { SecretEncType } = proto.Message.SecretEncryptedMessage;
  if (kind === 'protocolMessage')
    return `${kind} ${Type[protocolMessage?.type ?? 0] ?? protocolMessage?.type}`;
  if (kind === 'secretEncryptedMessage') {
    const type = secretEncryptedMessage?.secretEncType ?? 0;
    return `${kind} ${SecretEncType[type] ?? type}`;
  }
  if (kind !== null && kind !== 'messageContextInfo') return kind;
  const numbers = protobufFields(unpadRandomMax16(plaintext))?.map(({ number }) => number) ?? [];
  return `fields ${numbers.slice(0, 8).join(', ')}`;
}

/** What the own phone has sent comes to its linked devices as a copy. */
function innerOf(message: proto.IMessage): proto.IMessage {
  const copy = message.deviceSentMessage?.message;
  if (!copy) return message;
  const { messageContextInfo } = message;
  return messageContextInfo && !copy.messageContextInfo ? { ...copy, messageContextInfo } : copy;
}

/** Null where the stanza does not say who has written to whom. */
async function chatOf(
  node: BinaryNode,
  { deviceSentMessage }: proto.IMessage,
  own: OwnAccount,
  completed: (person: Person, groupId: string | null) => Promise<Person>,
): Promise<Chat | null> {
  const { from = '', participant, participant_pn, participant_lid, sender_pn, sender_lid } = node.attrs;
  const groupId = isJidGroup(from) ? from : null;
  const authorJid = groupId !== null || isJidBroadcast(from) ? participant : from;
  if (!authorJid) return null;
  const named = personOf(authorJid, participant_pn ?? sender_pn ?? participant_lid ?? sender_lid);
  const at = stanzaTime(node);
  if (!isSelf(named, own)) {
    const author = await completed(named, groupId);
    return { groupId, author, peer: author, own, at };
  }
  const author = own;
  if (groupId !== null) return { groupId, author, peer: author, own, at };
  const { recipient = deviceSentMessage?.destinationJid, peer_recipient_pn, peer_recipient_lid } = node.attrs;
  if (!recipient || !deviceSentMessage) return null;
  if (isJidStatusBroadcast(recipient) || isJidBroadcast(recipient) || isJidNewsletter(recipient)) return null;
  const inGroup = isJidGroup(recipient) ? recipient : null;
  const peer = await completed(personOf(recipient, peer_recipient_pn ?? peer_recipient_lid), null);
  return { groupId: inGroup, author, peer, own, at };
}

/** The id of a file that came in, as a UUIDv7: the same for whatever repeats its message, at whichever bridge. */
function inboundMediaId(
  at: string,
  origin: { numberPhone: string | null; chat: string; author: string; providerMessageId: string },
): string {
  const { numberPhone, chat, author, providerMessageId } = origin;
  const names = ['media', numberPhone ?? '', chat, author, providerMessageId];
  const digest = createHash('sha256').update(names.join('\n')).digest();
  return v7({ msecs: Date.parse(at), seq: digest.readUInt32BE(16), random: digest.subarray(0, 16) });
}
