import { expect, test } from 'vitest';
import { changedFields } from '../../../src/dashboard/parts/fields/changed-fields.ts';

test('only what was changed in a form is saved, so that nothing is undone that somebody else saved meanwhile', () => {
  const first = { name: 'Desk', labels: ['a'], provider: { model: 'x', prices: [1, 2] } };
  expect(changedFields({ ...first, name: 'Front desk' }, first)).toEqual({ name: 'Front desk' });
  expect(changedFields({ ...first, labels: [] as string[] }, first)).toEqual({ labels: [] });
  const other = { model: 'x', prices: [1, 3] };
  expect(changedFields({ ...first, provider: other }, first)).toEqual({ provider: other });
  expect(changedFields(structuredClone(first), first)).toEqual({});
});

test('of a form without first values everything is saved', () => {
  expect(changedFields({ name: 'Desk' })).toEqual({ name: 'Desk' });
});
