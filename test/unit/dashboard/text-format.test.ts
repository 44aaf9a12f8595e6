import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Piece, piecesOf } from '../../../src/dashboard/features/inbox/message/text/text-format.ts';

const plain = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => ('pieces' in piece ? plain(piece.pieces) : piece.text)).join('');

test('bold, italic, struck and code are what phones show as such', () => {
  expect(piecesOf('a *bold* and _italic_ ~gone~ `code`')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'bold', pieces: [{ kind: 'text', text: 'bold' }] },
    { kind: 'text', text: ' and ' },
    { kind: 'italic', pieces: [{ kind: 'text', text: 'italic' }] },
    { kind: 'text', text: ' ' },
    { kind: 'struck', pieces: [{ kind: 'text', text: 'gone' }] },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'code' },
  ]);
  expect(piecesOf('*_both_*')).toEqual([
    { kind: 'bold', pieces: [{ kind: 'italic', pieces: [{ kind: 'text', text: 'both' }] }] },
  ]);
  expect(piecesOf('```two\nlines```')).toEqual([{ kind: 'block', text: 'two\nlines' }]);
});

test.each([
  '2*3*4',
  'snake_case_name',
  '* not bold*',
  '*not bold *',
  '*two\nlines*',
  'a * b',
  '**',
  '`',
  '```',
  '``',
])('what only looks like a mark stays as it is: %s', (text) => {
  expect(piecesOf(text)).toEqual([{ kind: 'text', text }]);
});

test('links are links, without what ends the sentence around them, and nothing else is', () => {
  expect(piecesOf('see https://example.com/a_b_c?x=1, or www.example.org.')).toEqual([
    { kind: 'text', text: 'see ' },
    { kind: 'link', text: 'https://example.com/a_b_c?x=1', href: 'https://example.com/a_b_c?x=1' },
    { kind: 'text', text: ', or ' },
    { kind: 'link', text: 'www.example.org', href: 'https://www.example.org' },
    { kind: 'text', text: '.' },
  ]);
  expect(piecesOf('(https://en.example.org/wiki/Sun_(star))')).toContainEqual({
    kind: 'link',
    text: 'https://en.example.org/wiki/Sun_(star)',
    href: 'https://en.example.org/wiki/Sun_(star)',
  });
  expect(piecesOf('javascript:alert(1) data:text/html,x')).toEqual([
    { kind: 'text', text: 'javascript:alert(1) data:text/html,x' },
  ]);
});

test('whatever somebody writes, no word of it is lost, and every link is one of the web', () => {
  const signs = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '```',
    ' ',
    '\n',
    'a',
    'b',
    'http://x.y',
    'www.',
    '<b>',
    ')',
    '.',
  );
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      const words = (of: string) => of.replaceAll(/[*_~`\n]/g, '');
      const pieces = piecesOf(text);
      expect(words(plain(pieces))).toBe(words(text));
      for (const piece of pieces) if (piece.kind === 'link') expect(piece.href).toMatch(/^https?:\/\//);
    }),
  );
});

test.each(['*a', '_*~', '`a', '```', 'http://', '*a*'])('sixty thousand times %s is read at once', (part) => {
  const startedAt = performance.now();
  piecesOf(part.repeat(60_000 / part.length));
  // A busy machine takes milliseconds for it; what reads anew at each character takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
