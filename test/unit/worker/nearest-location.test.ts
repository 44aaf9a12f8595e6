import { expect, test } from 'vitest';
import { nearestLocation } from '../../../src/worker/features/numbers/operations.ts';

const from = (cf: Record<string, string> | undefined) => nearestLocation({ cf } as unknown as Request);

test.each([
  [{ continent: 'AS', longitude: '106.8' }, 'apac'],
  [{ continent: 'EU', longitude: '13.4' }, 'weur'],
  [{ continent: 'EU', longitude: '30.5' }, 'eeur'],
  [{ continent: 'NA', longitude: '-122.4' }, 'wnam'],
  [{ continent: 'NA', longitude: '-74.0' }, 'enam'],
  [{ continent: 'SA', longitude: '-46.6' }, 'sam'],
])('objects for a caller at %o are best made in %s', (cf, location) => {
  expect(from(cf)).toBe(location);
});

test('where a caller is nobody knows, the platform decides', () => {
  expect(from(undefined)).toBeNull();
  expect(from({ continent: 'T1' })).toBeNull();
});
