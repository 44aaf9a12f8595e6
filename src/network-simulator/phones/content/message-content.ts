import { randomBytes } from 'node:crypto';
import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import { z } from 'zod';
import type { User } from '../../accounts/user.ts';
import { encryptMedia } from '../../media/encrypt-media.ts';
import type { Network } from '../../network.ts';
import { Refusal } from '../../refusal.ts';
import { type contextFields, type DescribedContext, decorated, describedContext } from './message-context.ts';
import { fileIn, fileKinds } from './message-text.ts';
import { messageId, phone, text } from './request-fields.ts';
import { keyFor, knownMessage, sealedDeed, sealedVote } from './sealed-changes.ts';

/** Sealed with the secret of its message, as newer phones do. */
const isSealed = z.boolean().optional();

export const media = z.strictObject({
  kind: z.enum(fileKinds),
  mimetype: z.string().min(1),
  base64: z.base64(),
  fileName: z.string().min(1).optional(),
  caption: text.optional(),
  voice: z.boolean().optional(),
});

/** What a phone can be told to write. */
export const contentFields = {
  text: text.optional(),
  media: media.optional(),
  location: z
    .strictObject({
      latitude: z.number(),
      longitude: z.number(),
      name: text.optional(),
      address: text.optional(),
      isLive: z.boolean().optional(),
    })
    .optional(),
  contacts: z
    .array(z.strictObject({ name: text, phoneNumber: phone, organisation: text.optional() }))
    .min(1)
    .optional(),
  poll: z
    .strictObject({
      name: text,
      options: z.array(text).min(1),
      selectableCount: z.number().int().min(0).optional(),
    })
    .optional(),
  vote: z.strictObject({ messageId, options: z.array(text) }).optional(),
  reaction: z.strictObject({ messageId, emoji: z.string().max(64), isSealed }).optional(),
  edit: z.strictObject({ messageId, text, isSealed }).optional(),
  delete: z.strictObject({ messageId }).optional(),
  /** A message as the network carries it: for whatever has no word of its own here. */
  protobuf: z.base64().optional(),
  /** The same as JSON, with bytes in base64. */
  content: z.record(z.string(), z.unknown()).optional(),
};

type PhoneContent = z.output<z.ZodObject<typeof contentFields & typeof contextFields>>;

/** How a message travels beside its content: the stanza's type, and what stands on each ciphertext. */
export type Wrapping = {
  stanzaType: 'text' | 'media' | 'poll' | 'reaction';
  mediaType?: string;
  /** What it does to another message: `1` changes it, `7` takes it back. */
  edit?: string;
  /** Other devices are only told that it is there: they have to ask their own phone for it. */
  unavailable?: boolean;
};

interface Written {
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

/** What arrived, in plain words: its kind, and what there is to know of it. A text is told by its text alone. */
export interface DescribedContent extends DescribedContext {
  kind?: string;
  content?: unknown;
}

/** Describes a message that a phone has read; what has no word here is told as the network carries it. */
export function describeContent(message: proto.IMessage): DescribedContent {
  const inner = normalizeMessageContent(message) ?? {};
  const part = getContentType(inner);
  return { ...kindOf(inner, part), ...describedContext(part ? inner[part] : null) };
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
  const found = fileIn(message);
  if (!found) return null;
  const { mimetype, fileLength, fileSha256, caption, fileName, ptt } = found.file;
  return {
    kind: found.kind,
    content: {
      mimetype,
      bytes: Number(fileLength ?? 0),
      sha256: Buffer.from(fileSha256 ?? []).toString('hex'),
      ...(caption && { caption }),
      ...(fileName && { fileName }),
      ...(ptt && { voice: true }),
    },
  };
}
