import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import type { PhoneContent } from '../admin/request-schemas.ts';
import { encryptMedia } from '../media/encrypt-media.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { blob } from '../store.ts';
import { addressOf } from '../wire/addresses.ts';
import type { Wrapping } from './phone-writing.ts';

export interface Written {
  message: proto.IMessage;
  wrapping: Wrapping;
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/** What a phone sends for it, to this chat. Refusals: 404 the message that it is about is not known. */
export async function writtenContent(
  network: Network,
  from: User,
  chat: string,
  content: PhoneContent,
): Promise<Written> {
  const known = (id: string) => {
    const found = knownMessage(network, id);
    if (!found) throw new Refusal(404, `No phone knows the message ${id}.`);
    return found;
  };
  const keyOf = (id: string) => keyFor(from, chat, known(id));
  const plain = (message: proto.IMessage, stanzaType: Wrapping['stanzaType'] = 'text'): Written => ({
    message: decorated(message, content, chat, known),
    wrapping: { stanzaType },
  });
  const { text, media, location, contacts, poll, vote, reaction, edit, protobuf } = content;
  if (reaction) {
    const part = { key: keyOf(reaction.messageId), text: reaction.emoji, senderTimestampMs: Date.now() };
    if (reaction.isSealed) {
      const plain = proto.Message.ReactionMessage.encode(part).finish();
      const sealed = sealedDeed(from, chat, known(reaction.messageId), 'Enc Reaction', plain);
      const encReactionMessage = { targetMessageKey: part.key, ...sealed };
      return { message: { encReactionMessage }, wrapping: { stanzaType: 'reaction' } };
    }
    return { message: { reactionMessage: part }, wrapping: { stanzaType: 'reaction' } };
  }
  if (edit) {
    const protocolMessage = {
      key: keyOf(edit.messageId),
      type: MESSAGE_EDIT,
      editedMessage: { conversation: edit.text },
      timestampMs: Date.now(),
    };
    const wrapping: Wrapping = { stanzaType: 'text', edit: '1' };
    if (!edit.isSealed) return { message: { protocolMessage }, wrapping };
    const plain = proto.Message.encode({ protocolMessage }).finish();
    const sealed = sealedDeed(from, chat, known(edit.messageId), 'Message Edit', plain);
    const secretEncryptedMessage = {
      ...{ targetMessageKey: protocolMessage.key, ...sealed },
      secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT,
    };
    return { message: { secretEncryptedMessage }, wrapping };
  }
  if (content.delete) {
    const protocolMessage = { key: keyOf(content.delete.messageId), type: REVOKE };
    return { message: { protocolMessage }, wrapping: { stanzaType: 'text', edit: '7' } };
  }
  if (vote) {
    const message = { pollUpdateMessage: sealedVote(from, chat, known(vote.messageId), vote.options) };
    return { message, wrapping: { stanzaType: 'poll' } };
  }
  if (protobuf !== undefined) return plain(proto.Message.decode(Buffer.from(protobuf, 'base64')));
  if (content.content) return plain(proto.Message.fromObject(content.content));
  if (location) {
    const { latitude: degreesLatitude, longitude: degreesLongitude, name, address, isLive } = location;
    const place = { degreesLatitude, degreesLongitude };
    if (isLive) return plain({ liveLocationMessage: { ...place, caption: name ?? null } });
    return plain({ locationMessage: { ...place, name: name ?? null, address: address ?? null } });
  }
  if (contacts) return plain(cards(contacts));
  if (poll) {
    const messageContextInfo = { messageSecret: randomBytes(32) };
    const options = poll.options.map((optionName) => ({ optionName }));
    const creation = { name: poll.name, options, selectableOptionsCount: poll.selectableCount ?? 1 };
    return plain({ messageContextInfo, pollCreationMessageV3: creation }, 'poll');
  }
  if (media) {
    const { kind, mimetype, base64, fileName, caption, voice } = media;
    const sealed = await encryptMedia(network, Buffer.from(base64, 'base64'), kind, mimetype);
    const part = {
      ...sealed,
      caption: caption ?? null,
      ...(fileName && { fileName }),
      ...(voice && { ptt: true }),
    };
    const written = plain({ [`${kind}Message`]: part }, 'media');
    return { ...written, wrapping: { stanzaType: 'media', mediaType: voice ? 'ptt' : kind } };
  }
  return plain({ conversation: text ?? '' });
}

/** A message as its key names it in this chat, from the side of `from`. */
function keyFor(from: User, chat: string, { id, author }: KnownMessage): proto.IMessageKey {
  const isGroup = chat.endsWith('@g.us');
  return {
    remoteJid: chat,
    fromMe: author === from,
    id,
    ...(isGroup && { participant: addressOf(author, 'lid') }),
  };
}

/** Puts beside a message what it refers to, and around it what it is wrapped in. */
function decorated(
  message: proto.IMessage,
  { quoted, mentions, isForwarded, isEphemeral, viewOnce, bearsSecret }: PhoneContent,
  chat: string,
  known: (id: string) => KnownMessage,
): proto.IMessage {
  const answered = quoted === undefined ? null : known(quoted);
  const contextInfo: proto.IContextInfo = {
    ...(answered && {
      stanzaId: answered.id,
      participant: addressOf(answered.author, chat.endsWith('@g.us') ? 'lid' : 'pn'),
      quotedMessage: answered.content,
    }),
    ...(mentions && { mentionedJid: mentions.map((phone) => `${phone}@s.whatsapp.net`) }),
    ...(isForwarded && { isForwarded, forwardingScore: 1 }),
    ...(isEphemeral && { expiration: 86_400 }),
  };
  const withInfo = Object.keys(contextInfo).length === 0 ? message : withContext(message, contextInfo);
  const messageContextInfo = { messageSecret: randomBytes(32) };
  const whole = bearsSecret ? { messageContextInfo, ...withInfo } : withInfo;
  const once = viewOnce ? { viewOnceMessageV2: { message: whole } } : whole;
  return isEphemeral ? { ephemeralMessage: { message: once } } : once;
}

function withContext(message: proto.IMessage, contextInfo: proto.IContextInfo): proto.IMessage {
  if (message.conversation) return { extendedTextMessage: { text: message.conversation, contextInfo } };
  const { messageContextInfo, ...parts } = message;
  const entries = Object.entries(parts).map(([kind, part]) => [kind, { ...(part as object), contextInfo }]);
  return { ...(messageContextInfo && { messageContextInfo }), ...Object.fromEntries(entries) };
}

function cards(contacts: NonNullable<PhoneContent['contacts']>): proto.IMessage {
  const made = contacts.map(({ name, phoneNumber, organisation }) => ({
    displayName: name,
    vcard: [
      'BEGIN:VCARD',
      'VERSION:3.0',
      `FN:${name}`,
      ...(organisation ? [`ORG:${organisation};`] : []),
      `item1.TEL;waid=${phoneNumber}:+${phoneNumber}`,
      'END:VCARD',
    ].join('\n'),
  }));
  const [first] = made;
  return made.length === 1 && first
    ? { contactMessage: first }
    : { contactsArrayMessage: { displayName: `${made.length} contacts`, contacts: made } };
}

/** A vote, sealed with the poll's secret. */
function sealedVote(
  from: User,
  chat: string,
  poll: KnownMessage,
  options: readonly string[],
): proto.Message.IPollUpdateMessage {
  const selectedOptions = options.map((option) => createHash('sha256').update(option).digest());
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish();
  return {
    pollCreationMessageKey: keyFor(from, chat, poll),
    vote: sealedDeed(from, chat, poll, 'Poll Vote', plain),
    senderTimestampMs: Date.now(),
  };
}

/** What is done to a message, under the key that follows from its secret and the addresses of both sides. */
function sealedDeed(
  from: User,
  chat: string,
  target: KnownMessage,
  sealedFor: 'Poll Vote' | 'Message Edit' | 'Enc Reaction',
  plain: Uint8Array,
): { encPayload: Uint8Array; encIv: Uint8Array } {
  const secret = target.content.messageContextInfo?.messageSecret;
  if (!secret?.length)
    throw new Refusal(404, `The message ${target.id} has no secret to seal anything with.`);
  const addressing = chat.endsWith('@g.us') || from.script.addressing === 'lid' ? 'lid' : 'pn';
  const [author, doer] = [addressOf(target.author, addressing), addressOf(from, addressing)];
  const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();
  const info = Buffer.concat([Buffer.from(`${target.id}${author}${doer}${sealedFor}`), Buffer.from([1])]);
  const key = hmac(hmac(Buffer.alloc(32), secret), info);
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, encIv);
  // Only votes bear associated data.
  if (sealedFor === 'Poll Vote') cipher.setAAD(Buffer.from(`${target.id}\0${doer}`));
  const encPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { encPayload, encIv };
}

/** A message that some phone has written or read. */
interface KnownMessage {
  id: string;
  author: User;
  content: proto.IMessage;
}

/** The message of this id, as it was written by a phone, or read by one. */
function knownMessage(network: Network, id: string): KnownMessage | null {
  const row =
    network.store.get('SELECT user_id AS author, content FROM phone_sent WHERE message_id = ?', id) ??
    network.store.get('SELECT sender_id AS author, content FROM arrived_contents WHERE message_id = ?', id);
  const author = row && network.users.byId(Number(row.author));
  if (!row || !author) return null;
  return { id, author, content: proto.Message.decode(blob(row.content)) };
}
