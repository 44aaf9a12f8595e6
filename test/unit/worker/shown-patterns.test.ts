import { expect, test } from 'vitest';
import { z } from 'zod';
import { validationRefusal } from '../../../src/worker/http/request/validation-details.ts';
import { patternsShown } from '../../worker/openapi/shown-patterns.ts';

test('a form without a sentence is found however deep it stands, and is not shown even so', () => {
  const bare = z.string().regex(/^a+$/);
  const schema = z.strictObject({
    list: z.array(z.union([z.number(), z.strictObject({ name: bare.optional() })])),
    said: z.string().regex(/^b+$/, 'Only the letter b.'),
  });
  expect(patternsShown(schema, 'body')).toHaveLength(1);
  const error = z.strictObject({ name: bare }).safeParse({ name: 'x' }).error;
  expect(error && validationRefusal(error).details).toEqual([
    { path: 'name', message: 'Not in the format of this field.' },
  ]);
});
