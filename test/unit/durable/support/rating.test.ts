import { expect, test } from 'vitest';
import { ratingOf } from '../../../../src/durable/event-log/support/surveys/surveys.ts';

test.each([
  ['5', 5],
  [' 4 ', 4],
  ['5/5', 5],
  ['3!', 3],
  ['5️⃣', 5],
  ['⭐⭐⭐', 3],
  ['★', 1],
  ['２', 2],
  ['٤', 4],
  ['\u200e5\u200f', 5],
])('%j is a rating and nothing else', (text, rating) => {
  expect(ratingOf(text)).toEqual({ rating, isAlone: true });
});

test.each([
  ['4, thank you', 4],
  ['1 because nobody called', 1],
  ['5/5 great', 5],
])('%j is a rating with more to it', (text, rating) => {
  expect(ratingOf(text)).toEqual({ rating, isAlone: false });
});

test.each([
  '',
  '0',
  '6',
  '10',
  '5.5',
  '12:30',
  '4:30',
  '5-10',
  '5–10',
  '50%',
  'hello 5',
  '5th floor',
  '⭐⭐⭐⭐⭐⭐',
  '3'.repeat(400),
])('%j is no rating', (text) => {
  expect(ratingOf(text)).toBeNull();
});
