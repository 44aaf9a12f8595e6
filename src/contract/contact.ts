import { z } from 'zod';
import { personSchema } from './group.ts';

/** What a number learns of somebody: an address at least, and what the phone's address book or they themselves say. */
export const seenContactSchema = personSchema.extend({
  /** As the owner of the phone has written it down; empty: no more. */
  name: z.string().max(512).optional(),
  /** As they call themselves. */
  pushName: z.string().max(512).optional(),
});
export type SeenContact = z.infer<typeof seenContactSchema>;

/** Contacts in one fact of a bridge. */
export const seenContactsMax = 100;

export const labelCharactersMax = 50;
const labelsMax = 50;
const attributesMax = 50;

const labelSchema = z
  .string()
  .min(1)
  .max(labelCharactersMax)
  .refine((label) => label.trim() === label, 'Begins or ends with a space.');
export const labelsSchema = z
  .array(labelSchema)
  .max(labelsMax)
  .transform((labels) => [...new Set(labels)]);

const attributeNameSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,49}$/, 'Letters, digits and underscores, a letter first, 50 at most.');
export const attributesSchema = z
  .record(attributeNameSchema, z.union([z.string().max(1000), z.number(), z.boolean()]))
  .refine(
    (attributes) => Object.keys(attributes).length <= attributesMax,
    `At most ${attributesMax} attributes.`,
  );
export type ContactAttributes = z.infer<typeof attributesSchema>;
