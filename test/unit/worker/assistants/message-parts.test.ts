import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageParts } from '../../../../src/worker/features/assistants/turns/send-order.ts';

test('a text that fits is one message', () => {
  expect(messageParts('Hello\n\nthere', 50)).toEqual(['Hello\n\nthere']);
  expect(messageParts('  ', 50)).toEqual([]);
});

test('a longer one is parted between paragraphs, then lines, sentences and words', () => {
  expect(messageParts('One two three.\n\nFour five.\n\nSix.', 20)).toEqual([
    'One two three.',
    'Four five.\n\nSix.',
  ]);
  expect(messageParts('- one two three\n- four five\n- six', 20)).toEqual([
    '- one two three',
    '- four five\n- six',
  ]);
  expect(messageParts('It is so. It is not? It may be!', 16)).toEqual([
    'It is so.',
    'It is not?',
    'It may be!',
  ]);
  expect(messageParts('aaaa bbbb cccc dddd eeee', 10)).toEqual(['aaaa bbbb', 'cccc dddd', 'eeee']);
});

test('code stays together, and where it is too long each part of it is code', () => {
  const text = 'Before it.\n\n```\none\n\ntwo\n```\n\nBehind it.';
  expect(messageParts(text, 30)).toEqual(['Before it.\n\n```\none\n\ntwo\n```', 'Behind it.']);
  const long = `\`\`\`\n${Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n')}\n\`\`\``;
  const parts = messageParts(long, 40);
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(part).toMatch(/^```\n[\s\S]+\n```$/);
});

test('no emoji and no letter with its marks is cut apart', () => {
  const family = '👩‍👩‍👧‍👦';
  for (const part of messageParts(family.repeat(20), 50)) expect(part.replaceAll(family, '')).toBe('');
});

test('every part fits, and nothing is lost but blanks', () => {
  const word = fc.constantFrom(
    'word',
    'Sentence.',
    '\n',
    '\n\n',
    'aVeryLongWordWithoutAnyBlank',
    '👍🏽',
    '发票',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 16, max: 80 }), (words, most) => {
      const text = words.join(' ');
      const parts = messageParts(text, most);
      expect(Math.max(0, ...parts.map(({ length }) => length))).toBeLessThanOrEqual(most);
      const bare = (it: string) => it.replaceAll(/\s/g, '');
      expect(bare(parts.join(''))).toBe(bare(text));
    }),
  );
});
