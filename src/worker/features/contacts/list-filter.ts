import { z } from 'zod';
import { labelCharactersMax } from '../../../contract/contacts/contact.ts';
import {
  attributeConditionSchema,
  type ContactFilter,
  countrySchema,
  searchSeparator,
} from '../../../contract/contacts/contact-filter.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { yesOrNo } from '../../http/request/query.ts';
import { unusablePlace } from '../../http/request/unusable-json.ts';

const days = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'Must be a whole number of days from 1 to 3650.')
  .transform(Number)
  .refine((value) => value <= 3650, 'Must be a whole number of days from 1 to 3650.')
  .meta({ type: 'integer', minimum: 1, maximum: 3650 });

/** JSON in a parameter. */
export const jsonParameter = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .max(4000)
    .transform((text, context): unknown => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'Not valid JSON.' });
        return z.NEVER;
      }
      const unusable = unusablePlace(text, value);
      if (unusable !== null) context.addIssue({ code: 'custom', ...unusable });
      return unusable === null ? value : z.NEVER;
    })
    .pipe(schema)
    .meta({ type: 'string', maxLength: 4000 });

/** What a list of contacts may be narrowed by. */
export const contactListQuery = {
  q: z.string().min(1).max(200).optional(),
  label: z.string().min(1).max(labelCharactersMax).optional(),
  country: countrySchema.optional(),
  seenWithinDays: days.optional(),
  notSeenForDays: days.optional(),
  hasWritten: yesOrNo.optional(),
  optedOut: yesOrNo.optional(),
  attributes: jsonParameter(z.array(attributeConditionSchema).min(1).max(10)).optional(),
  segmentId: uuidSchema.optional(),
};

type ListFilter = z.output<z.ZodObject<typeof contactListQuery>>;

/** The part of a list's filter that the log knows of, together with a segment's. */
export function logFilter(
  list: Omit<ListFilter, 'optedOut' | 'segmentId'>,
  segment: ContactFilter,
): ContactFilter {
  const { q, label, country, seenWithinDays, notSeenForDays, hasWritten, attributes } = list;
  const searched = [segment.q, q].filter((it) => it !== undefined).join(searchSeparator);
  const labels = [...(segment.labels ?? []), ...(label === undefined ? [] : [label])];
  // Nobody has written and has not: nobody is of no country.
  const isNobody = segment.hasWritten !== undefined && hasWritten === !segment.hasWritten;
  const countries = isNobody
    ? []
    : country === undefined
      ? segment.countries
      : [country].filter((it) => segment.countries?.includes(it) ?? true);
  const within = least(segment.seenWithinDays, seenWithinDays);
  const notFor = most(segment.notSeenForDays, notSeenForDays);
  const conditions = [...(segment.attributes ?? []), ...(attributes ?? [])];
  const written = hasWritten ?? segment.hasWritten;
  return {
    ...(searched !== '' && { q: searched }),
    ...(labels.length > 0 && { labels }),
    ...onlyGiven({ countries, seenWithinDays: within, notSeenForDays: notFor, hasWritten: written }),
    ...(conditions.length > 0 && { attributes: conditions }),
  };
}

const least = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
const most = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
