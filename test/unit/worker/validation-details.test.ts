import { expect, test } from 'vitest';
import { z } from 'zod';
import { validationRefusal } from '../../../src/worker/http/request/validation-details.ts';

/** The details of a list with so many mistakes. */
function detailsOf(mistakes: number) {
  const { error } = z.array(z.string()).safeParse(Array(mistakes).fill(1));
  return error === undefined ? [] : (validationRefusal(error).details ?? []);
}

test('up to 20 mistakes are each told by their path, and of more how many there are', () => {
  expect(detailsOf(20)).toHaveLength(20);
  expect(detailsOf(20).at(-1)).toMatchObject({ path: '19' });
  expect(detailsOf(21)).toHaveLength(21);
  expect(detailsOf(21).at(-1)).toMatchObject({
    path: 'body',
    message: 'And 1 more mistake.',
  });
  expect(detailsOf(500).at(-1)).toMatchObject({ message: 'And 480 more mistakes.' });
});

test('of a field of the wrong type, or in no format at all, only that is told, and of another field all that is wrong', () => {
  const schema = z.strictObject({
    label: z
      .string()
      .min(3)
      .regex(/^[a-z]+$/, 'Only letters.'),
    scopes: z.array(z.string()).max(2),
    until: z.iso.datetime().refine((value) => Date.parse(value) > 0, 'Must be in the future.'),
  });
  const told = (value: unknown) => {
    const { error } = schema.safeParse(value);
    return error && validationRefusal(error).details?.map(({ path, message }) => [path, message]);
  };
  expect(told({ label: [], scopes: 'everything', until: 'soon' })).toEqual([
    ['label', 'Must be a string.'],
    ['scopes', 'Must be a list.'],
    ['until', 'Must be a time such as 2026-01-31T09:30:00Z.'],
  ]);
  expect(told({ label: '7', scopes: [], until: '1969-01-01T00:00:00Z' })?.map(([path]) => path)).toEqual([
    'label',
    'label',
    'until',
  ]);
});

const at = <State extends string>(is: State) => z.strictObject({ is: z.literal(is) });

/** What is said of this value, where the schema has no sentence of its own. */
function saidOf(schema: z.ZodType, value: unknown) {
  const { error } = schema.safeParse(value);
  return error === undefined ? null : validationRefusal(error).details?.map(({ message }) => message);
}

test.each<[string, z.ZodType, unknown]>([
  ['This field is required.', z.string(), undefined],
  ['This field is required.', z.enum(['a', 'b']), undefined],
  ['This field is required.', z.union([z.string(), z.number()]), undefined],
  ['Must be a whole number.', z.int(), 1.5],
  ['Must be a number.', z.number(), '7'],
  ['Must be true or false.', z.boolean(), 'yes'],
  ['Must be an object.', z.record(z.string(), z.string()), []],
  ['Must be an object.', z.strictObject({ a: z.string() }), 'a'],
  ['Must be one of: queued, sent.', z.enum(['queued', 'sent']), 'lost'],
  ['Must be one of: queued, sent.', z.discriminatedUnion('is', [at('queued'), at('sent')]), { is: 'lost' }],
  ['Must be "all".', z.literal('all'), 'none'],
  ['At least 1 character.', z.string().min(1), ''],
  ['At most 2,048 characters.', z.string().max(2048), 'a'.repeat(2049)],
  ['At least 2 entries.', z.array(z.string()).min(2), ['a']],
  ['At most 1 entry.', z.array(z.string()).max(1), ['a', 'b']],
  ['Must be 3 characters.', z.string().length(3), 'ab'],
  ['At least 0.', z.number().min(0), -1],
  ['At most 86,400,000.', z.number().max(86_400_000), 1e9],
  ['More than 0.', z.number().positive(), 0],
  ['Less than 1.5.', z.number().lt(1.5), 1.5],
  ['Must be a multiple of 0.25.', z.number().multipleOf(0.25), 0.3],
  ['Must be an email address.', z.email(), 'me'],
  ['Must be a URL.', z.url(), 'here'],
  ['Must be a UUID.', z.uuid(), '1'],
  ['Must be a day such as 2026-01-31.', z.iso.date(), 'today'],
  ['Not in the format of this field.', z.string().regex(/^[a-z]+$/), '1'],
  ['Not in a form that this field takes.', z.union([z.string(), z.number()]), true],
])('a rule without a sentence of its own says "%s"', (sentence, schema, value) => {
  expect(saidOf(schema, value)).toEqual([sentence]);
});

test('a rule with a sentence of its own says that one, also of a field that is missing', () => {
  expect(saidOf(z.string('Your name.'), undefined)).toEqual(['Your name.']);
  expect(saidOf(z.array(z.string()).min(1, 'At least 1 message.'), [])).toEqual(['At least 1 message.']);
});
