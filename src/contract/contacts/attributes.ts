import { z } from 'zod';

/** What the values of an attribute are. A date is a day, or a time in UTC, as text. */
const attributeTypes = ['text', 'number', 'boolean', 'date'] as const;
export const attributeTypeSchema = z.enum(attributeTypes);
export type AttributeType = z.infer<typeof attributeTypeSchema>;

const attributeCharactersMax = 1000;
const attributesMax = 50;

export const attributeNameSchema = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_]{0,49}$/,
    'Must be letters, digits and underscores, start with a letter and be at most 50 characters long.',
  );
export const attributeValueSchema = z.union([
  z.string().max(attributeCharactersMax),
  z.number(),
  z.boolean(),
]);
export type AttributeValue = z.infer<typeof attributeValueSchema>;

export const attributesSchema = z
  .record(attributeNameSchema, attributeValueSchema)
  .refine(
    (attributes) => Object.keys(attributes).length <= attributesMax,
    `At most ${attributesMax} attributes.`,
  );
export type ContactAttributes = z.infer<typeof attributesSchema>;

const day = z.iso.date();
const moment = z.iso.datetime({ offset: true });

const isDate = (text: string) => day.safeParse(text).success || moment.safeParse(text).success;

/** Of an attribute that nobody has declared: what its first value is. */
export function inferredType(value: AttributeValue): AttributeType {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

export function fitsType(type: AttributeType, value: AttributeValue): boolean {
  if (type === 'date') return typeof value === 'string' && isDate(value);
  return typeof value === (type === 'text' ? 'string' : type);
}

const sentences: Record<AttributeType, string> = {
  text: `Must be a text of at most ${attributeCharactersMax} characters.`,
  number: 'Must be a number.',
  boolean: 'Must be true or false.',
  date: 'Must be a day (2026-01-31) or a time (2026-01-31T09:30:00Z).',
};
export const attributeProblem = (type: AttributeType): string => sentences[type];

const trueWords = new Set(['true', 'yes', 'y', '1']);
const falseWords = new Set(['false', 'no', 'n', '0']);

/** Also as an export writes a very large or very small one: `1e+21`. */
const isNumber = /^[+-]?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i;

/** A value as it stands in a cell of a file; null: it does not fit. */
export function attributeOfText(type: AttributeType, text: string): AttributeValue | null {
  switch (type) {
    case 'text':
      return text.length <= attributeCharactersMax ? text : null;
    case 'number':
      return isNumber.test(text) && text.length <= 30 && Number.isFinite(Number(text)) ? Number(text) : null;
    case 'boolean': {
      const word = text.toLowerCase();
      return trueWords.has(word) ? true : falseWords.has(word) ? false : null;
    }
    case 'date':
      return isDate(text) ? text : null;
  }
}
