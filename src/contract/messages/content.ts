import { z } from 'zod';
import { messageIdSchema } from '../ids.ts';

/** Longest text that a frame carries, in UTF-16 units; the network carries no longer one. */
export const textUnitsMax = 65_536;
/** Most cards of contacts in one message, and options of a poll. The API allows fewer of both. */
const contactsMax = 100;
const optionsMax = 100;
/** Most people that a message mentions: a group of the network has no more. */
const mentionsMax = 1024;

const words = (unitsMax: number) => z.string().max(unitsMax);
const bytesBase64 = z.base64().max(128);

/** Where the network keeps a file, and the key that opens it. Only of what came in, and never shown. */
const mediaSourceSchema = z.strictObject({
  directPath: words(2048),
  url: words(2048).optional(),
  /** 32 bytes. */
  mediaKey: bytesBase64,
  /** SHA-256 of the bytes as the network keeps them. */
  encSha256: bytesBase64,
});
export type MediaSource = z.infer<typeof mediaSourceSchema>;

/** `pending`: the bytes are on their way. `unavailable`: they are not to be had. */
const mediaStatuses = ['ready', 'pending', 'unavailable'] as const;

/** A file by reference: frames and records never carry its bytes. */
export const mediaReferenceSchema = z.strictObject({
  mediaId: z.string().min(1).max(64),
  /** This and the next two are left out while nobody has the file yet. */
  mimetype: z.string().min(1).max(255).optional(),
  /** Length of the file. */
  bytes: z.int().nonnegative().optional(),
  /** Lower-case hex SHA-256 of the file. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  fileName: words(255).optional(),
  caption: words(textUnitsMax).optional(),
  durationSeconds: z.int().nonnegative().optional(),
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
  /** A voice note. */
  voice: z.literal(true).optional(),
  /** Left out where it is `ready`. */
  status: z.enum(mediaStatuses).optional(),
  source: mediaSourceSchema.optional(),
});
export type MediaReference = z.infer<typeof mediaReferenceSchema>;

const locationSchema = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: words(1000).optional(),
  address: words(1000).optional(),
  /** It moves, and this is where it began. */
  isLive: z.literal(true).optional(),
});

const contactCardSchema = z.strictObject({
  name: words(500),
  /** Left out where a card that came in has none that can be read. */
  phoneNumber: words(64).optional(),
  organisation: words(500).optional(),
});
export type ContactCard = z.infer<typeof contactCardSchema>;
const contactsSchema = z.array(contactCardSchema).min(1).max(contactsMax);

export const pollSchema = z.strictObject({
  name: words(1024),
  options: z.array(words(1024)).min(1).max(optionsMax),
  /** How many of them one voter may choose; 0: any number. */
  selectableCount: z.int().nonnegative(),
});

/** The kinds whose content is a field with the name of the kind: the outside sees that field as it is. */
export const fieldOfKind = { location: locationSchema, contacts: contactsSchema, poll: pollSchema };

/** The advertisement that a chat began with. */
export const referralSchema = z.strictObject({
  sourceType: words(64).optional(),
  sourceId: words(255).optional(),
  sourceUrl: words(2048).optional(),
  headline: words(1000).optional(),
  body: words(4096).optional(),
  clickId: words(2048).optional(),
});
export type Referral = z.infer<typeof referralSchema>;

/** The message that this one answers. */
const quotedSchema = z.strictObject({
  /** Left out where it is none that the account knows. */
  messageId: messageIdSchema.optional(),
  providerMessageId: words(128),
  /** The number itself has written it. */
  isOwn: z.boolean(),
  /** Who has: digits of the phone number, or of the alias. */
  author: words(64).optional(),
  authorLid: words(64).optional(),
  /** What a phone shows of it that does not have it. */
  text: words(1024),
});
export type QuotedMessage = z.infer<typeof quotedSchema>;

/** What a message of any kind may have. */
const contextFields = {
  quoted: quotedSchema.optional(),
  /** Digits of phone numbers; of an alias where no phone number is known. */
  mentions: z.array(words(64)).max(mentionsMax).optional(),
  isForwarded: z.literal(true).optional(),
  /** It disappears on the phones after a time. */
  isEphemeral: z.literal(true).optional(),
  referral: referralSchema.optional(),
  /** 32 bytes that open what is sealed for this message: votes, edits, reactions. Never shown. */
  secret: bytesBase64.optional(),
};

const media = { media: mediaReferenceSchema, ...contextFields };
const viewOnce = { viewOnce: z.literal(true).optional() };

/** What a message carries, in either direction: in the account, on frames and in the log. */
export const messageContentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: words(textUnitsMax), ...contextFields }),
  z.strictObject({ type: z.literal('image'), ...media, ...viewOnce }),
  z.strictObject({ type: z.literal('video'), ...media, ...viewOnce }),
  z.strictObject({ type: z.literal('audio'), ...media, ...viewOnce }),
  z.strictObject({ type: z.literal('document'), ...media }),
  z.strictObject({ type: z.literal('sticker'), ...media }),
  z.strictObject({ type: z.literal('location'), location: locationSchema, ...contextFields }),
  z.strictObject({ type: z.literal('contacts'), contacts: contactsSchema, ...contextFields }),
  z.strictObject({ type: z.literal('poll'), poll: pollSchema, ...contextFields }),
  /** Something that the product does not carry; `kind` is the network's name for it. Only of what came in. */
  z.strictObject({ type: z.literal('unsupported'), kind: words(128), ...contextFields }),
]);
export type MessageContent = z.infer<typeof messageContentSchema>;
export type MessageType = MessageContent['type'];

/** A message that carries a file. */
export type FileContent = Extract<MessageContent, { media: unknown }>;
export const isFileContent = (content: { type: string }): content is FileContent => 'media' in content;

const messageTypes = messageContentSchema.options.map(({ shape }) => shape.type.value) as [
  MessageType,
  ...MessageType[],
];
export const messageTypeSchema = z.enum(messageTypes);

/** What a person reads of a message: its text, or the caption of its file; else nothing. */
export function textOf(content: { type: string; text?: string; media?: { caption?: string } }): string {
  return content.text ?? content.media?.caption ?? '';
}
