import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasPhrase, indexedText, matchOf, phrasesOf, termsOf } from '../../../../src/durable/search-terms.ts';

/** Whether the index finds a text, by whole words, and by their beginnings. */
function found(text: string, q: string, isOpen = false): boolean {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2")`,
  );
  database.prepare('INSERT INTO words (rowid, text) VALUES (1, ?)').run(indexedText(text));
  const match = phrasesOf(q)
    .map((phrase) => matchOf(phrase, isOpen))
    .join(' ');
  if (match === '') return false;
  return database.prepare('SELECT rowid FROM words WHERE words MATCH ?').all(match).length > 0;
}

/** Whether the same is found without an index. */
function foundWithout(text: string, q: string, isOpen = false): boolean {
  const phrases = phrasesOf(q);
  const terms = termsOf(text);
  return phrases.length > 0 && phrases.every((phrase) => hasPhrase(terms, phrase, isOpen));
}

const cases: [what: string, text: string, q: string][] = [
  ['Chinese within a sentence', '请给我开一张发票谢谢', '发票'],
  ['one Chinese character', '请给我开一张发票谢谢', '票'],
  ['the last Chinese character', '请给我开一张发票', '票'],
  ['a whole Chinese sentence', '请给我开一张发票谢谢', '请给我开一张发票谢谢'],
  ['Chinese beside Latin letters', '订单A12号码', 'A12号'],
  ['Latin letters beside Chinese', '新款iPhone手机壳', 'iphone'],
  ['Chinese, then Latin letters', '新款iPhone手机壳', '款iPhone手机'],
  ['one character behind Latin letters', '新款iPhone手机壳', 'iPhone手'],
  ['two parts of a sentence', '请给我开一张发票谢谢', '谢谢 发票'],
  ['Japanese in kanji and kana', '領収書をください', '領収書'],
  ['Katakana of half width', 'ﾎﾃﾙを予約', 'ホテル'],
  ['Korean with an ending', '영수증을 보내 주세요', '영수증'],
  ['Thai', 'ขอใบเสร็จด้วยค่ะ', 'ใบเสร็จ'],
  ['Lao', 'ຂໍໃບບິນແດ່', 'ໃບບິນ'],
  ['Khmer', 'សូមផ្ញើវិក្កយបត្រ', 'វិក្កយបត្រ'],
  ['Myanmar', 'ပြေစာပေးပါ', 'ပြေစာ'],
  ['Hindi', 'कृपया चालान भेजें', 'चालान'],
  ['Vietnamese as it is written', 'Đơn hàng của tôi đâu?', 'đơn hàng'],
  ['Vietnamese without its signs', 'Đơn hàng của tôi đâu?', 'don hang'],
  ['Vietnamese in parts', 'Tiếng Việt'.normalize('NFD'), 'tiếng việt'],
  ['Turkish large dotted i', 'İSTANBUL', 'istanbul'],
  ['Turkish small dotless i', 'ısparta', 'ISPARTA'],
  ['Arabic without its vowels', 'مَرْحَبًا بكم', 'مرحبا'],
  ['Arabic with vowels in the question', 'مرحبا بكم', 'مَرْحَبًا'],
  ['Arabic in presentation forms', 'ﻣﺮﺣﺒﺎ', 'مرحبا'],
  ['Arabic without hamza', 'أريد فاتورة', 'اريد'],
  ['Hebrew with niqqud', 'שָׁלוֹם', 'שלום'],
  ['Greek in capitals', 'καλημέρα σας', 'ΚΑΛΗΜΕΡΑ'],
  ['Russian ё', 'счёт', 'счет'],
  ['German ß', 'Hauptstraße 5', 'hauptstrasse'],
  ['full-width letters', 'ＡＢＣ１２３', 'abc123'],
  ['a zero-width character within a word', 'in\u200bvoice', 'invoice'],
  ['an accent', 'Preço', 'preco'],
  ['a word with an apostrophe', 'O’Brien', "O'Brien"],
];

describe.each([
  ['an index', found],
  ['the words alone', foundWithout],
])('%s', (_, finds) => {
  test.each(cases)('finds %s', (_what, text, q) => {
    expect(finds(text, q)).toBe(true);
    expect(finds(text, q, true)).toBe(true);
  });

  test.each([
    ['请给我开一张发票谢谢', '票发'],
    ['发货单，税票', '发票'],
    ['ขอใบเสร็จ', 'ใบแจ้ง'],
    ['हाना दो', 'हिन्दी'],
    ['ano', 'anos'],
    ['invoices', 'voice'],
    ['Мой', 'Мои'],
    ['か', 'が'],
    ['发票', '🙏'],
    ['发票', ''],
  ])('of %j does not find %j', (text, q) => {
    expect(finds(text, q)).toBe(false);
  });

  test('finds any part of a run of Chinese', () => {
    const character = fc.constantFrom(...'发票请给我开一张谢');
    fc.assert(
      fc.property(
        fc.array(character, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (characters, from, length) => {
          const start = from % characters.length;
          const part = characters.slice(start, start + 1 + (length % characters.length)).join('');
          expect(finds(`a ${characters.join('')} b`, part)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('a text of words alone has the same words in its index', () => {
  const text = "The order O'Brien-12 left us; grüße, Ñandú!";
  expect(termsOf(text)).toEqual(['the', 'order', 'o', 'brien', '12', 'left', 'us', 'grusse', 'nandu']);
  expect(indexedText('Plain words.')).toBe('plain words.');
});

test('the beginnings of words are found where they are asked for', () => {
  expect(found('Wholesale 张伟明', 'whole', true)).toBe(true);
  expect(found('Wholesale 张伟明', 'whole')).toBe(false);
  expect(found('Wholesale 张伟明', '伟', true)).toBe(true);
});

test('only the last word of what is looked for may go on', () => {
  for (const finds of [found, foundWithout]) {
    expect(finds('O’Brienne of Kilkenny', "O'Brien", true)).toBe(true);
    expect(finds('Oscar Brienne', "O'Brien", true)).toBe(false);
  }
});
