import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { onlyGiven } from '../../../../contract/given.ts';
import type { MediaReference, MessageContent } from '../../../../contract/messages/content.ts';
import { fileNameField, inlineBytesMax } from '../../../../contract/messages/media.ts';
import type { MediaKind } from '../../../../contract/messages/media-kinds.ts';
import { textCharactersMax } from '../../../../contract/messages/message.ts';
import { type Base64Bytes, base64Field } from '../../../http/request/base64-text.ts';
import { isPlainText, plainTextProblem } from '../../../http/request/shared-fields.ts';
import { mediaTypeField, typeNamed } from '../../media/file-types.ts';
import { readPhoneNumber } from './recipient.ts';

/** Characters are counted as people see the simple ones: a code point each, so an emoji outside the BMP is one. */
export const characters = (text: string): number => [...text].length;

/** 1 to `most` characters, not only blanks, sent exactly as they are. */
export function wordsSchema(most: number) {
  return z
    .string()
    .min(1)
    .refine((text) => text === '' || text.trim() !== '', 'Must not be blank.')
    .refine((text) => characters(text) <= most, `At most ${most} characters.`)
    .refine(isPlainText, plainTextProblem)
    .meta({ maxLength: most });
}

/** Whom a message names, besides the one whom it goes to: also by digits that only the network knows. */
const phoneSchema = z
  .string()
  .refine((input) => namedDigits(input) !== null, 'Not a phone number with country code.');

function namedDigits(input: string): string | null {
  const { digits, perhaps } = readPhoneNumber(input);
  return digits ?? perhaps;
}

/** What somebody sees of a place or a card in one line. */
const lineCharactersMax = 200;
const cardsMax = 20;
const optionCharactersMax = 100;
const captionCharactersMax = 1024;
const mentionsMax = 256;
/** Bytes of a poll's secret, as its votes are sealed with. */
const secretBytes = 32;

const locationSchema = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: wordsSchema(lineCharactersMax).optional(),
  address: wordsSchema(lineCharactersMax).optional(),
});

const contactSchema = z.strictObject({
  name: wordsSchema(lineCharactersMax),
  phoneNumber: phoneSchema,
  organisation: wordsSchema(lineCharactersMax).optional(),
});

const pollSchema = z
  .strictObject({
    name: wordsSchema(255),
    options: z
      .array(wordsSchema(optionCharactersMax))
      .min(2, 'At least 2 options.')
      .max(12, 'At most 12 options.')
      .refine((options) => new Set(options).size === options.length, 'Each option must be different.'),
    selectableCount: z.int().min(0).default(1),
  })
  .refine(({ options, selectableCount }) => selectableCount <= options.length, {
    path: ['selectableCount'],
    message: 'Must be at most the number of options, or 0 for any number.',
  });

/** The file of a message: one that is stored, or its bytes. */
const fileFields = {
  mediaId: z.uuid({ error: 'Not a media ID: upload the file with POST /v1/media.' }).toLowerCase().optional(),
  url: z.string().max(2048).optional(),
  data: base64Field(inlineBytesMax, `At most ${inlineBytesMax} bytes: upload larger files first.`).optional(),
  mimetype: mediaTypeField.optional(),
};
const caption = { caption: wordsSchema(captionCharactersMax).optional() };
const viewOnce = { viewOnce: z.boolean().optional() };
const fileName = { fileName: fileNameField.optional() };

/** An object with a file, and nothing that contradicts itself. */
function withFile<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...fileFields, ...shape }).superRefine((value, context) => {
    const { url, mediaId, data, mimetype } = value as SentFile;
    if ([url, mediaId, data].filter((it) => it !== undefined).length !== 1) {
      context.addIssue({ code: 'custom', message: 'Give exactly one of url, mediaId and data.' });
    } else if (mimetype !== undefined && data === undefined) {
      context.addIssue({ code: 'custom', path: ['mimetype'], message: 'Only allowed with data.' });
    }
  });
}

/** What a message of any kind may have. */
const contextFields = {
  mentions: z
    .array(phoneSchema)
    .min(1, 'At least 1 phone number.')
    .max(mentionsMax, `At most ${mentionsMax}.`)
    .optional(),
  isForwarded: z.boolean().optional(),
};

/** The fields of a message of each kind, beside those that every message has. */
const contentFields = {
  text: { type: z.literal('text').optional(), text: wordsSchema(textCharactersMax), ...contextFields },
  location: { type: z.literal('location'), location: locationSchema, ...contextFields },
  contacts: {
    type: z.literal('contacts'),
    contacts: z
      .array(contactSchema)
      .min(1, 'At least 1 contact.')
      .max(cardsMax, `At most ${cardsMax} contacts.`),
    ...contextFields,
  },
  poll: { type: z.literal('poll'), poll: pollSchema, ...contextFields },
  image: { type: z.literal('image'), image: withFile({ ...caption, ...viewOnce }), ...contextFields },
  video: { type: z.literal('video'), video: withFile({ ...caption, ...viewOnce }), ...contextFields },
  audio: { type: z.literal('audio'), audio: withFile({ voice: z.boolean().optional() }), ...contextFields },
  document: {
    type: z.literal('document'),
    document: withFile({ ...fileName, ...caption }),
    ...contextFields,
  },
  sticker: { type: z.literal('sticker'), sticker: withFile({}), ...contextFields },
};

type Fields = typeof contentFields;
type Kind = keyof Fields;

export const sendableKinds = Object.keys(contentFields) as Kind[];

/** A message of any kind, with these fields beside those of its kind. */
export function contentSchema<Beside extends z.ZodRawShape>(beside: Beside) {
  const [first, ...others] = sendableKinds.map((kind) =>
    z.strictObject({ ...beside, ...contentFields[kind] }),
  );
  return z.discriminatedUnion('type', [first, ...others] as unknown as [MessageSchema<Beside>]);
}
type MessageSchema<Beside extends z.ZodRawShape> = {
  [K in Kind]: z.ZodObject<Beside & Fields[K], z.core.$strict>;
}[Kind];

/** The file that a message is to carry, as the request names it. */
export interface FileInput {
  kind: MediaKind;
  source: { mediaId: string } | { url: string } | { data: string; mimetype: string | undefined };
  isVoice: boolean;
}

/** A message to send, as it was understood. */
type SentContent = { [K in Kind]: z.infer<z.ZodObject<Fields[K]>> }[Kind];

/** What a message to send carries. The secret of a poll is another one each time. */
export function sentContent(body: SentContent): MessageContent {
  const context = contextOf(body);
  switch (body.type) {
    case 'location':
      return { type: body.type, location: body.location, ...context };
    case 'contacts': {
      const contacts = body.contacts.map(({ phoneNumber, ...card }) => ({
        ...card,
        phoneNumber: namedDigits(phoneNumber) ?? '',
      }));
      return { type: body.type, contacts, ...context };
    }
    case 'poll':
      return {
        type: body.type,
        poll: body.poll,
        secret: randomBytes(secretBytes).toString('base64'),
        ...context,
      };
    case 'image':
      return fileContent(body.type, body.image, context);
    case 'video':
      return fileContent(body.type, body.video, context);
    case 'audio':
      return fileContent(body.type, body.audio, context);
    case 'document':
      return fileContent(body.type, body.document, context);
    case 'sticker':
      return fileContent(body.type, body.sticker, context);
    default:
      return { type: 'text', text: body.text, ...context };
  }
}

interface SentFile {
  url?: string | undefined;
  mediaId?: string | undefined;
  data?: Base64Bytes | undefined;
  mimetype?: string | undefined;
  caption?: string | undefined;
  fileName?: string | undefined;
  viewOnce?: boolean | undefined;
  voice?: boolean | undefined;
}

/** What is known of the file itself comes when it was found, or stored. */
function fileContent(
  type: MediaKind,
  { mediaId = '', caption, fileName, viewOnce, voice }: SentFile,
  context: ReturnType<typeof contextOf>,
): MessageContent {
  const media: MediaReference = {
    ...onlyGiven({ mediaId, caption, fileName }),
    ...(voice && { voice }),
  };
  return { type, media, ...(viewOnce && { viewOnce }), ...context };
}

/** The file that goes with the message; null where none does. */
export function sentFile(body: SentContent): FileInput | null {
  switch (body.type) {
    case 'image':
      return fileInput(body.type, body.image);
    case 'video':
      return fileInput(body.type, body.video);
    case 'audio':
      return fileInput(body.type, body.audio);
    case 'document':
      return fileInput(body.type, body.document);
    case 'sticker':
      return fileInput(body.type, body.sticker);
    default:
      return null;
  }
}

/** Whether the body of a send has the bytes of a file in it. */
export function carriesFile(body: unknown): boolean {
  const { type } = (body ?? {}) as { type?: unknown };
  const file = typeof type === 'string' ? (body as Record<string, unknown>)[type] : null;
  return typeof file === 'object' && file !== null && 'data' in file;
}

function fileInput(kind: MediaKind, { url, mediaId, data, mimetype, voice = false }: SentFile): FileInput {
  const isVoice = voice;
  if (url !== undefined) return { kind, source: { url }, isVoice };
  if (mediaId !== undefined) return { kind, source: { mediaId }, isVoice };
  // What a `data:` URI says of itself is as good as nothing where it is no type.
  const named = mimetype ?? typeNamed(data?.mediaType) ?? undefined;
  return { kind, source: { data: data?.base64 ?? '', mimetype: named }, isVoice };
}

function contextOf({ mentions, isForwarded }: SentContent): Pick<MessageContent, 'mentions' | 'isForwarded'> {
  return {
    ...(mentions && { mentions: mentions.flatMap((input) => namedDigits(input) ?? []) }),
    ...(isForwarded && { isForwarded }),
  };
}

/** The content as a repeat of the same request has it too: without what is made anew each time. */
export function comparable(content: MessageContent): MessageContent {
  if (content.type !== 'poll') return content;
  const { secret: _, ...same } = content;
  return same;
}
