import { z } from 'zod';
import { contentFields, media } from '../phones/content/message-content.ts';
import { contextFields } from '../phones/content/message-context.ts';
import { fileKinds } from '../phones/content/message-text.ts';
import { phone, text } from '../phones/content/request-fields.ts';

const groupId = z.string().regex(/^[\d-]+@g\.us$/, 'Must be a group id.');
const chat = z.union([groupId, phone], { error: 'Must be a phone number or a group id.' });
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

const contentNames = Object.keys(contentFields) as (keyof typeof contentFields)[];
const namesListed = new Intl.ListFormat('en-GB').format(contentNames);

export const phoneMessage = z
  .strictObject({
    to: chat,
    as: z.literal('own').optional(),
    ...contentFields,
    ...contextFields,
    unavailable: z.boolean().optional(),
  })
  .refine((message) => contentNames.filter((name) => message[name] !== undefined).length === 1, {
    path: ['text'],
    message: `Exactly one of ${namesListed}.`,
  });

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
