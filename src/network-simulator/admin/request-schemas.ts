import { z } from 'zod';
import { fileKinds } from '../phones/message-text.ts';
import { normalisePhone } from '../wire/addresses.ts';

const phone = z.string().transform((text, context) => {
  const digits = normalisePhone(text);
  if (digits) return digits;
  context.addIssue({ code: 'custom', message: 'Must be a phone number of 7 to 15 digits.' });
  return z.NEVER;
});

const groupId = z.string().regex(/^[\d-]+@g\.us$/, 'Must be a group id.');
const chat = z.union([groupId, phone], { error: 'Must be a phone number or a group id.' });
const text = z.string().min(1).max(65_536);
const errorCode = z.string().regex(/^\d{3}$/, 'Must be a code of three digits.');
const delayMs = z.number().int().min(0).max(86_400_000);

export const phoneChange = z
  .strictObject({
    registered: z.boolean(),
    autoDeliver: z.boolean(),
    autoRead: z.boolean(),
    replyWith: text.nullable(),
    delayMs,
    addressing: z.enum(['pn', 'lid']),
    rejectWith: errorCode.nullable(),
    rejectPnWith: errorCode.nullable(),
    rejectLidWith: errorCode.nullable(),
    rejections: z.number().int().positive().nullable(),
    hidesNumber: z.boolean(),
    keys: z.enum(['usable', 'missing', 'broken']),
    linksQuietly: z.boolean(),
    saltInHistory: z.boolean(),
    sharesByDownload: z.boolean(),
    endsStream: z
      .strictObject({ times: z.number().int().positive(), isTaken: z.boolean().default(false) })
      .nullable(),
    foundAs: z.array(z.string().regex(/^[1-9]\d{6,14}$/)).max(10),
    name: z.string().min(1).max(100),
  })
  .partial();

export const networkChange = z
  .strictObject({
    ackDelayMs: delayMs,
    dropAckRate: z.number().min(0).max(1),
    refuseConnections: z.boolean(),
    refuseUploads: z.boolean(),
    corruptMedia: z.boolean(),
    holdMedia: z.boolean(),
  })
  .partial();

export const deviceFaults = z
  .strictObject({
    ackDelayMs: delayMs,
    refuseConnections: z.boolean(),
    isDeaf: z.boolean(),
    newChatsFrom: z.number().int().positive().nullable(),
    needsTokens: z.boolean(),
    cutAfter: z.number().int().min(0).nullable(),
    queries: z.record(
      z.string().min(1),
      z.strictObject({ error: errorCode, delayMs, silent: z.boolean() }).partial(),
    ),
    failure: z
      .strictObject({ reason: errorCode, endsAt: z.number().int().positive().nullable().default(null) })
      .nullable(),
  })
  .partial();

const messageId = z.string().min(1).max(128);

/** Sealed with the secret of its message, as newer phones do. */
const isSealed = z.boolean().optional();

const media = z.strictObject({
  kind: z.enum(fileKinds),
  mimetype: z.string().min(1),
  base64: z.base64(),
  fileName: z.string().min(1).optional(),
  caption: text.optional(),
  voice: z.boolean().optional(),
});

export const phoneMessage = z
  .strictObject({
    to: chat,
    as: z.literal('own').optional(),
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
    /** It has a secret, with which votes, edits and reactions can be sealed: as on newer phones all have. */
    bearsSecret: z.boolean().optional(),
    quoted: messageId.optional(),
    mentions: z.array(phone).optional(),
    isForwarded: z.boolean().optional(),
    isEphemeral: z.boolean().optional(),
    viewOnce: z.boolean().optional(),
    unavailable: z.boolean().optional(),
  })
  .refine((message) => contentNames.filter((name) => message[name] !== undefined).length === 1, {
    path: ['text'],
    message:
      'Exactly one of text, media, location, contacts, poll, vote, reaction, edit, delete, protobuf and content.',
  });
/** What a phone is told to write: one of its contents, and what goes with it. */
export type PhoneContent = Omit<z.output<typeof phoneMessage>, 'to' | 'as' | 'unavailable'>;

const contentNames = [
  'text',
  'media',
  'location',
  'contacts',
  'poll',
  'vote',
  'reaction',
  'edit',
  'delete',
  'protobuf',
  'content',
] as const;

export const contactsSaved = z.strictObject({
  contacts: z.array(z.strictObject({ phoneNumber: phone, name: z.string().min(1).max(100) })).min(1),
});

export const mediaMessage = media
  .omit({ voice: true })
  .extend({ to: chat, kind: z.enum(fileKinds).exclude(['sticker']) });

export const phoneTyping = z.strictObject({ to: phone, state: z.enum(['typing', 'recording', 'paused']) });

export const newCall = z.strictObject({ to: phone, isVideo: z.boolean().default(false) });

export const codeEntry = z.strictObject({ phone, code: z.string().length(8) });

export const newGroup = z.strictObject({
  subject: z.string().min(1).max(100),
  members: z.array(phone).min(1),
  autoJoin: z.boolean().default(false),
});

export const groupChange = z
  .strictObject({
    subject: z.string().min(1).max(100),
    add: z.array(phone),
    remove: z.array(phone),
    joinApproval: z.boolean(),
    isQuiet: z.boolean(),
    rejectWith: errorCode.nullable(),
    rejections: z.int().positive(),
  })
  .partial();

export const phoneReset = z.strictObject({ isQuiet: z.boolean().default(false) });

export const joinByCode = z.strictObject({ invite: z.string().min(1).max(100) });

export const requestDecision = z.strictObject({
  action: z.enum(['approve', 'reject']),
  phones: z.array(phone).min(1),
});

type RawStanza = {
  tag: string;
  attrs: Record<string, string>;
  content?: string | { base64: string } | RawStanza[] | undefined;
};

export const rawStanza: z.ZodType<RawStanza> = z.lazy(() =>
  z.strictObject({
    tag: z.string().min(1),
    attrs: z.record(z.string(), z.string()),
    content: z.union([z.string(), z.strictObject({ base64: z.base64() }), z.array(rawStanza)]).optional(),
  }),
);
