import { expect, test } from 'vitest';
import { jsonSlices } from '../../../src/worker/db/database.ts';

const parameterBytesMax = 2_000_000;

test('rows that are too long for one parameter go into several, in order, and none is lost', () => {
  // Each character takes three bytes.
  const rows = Array.from({ length: 50 }, (_, index) => ({ index, text: '\u20ac'.repeat(30_000) }));
  const slices = jsonSlices(rows);
  expect(slices.length).toBeGreaterThan(1);
  expect(slices.flatMap((json) => JSON.parse(json))).toEqual(rows);
  for (const json of slices) expect(Buffer.byteLength(json)).toBeLessThan(parameterBytesMax);
});

test('no rows make no statement', () => {
  expect(jsonSlices([])).toEqual([]);
});
