import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readPhoneNumber,
  readPhoneNumberOf,
} from '../../../src/worker/features/messages/sending/recipient.ts';

const digitsOf = (input: string) => readPhoneNumber(input).digits;

describe('a phone number is read as people paste it', () => {
  test.each([
    ['\u202a+62 812-3456-789\u202c', '628123456789'],
    ['\u200e+62\u00a0812\u20113456\u2011789', '628123456789'],
    ['+62.812.3456.789', '628123456789'],
    ['00628123456789', '628123456789'],
    ['00 62 812 3456 789', '628123456789'],
    ['tel:+62-812-3456-789', '628123456789'],
    ['TEL:+628123456789', '628123456789'],
    ['628123456789@c.us', '628123456789'],
    ['628123456789@s.whatsapp.net', '628123456789'],
    ['628123456789:12@s.whatsapp.net', '628123456789'],
    ['(+62) 812 3456 789', '628123456789'],
    ['+62/812/3456789\n', '628123456789'],
    ['+1 555\u2212000\u20130001', '15550000001'],
    ["'+628123456789", '628123456789'],
  ])('%j is %s', (input, digits) => {
    expect(digitsOf(input)).toBe(digits);
    expect(readPhoneNumberOf(input, 'DE').digits).toBe(digits);
  });

  test('whatever invisible marks and separators stand in it', () => {
    const mark = fc.constantFrom(
      '\u202a',
      '\u202c',
      '\u200b',
      '\ufeff',
      '\u2066',
      '\u00ad',
      ' ',
      '\u00a0',
      '-',
      '\u2011',
      '(',
      ')',
      '/',
    );
    fc.assert(
      fc.property(fc.array(mark, { minLength: 12, maxLength: 12 }), (marks) => {
        const written = [...'628123456789'].map((digit, index) => `${digit}${marks[index]}`).join('');
        expect(digitsOf(`+${written}`)).toBe('628123456789');
      }),
    );
  });
});

describe('what a spreadsheet has made of a phone number is nobody’s', () => {
  test.each([
    ['628123450077.0', 'decimal point'],
    ['628123450077,0', 'decimal point'],
    ['+628123450077.00', 'decimal point'],
    ['628123450077.000', 'decimal point'],
    ['628123450077.5', 'decimal point'],
    ['6.28E+12', 'rounded'],
    ['6,28123E+11', 'rounded'],
    ['6E12', 'rounded'],
    ['6.28e12', 'rounded'],
  ])('%j is refused in a sentence', (input, words) => {
    for (const country of [null, 'ID', 'BR']) {
      expect(readPhoneNumberOf(input, country)).toEqual({
        digits: null,
        perhaps: null,
        problem: expect.stringContaining(words),
      });
    }
  });
});

describe('an address of the network that its country no longer gives out', () => {
  test.each([
    '5215512345678',
    '22507123456',
    '22997123456',
    '551187654321',
    '5511987654321',
    '5491112345678',
  ])('%s is taken as it is', (address) => {
    expect(digitsOf(address)).toBe(address);
    expect(digitsOf(`+${address}`)).toBe(address);
    expect(digitsOf(`${address}@s.whatsapp.net`)).toBe(address);
  });

  test('is taken where the account knows somebody by it, and no plan has such a number', () => {
    expect(readPhoneNumber('9990000000000')).toMatchObject({ digits: null, perhaps: '9990000000000' });
    expect(readPhoneNumber('155512345678')).toMatchObject({ digits: null, perhaps: '155512345678' });
  });

  test('is told from the same digits as the plan has them', () => {
    expect(readPhoneNumber('447400123456')).toMatchObject({ digits: '447400123456', perhaps: null });
    expect(readPhoneNumber('4407400123456')).toMatchObject({
      digits: '447400123456',
      perhaps: '4407400123456',
    });
    expect(readPhoneNumber('+44 (0)7400 123456')).toMatchObject({ digits: '447400123456', perhaps: null });
  });
});

test.each([
  '',
  '12',
  '0812345678',
  '62812345678x',
  '+1-555-555-5555;ext=5555',
  '1,2',
  '+',
  '00',
  '1'.repeat(20),
])('%j is nobody', (input) => {
  expect(readPhoneNumber(input)).toMatchObject({ digits: null, perhaps: null });
  expect(readPhoneNumber(input).problem).not.toBe('');
});
