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
    ['label', expect.stringContaining('expected string')],
    ['scopes', expect.stringContaining('expected array')],
    ['until', expect.stringContaining('datetime')],
  ]);
  expect(told({ label: '7', scopes: [], until: '1969-01-01T00:00:00Z' })?.map(([path]) => path)).toEqual([
    'label',
    'label',
    'until',
  ]);
});
