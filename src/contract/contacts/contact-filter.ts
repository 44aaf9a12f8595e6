import { z } from 'zod';
import { attributeOperators, takesValue } from './attribute-operators.ts';
import { attributeNameSchema, attributeValueSchema } from './attributes.ts';
import { labelSchema } from './contact.ts';

/** One thing that must hold of an attribute. Texts are compared without case; dates as they sort. */
export const attributeConditionSchema = z
  .strictObject({
    name: attributeNameSchema,
    operator: z.enum(attributeOperators),
    value: attributeValueSchema.optional(),
  })
  .refine(({ operator, value }) => (value !== undefined) === takesValue(operator), {
    path: ['value'],
    message: 'Required by every operator except exists and missing, which take none.',
  });
export type AttributeCondition = z.infer<typeof attributeConditionSchema>;

/** Two letters (ISO 3166), as a phone number tells it. */
export const countrySchema = z.string().regex(/^[A-Z]{2}$/, 'Must be two capital letters, such as ID or BR.');

const daysSchema = z.int().min(1).max(3650);

/** Between what a segment searches for and what is searched for within it, in one `q`. */
export const searchSeparator = '\n';

/** Which contacts are meant: all of it must hold. */
export const contactFilterSchema = z
  .strictObject({
    /** Words, each the beginning of one in a name, or of the phone number. */
    q: z.string().min(1).max(200),
    /** All of them. */
    labels: z.array(labelSchema).min(1).max(10),
    /** One of them. */
    countries: z.array(countrySchema).min(1).max(50),
    /** They wrote to one of the account's numbers within so many days, or for so many days they have not. */
    seenWithinDays: daysSchema,
    notSeenForDays: daysSchema,
    /** Whether they have ever written. */
    hasWritten: z.boolean(),
    attributes: z.array(attributeConditionSchema).min(1).max(10),
  })
  .partial();
export type ContactFilter = z.infer<typeof contactFilterSchema>;
