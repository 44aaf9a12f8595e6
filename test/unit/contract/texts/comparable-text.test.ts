import { describe, expect, test } from 'vitest';
import { comparableText, plainText } from '../../../../src/contract/texts/text.ts';

describe('texts that people take for the same', () => {
  test.each([
    ['İSTANBUL', 'istanbul'],
    ['ISPARTA', 'ısparta'],
    ['don’t', "don't"],
    ['don´t', "don't"],
    ['ʻOkina', "'okina"],
    ['„so“', '"so"'],
    ['10–12', '10-12'],
    ['pri\u200bce', 'price'],
    ['pri\u00adce', 'price'],
    ['\u2068price\u2069', 'price'],
    ['❤\ufe0f', '❤'],
    ['ＡＢＣ１２３', 'abc123'],
    ['cafe\u0301', 'café'],
    ['ﬁne', 'fine'],
    ['STRASSE', 'straße'],
    ['ΣΑΣ', 'σας'],
    ['a \u00a0\n b', 'a b'],
    ['طلب ١٢٣', 'طلب 123'],
    ['مَرْحَبًا', 'مرحبا'],
    ['مـــرحبا', 'مرحبا'],
    ['ﻣﺮﺣﺒﺎ', 'مرحبا'],
    ['שָׁלוֹם', 'שלום'],
    ['צה״ל', 'צה"ל'],
  ])('%j and %j are compared as one', (one, other) => {
    expect(comparableText(one)).toBe(comparableText(other));
  });

  test.each([
    ['ano', 'año'],
    ['ma', 'má'],
    ['हिन्दी', 'हन्द'],
    ['が', 'か'],
  ])('%j and %j are two', (one, other) => {
    expect(comparableText(one)).not.toBe(comparableText(other));
  });

  test('keep case and blanks where only the form is plain', () => {
    expect(plainText(' It’s\u200b  “A” ')).toBe(' It\'s  "A" ');
    expect(plainText('a\0b')).toBe('ab');
  });
});
