import { describe, expect, test } from 'vitest';
import { defaultAccountSettings, withDefaultSettings } from '../../../../src/contract/account-settings.ts';
import {
  comparableWord,
  currentOptOutWords,
  defaultOptOutWords,
  optOutMeaning,
  optOutTextOf,
} from '../../../../src/contract/texts/opt-out-words.ts';

const meaning = (text: string) => optOutMeaning(text, defaultOptOutWords);

describe('an opt-out word', () => {
  test.each([
    ['STOP', 'stop'],
    [' stop\n', 'stop'],
    ['Berhenti', 'stop'],
    ['unsubscribe', 'stop'],
    ['arrêt', 'stop'],
    ['START', 'start'],
    ['mulai ', 'start'],
    ['STOP, please!', 'stop'],
    ['stop it', null],
    ['do not stop', null],
    ['nonstop', null],
    ['', null],
  ])('%j means %s', (text, expected) => {
    expect(meaning(text)).toBe(expected);
  });

  test.each([
    'STOP 🙏',
    '🛑 Stop',
    'STOP ❤️',
    'STOP 🙏🏽',
    'stop 👩‍👩‍👧🇧🇷',
    'STOP 1️⃣',
    '*STOP*',
    '~stop~',
    '`STOP`',
    'S\u200bTOP',
    '\u200eSTOP\u200f',
    '\ufeffstop',
    'ＳＴＯＰ',
    '“Stop”',
    'STOP ™️',
    'STOP'.padEnd(60, '🙏'),
    'QUİT',
  ])('is one with signs that are no text: %j', (text) => {
    expect(meaning(text)).toBe('stop');
  });

  test.each([
    'cancel',
    'End',
    'quit',
    'opt-out',
    'sair',
    'pare',
    'baja',
    'cancelar',
    'keluar',
    'Keluar, terima kasih',
  ])('%j is one by default', (text) => {
    expect(meaning(text)).toBe('stop');
  });

  test('may be a symbol alone, with and without what asks for its coloured form', () => {
    const words = { stopWords: [comparableWord('✋')], startWords: [] };
    expect(optOutMeaning('✋\ufe0f', words)).toBe('stop');
    expect(optOutMeaning('👍', words)).toBeNull();
  });

  test('that an earlier release has stored in its form of then still holds', () => {
    expect(optOutMeaning('arrêt’s', { stopWords: ['ARRÊT’S'], startWords: [] })).toBe('stop');
  });

  test('is compared the same however often it is brought into its form', () => {
    for (const text of ['STOP 🙏', 'ŉ', 'İptal', 'straße', '✋\ufe0f', '´stop´', '5️⃣']) {
      expect(comparableWord(comparableWord(text))).toBe(comparableWord(text));
    }
  });

  test('is looked for in short texts alone', () => {
    expect(optOutTextOf('please stop 🙏')).toBe('PLEASE STOP');
    expect(optOutTextOf('x'.repeat(33))).toBeNull();
    expect(optOutTextOf(`STOP${' '.repeat(300)}`)).toBeNull();
    expect(optOutTextOf('')).toBeNull();
  });

  test('is what the account says it is', () => {
    const words = { stopWords: ['NO MORE'], startWords: [] };
    expect(optOutMeaning('no   more', words)).toBe('stop');
    expect(optOutMeaning('STOP', words)).toBeNull();
  });
});

describe('an account that never changed its words', () => {
  const former = ['STOP', 'STOPP', 'UNSUBSCRIBE', 'BERHENTI', 'ALTO', 'PARAR', 'ARRET', 'ARRÊT'];

  test('has those of today, also where the former ones were stored with other settings', () => {
    const stored = {
      ...defaultAccountSettings,
      optOut: { stopWords: former, startWords: ['START'], confirmation: 'Done.' },
    };
    expect(withDefaultSettings(stored).optOut).toEqual({
      stopWords: defaultOptOutWords.stopWords,
      startWords: ['START'],
      confirmation: 'Done.',
    });
    expect(withDefaultSettings(null)).toEqual(defaultAccountSettings);
    expect(optOutMeaning('SAIR', stored.optOut)).toBe('stop');
  });

  test('keeps its own words where it changed them', () => {
    const own = { stopWords: former.slice(1), startWords: [] };
    expect(currentOptOutWords(own)).toEqual(own);
  });

  test('gets no stop word that starts there', () => {
    expect(optOutMeaning('cancel', { stopWords: former, startWords: ['CANCEL'] })).toBe('start');
  });
});
