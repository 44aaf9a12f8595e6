import { expect, test } from 'vitest';
import { cutText, shortText } from '../../../../src/contract/texts/text.ts';

test.each([
  ['hello', 10, 'hello'],
  ['hello', 3, 'hel'],
  ['ab👩‍👩‍👧‍👦', 5, 'ab'],
  ['ab🇧🇷🇮🇩', 7, 'ab🇧🇷'],
  ['cafe\u0301!', 4, 'caf'],
  ['हिन्दी', 1, ''],
])('%j cut at %i is %j', (text, most, cut) => {
  expect(cutText(text, most)).toBe(cut);
});

test('a letter with hundreds of marks is cut all the same', () => {
  expect(cutText(`a${'\u0301'.repeat(500)}`, 100)).toHaveLength(100);
});

test('a long text is cut in no more time than a short one', () => {
  expect(cutText('👍🏽'.repeat(100_000), 200_001)).toBe('👍🏽'.repeat(50_000));
});

test('what was cut ends with a sign of it', () => {
  expect(shortText('hello there', 7)).toBe('hello…');
  expect(shortText('hello', 5)).toBe('hello');
});
