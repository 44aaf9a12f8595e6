import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { textCharactersMax } from '../contract/message.ts';
import type { MessageContent } from '../contract/messages/content.ts';
import { isPlainText, plainTextProblem } from './http/request/shared-fields.ts';
import { normalisePhoneNumber } from './recipient.ts';

/** Characters are counted as people see the simple ones: a code point each, so an emoji outside the BMP is one. */
export const characters = (text: string): number => [...text].length;

/** 1 to `most` characters, not only blanks, sent exactly as they are. */
function wordsSchema(most: number) {
  return z
    .string()
    .min(1, 'At least 1 character.')
    .refine((text) => text === '' || text.trim() !== '', 'Must not be blank.')
    .refine((text) => characters(text) <= most, `At most ${most} characters.`)
    .refine(isPlainText, plainTextProblem)
    .meta({ maxLength: most });
}

const phoneSchema = z
  .string()
  .refine((input) => normalisePhoneNumber(input) !== null, 'Not a phone number with country code.');

/** What somebody sees of a place or a card in one line. */
const lineCharactersMax = 200;
const cardsMax = 20;
const optionCharactersMax = 100;
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
      .refine((options) => new Set(options).size === options.length, 'No option twice.'),
    selectableCount: z.int().min(0).default(1),
  })
  .refine(({ options, selectableCount }) => selectableCount <= options.length, {
    path: ['selectableCount'],
    message: 'At most as many as there are options; 0 for any number.',
  });

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
export const contentFields = {
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
};

type Fields = typeof contentFields;
/** A message to send, as it was understood. */
type SentContent = { [Kind in keyof Fields]: z.infer<z.ZodObject<Fields[Kind]>> }[keyof Fields];

/** What a message to send carries. The secret of a poll is another one each time. */
export function sentContent(body: SentContent): MessageContent {
  const context = contextOf(body);
  switch (body.type) {
    case 'location':
      return { type: body.type, location: body.location, ...context };
    case 'contacts': {
      const contacts = body.contacts.map(({ phoneNumber, ...card }) => ({
        ...card,
        phoneNumber: normalisePhoneNumber(phoneNumber) ?? '',
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
    default:
      return { type: 'text', text: body.text, ...context };
  }
}

function contextOf({ mentions, isForwarded }: SentContent): Pick<MessageContent, 'mentions' | 'isForwarded'> {
  return {
    ...(mentions && { mentions: mentions.flatMap((input) => normalisePhoneNumber(input) ?? []) }),
    ...(isForwarded && { isForwarded }),
  };
}

/** The content as a repeat of the same request has it too: without what is made anew each time. */
export function comparable(content: MessageContent): MessageContent {
  if (content.type !== 'poll') return content;
  const { secret: _, ...same } = content;
  return same;
}
