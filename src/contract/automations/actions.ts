import { z } from 'zod';
import { labelCharactersMax } from '../contacts/contact.ts';
import { conversationStatusSchema, prioritySchema } from '../conversations/conversation.ts';
import { uuidSchema } from '../ids.ts';
import { textCharactersMax } from '../messages/message.ts';

const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0');
/** A code point each, as everywhere. */
const characters = (text: string) => [...text].length;

/** 1 to `most` characters, not only blanks. */
export const wordsSchema = (most: number) =>
  z
    .string()
    .min(1)
    .refine((text) => text === '' || text.trim() !== '', 'Must not be blank.')
    .refine((text) => characters(text) <= most, `At most ${most} characters.`)
    .refine(isPlain, 'Not valid text: it contains a NUL character or half of a surrogate pair.')
    .meta({ maxLength: most });

/** The longest that a reply may be put off. */
const replyDelaySecondsMax = 3_600;
const urlCharactersMax = 2_048;
const captionCharactersMax = 1_024;

const replyMediaSchema = z
  .strictObject({
    type: z.enum(['image', 'video', 'audio', 'document']),
    url: z.string().max(urlCharactersMax).optional(),
    mediaId: uuidSchema.optional(),
    caption: wordsSchema(captionCharactersMax).optional(),
    fileName: z
      .string()
      .regex(/^[^/\\\0]{1,255}$/, 'Must be 1 to 255 characters, without slashes.')
      .optional(),
  })
  .superRefine(({ type, url, mediaId, caption, fileName }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((url === undefined) === (mediaId === undefined))
      problem('url', 'Give exactly one of url and mediaId.');
    if (type === 'audio' && caption !== undefined) problem('caption', 'An audio file has no caption.');
    if (type !== 'document' && fileName !== undefined) problem('fileName', 'Only a document has a name.');
  });
export type ReplyMedia = z.infer<typeof replyMediaSchema>;

const replySchema = z
  .strictObject({
    type: z.literal('reply'),
    text: wordsSchema(textCharactersMax).optional(),
    media: replyMediaSchema.optional(),
    delaySeconds: z.int().min(0).max(replyDelaySecondsMax).optional(),
  })
  .refine(({ text, media }) => (text === undefined) !== (media === undefined), {
    path: ['text'],
    message: 'Give exactly one of text and media.',
  });

const assignSchema = z
  .strictObject({
    type: z.literal('assign'),
    assigneeId: uuidSchema.nullable().optional(),
    teamId: uuidSchema.nullable().optional(),
  })
  .refine(({ assigneeId, teamId }) => assigneeId !== undefined || teamId !== undefined, {
    path: ['assigneeId'],
    message: 'Give assigneeId, teamId, or both. Null unassigns.',
  });

const labelsMax = 20;
const labelsSchema = z
  .array(
    wordsSchema(labelCharactersMax).refine(
      (label) => label.trim() === label,
      'Must not begin or end with a space.',
    ),
  )
  .min(1)
  .max(labelsMax);

const labelSchema = z
  .strictObject({
    type: z.literal('label'),
    add: labelsSchema.optional(),
    remove: labelsSchema.optional(),
  })
  .refine(({ add = [], remove = [] }) => add.length + remove.length > 0, {
    path: ['add'],
    message: 'Give labels to add, to remove, or both.',
  });

const setStatusSchema = z.strictObject({
  type: z.literal('set_status'),
  status: conversationStatusSchema.exclude(['snoozed']),
});

const noteCharactersMax = 2_000;

/** What a rule does, in the order in which it stands. */
export const actionSchema = z.discriminatedUnion('type', [
  replySchema,
  assignSchema,
  labelSchema,
  setStatusSchema,
  z.strictObject({ type: z.literal('set_priority'), priority: prioritySchema }),
  z.strictObject({ type: z.literal('note'), text: wordsSchema(noteCharactersMax) }),
  z.strictObject({
    type: z.literal('call_webhook'),
    url: z.string().max(urlCharactersMax),
  }),
  z.strictObject({ type: z.literal('start_assistant'), assistantId: uuidSchema.optional() }),
  z.strictObject({ type: z.literal('stop') }),
]);
export type Action = z.infer<typeof actionSchema>;
export type ActionType = Action['type'];
export type ActionOf<Type extends ActionType> = Extract<Action, { type: Type }>;
