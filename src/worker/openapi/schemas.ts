import { z } from 'zod';
import { timestampSchema } from '../../contract/ids.ts';
import { errorCodes } from './errors.ts';

/**
 * The answers' schemas, by the names that they have in the document and in the client that is made from it: each is put in
 * where it is written.
 */
export const answerSchemas = z.registry<{ id: string }>();

/** The name of an answer's schema. */
export function nameOf(schema: z.ZodType): string {
  const name = answerSchemas.get(schema)?.id;
  if (name === undefined) throw new Error('an answer has a schema without a name');
  return name;
}

/** An answer's fields, under its name in the document and with a sentence about it. */
export const record = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).describe(description).register(answerSchemas, { id });

/** A moment that may not have come yet. */
export const optionalTimestamp = timestampSchema.nullable();

/** A page of a list, newest first. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).describe('Newest first.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('`cursor` of the next page; null on the last one. Opaque: do not parse it.'),
  });

/** The same, under its name in the document. */
export const listOf = <Item extends z.ZodType>(item: Item, id: string) =>
  pageOf(item).register(answerSchemas, { id });

export const allOr = <Item extends z.ZodType>(item: Item) => z.union([z.literal('all'), z.array(item)]);

/** What each code means, in a description. */
export const meaningsOf = (sentences: Record<string, string>) =>
  Object.entries(sentences)
    .map(([code, sentence]) => `\`${code}\`: ${sentence}`)
    .join(' ');

const fieldProblemSchema = z.object({
  path: z.string().describe('The field, as a dotted path: `numberIds.0`.'),
  message: z.string().describe('What is wrong with it, in plain words.'),
});

export const errorCodeSchema = z
  .enum(errorCodes)
  .describe('For programs: one of a closed list of codes.')
  .register(answerSchemas, { id: 'ErrorCode' });

/** Beside an error's code: fields, or figures. */
export const errorDetailsSchema = z
  .array(z.union([fieldProblemSchema, z.record(z.string(), z.union([z.string(), z.number()]))]))
  .describe('The fields with errors, or the figures behind the refusal; only if there are any.');

/** The body of every error. */
export const errorSchema = record('ErrorAnswer', 'Every error has this shape.', {
  error: z.object({
    code: errorCodeSchema,
    message: z.string().describe('For people. It may change: do not compare it.'),
    requestId: z.string().describe('The same as `X-Request-Id`.'),
    details: errorDetailsSchema.optional(),
  }),
});
