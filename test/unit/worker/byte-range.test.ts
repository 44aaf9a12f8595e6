import { expect, test } from 'vitest';
import { byteRange } from '../../../src/worker/features/media/operations.ts';

test.each([
  ['bytes=0-3', { offset: 0, length: 4 }],
  ['bytes=3-3', { offset: 3, length: 1 }],
  ['bytes=9-9', { offset: 9, length: 1 }],
  ['bytes=4-', { offset: 4, length: 6 }],
  ['bytes=-3', { offset: 7, length: 3 }],
  [' bytes=0-100 ', { offset: 0, length: 10 }],
  ['bytes=-100', { offset: 0, length: 10 }],
  ['bytes=10-', 'beyond'],
  ['bytes=10-12', 'beyond'],
  ['bytes=-0', 'beyond'],
  // What is no range, or more than one: all of the file.
  ['bytes=5-3', null],
  ['bytes=-', null],
  ['bytes=0-1,4-5', null],
  ['items=0-3', null],
  ['bytes=a-b', null],
  [undefined, null],
])('of ten bytes %j asks for %j', (header, expected) => {
  expect(byteRange(header, 10)).toEqual(expected);
});

test('of an empty file there is no part', () => {
  expect(byteRange('bytes=0-', 0)).toBe('beyond');
  expect(byteRange('bytes=-1', 0)).toBe('beyond');
});
