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
