import { expect, test } from 'vitest';
import { numberIdsSchema, uuidSchema } from '../../src/contract/ids.ts';

test('an id in capital letters is the same id', () => {
  const id = '01a2245d-1d3b-7000-8000-009d4e6d9882';
  expect(uuidSchema.parse(id.toUpperCase())).toBe(id);
  expect(numberIdsSchema.parse([id.toUpperCase()])).toEqual([id]);
});
