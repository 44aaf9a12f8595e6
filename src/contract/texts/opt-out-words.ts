import { comparableText } from './text.ts';

/** Longest word that is looked for in an inbound message, in characters as they are compared. */
export const optOutCharactersMax = 32;
/** Longest text that is looked at: a word, with a polite one and a few signs around it. */
const optOutTextCharactersMax = 256;

/** An account's words, as they are compared. */
export interface OptOutWords {
  stopWords: readonly string[];
  startWords: readonly string[];
}

/** Symbols of any kind. The emoji that looks like a key is a sign of the keyboard with a mark. */
const symbols = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[0-9#*]\uFE0F?\u20E3/gu;
const signsAround = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;

/**
 * A word as it is compared: `" stop\n"`, `Stop!`, `*STOP*` and `STOP 🙏` are `STOP`. Of punctuation and symbols alone
 * nothing is taken off.
 */
export function comparableWord(text: string): string {
  // Before the text gets its plain form: some symbols become letters by it.
  const bare = comparableText(text.replaceAll(symbols, ' '))
    .split(' ')
    .map((word) => word.replaceAll(signsAround, ''))
    .filter((word) => word !== '')
    .join(' ');
  return (bare === '' ? comparableText(text) : bare).toUpperCase();
}

/** What people say beside a word to be polite, as it is compared. */
const politeWords = [
  ...['PLEASE', 'PLS', 'THANKS', 'THANK YOU', 'TOLONG', 'MOHON', 'TERIMA KASIH', 'POR FAVOR', 'GRACIAS'],
  ...['OBRIGADO', 'OBRIGADA', 'BITTE', 'DANKE', 'SVP', 'MERCI'],
];

/** The word alone: `PLEASE STOP` and `STOP PLEASE` are `STOP`. */
function withoutPoliteWords(word: string): string {
  for (const polite of politeWords) {
    if (word.startsWith(`${polite} `)) return withoutPoliteWords(word.slice(polite.length + 1));
    if (word.endsWith(` ${polite}`)) return withoutPoliteWords(word.slice(0, -polite.length - 1));
  }
  return word;
}

/** Of an account that has set none: the words that carriers ask for, and those of the dashboard's languages. */
export const defaultOptOutWords = {
  stopWords: [
    ...['STOP', 'STOPP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPT OUT', 'OPT-OUT', 'OPTOUT'],
    ...['BAJA', 'ALTO', 'PARAR', 'CANCELAR', 'SAIR', 'PARE', 'DESCADASTRAR', 'BERHENTI', 'KELUAR'],
    ...['ARRET', 'ARRÊT'],
  ],
  startWords: ['START', 'UNSTOP', 'MULAI', 'INICIAR', 'INICIO', 'DEMARRER', 'DÉMARRER'],
} satisfies OptOutWords;

/** Defaults of earlier releases, which were stored with other settings that an account has changed. */
const formerStopWords = [['STOP', 'STOPP', 'UNSUBSCRIBE', 'BERHENTI', 'ALTO', 'PARAR', 'ARRET', 'ARRÊT']];

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((word, index) => word === other[index]);

/** An account that has the defaults of an earlier release has those of this one, but for what starts there. */
export function currentOptOutWords<Words extends OptOutWords>(words: Words): Words {
  if (!formerStopWords.some((former) => isSame(former, words.stopWords))) return words;
  const stopWords = defaultOptOutWords.stopWords.filter((word) => !words.startWords.includes(word));
  return { ...words, stopWords };
}

/** Words that an earlier release has stored may have another form. */
const hasWord = (words: readonly string[], forms: readonly string[]) =>
  words.some((word) => forms.includes(/^[A-Z ]+$/.test(word) ? word : comparableWord(word)));

/** A text that may be a word of some account, as it is compared; null: it is too long. */
export function optOutTextOf(text: string): string | null {
  if (text.length > optOutTextCharactersMax) return null;
  const word = comparableWord(text);
  return word !== '' && withoutPoliteWords(word).length <= optOutCharactersMax ? word : null;
}

/** What a text means: a stop word, a start word, perhaps with a polite one, or nothing. */
export function optOutMeaning(text: string, words: OptOutWords): 'stop' | 'start' | null {
  const word = optOutTextOf(text);
  if (word === null) return null;
  const forms = [word, withoutPoliteWords(word)];
  const { stopWords, startWords } = currentOptOutWords(words);
  if (hasWord(stopWords, forms)) return 'stop';
  return hasWord(startWords, forms) ? 'start' : null;
}
