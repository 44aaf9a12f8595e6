import { plainText } from '../contract/texts/text.ts';

/** Letters that people write for others, and that Unicode does not take apart. */
const letters: Record<string, string> = {
  ...{ ı: 'i', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', þ: 'th', ё: 'е' },
  // Arabic is often typed without the signs above and below alef, and with Persian forms of two letters.
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' },
};
const lettersPattern = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');
const accents = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036F]+/gu;

/**
 * A text as it is searched: {@link plainText} in lower case, without the accents of Latin and Greek letters. Marks that make
 * another letter or a vowel stay: those of Cyrillic, of Indian and South-East Asian scripts, and of kana.
 */
function foldedText(text: string): string {
  // Most texts, and most words.
  if (/^[\x20-\x7E]*$/.test(text)) return text.toLowerCase();
  return plainText(text)
    .toUpperCase()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(accents, '$1')
    .normalize('NFC')
    .replaceAll(lettersPattern, (letter) => letters[letter] ?? letter);
}

/**
 * Scripts without spaces between words, and Hangul, whose words have endings. A run of their letters is indexed by its pairs
 * of characters, so that any part of it is found. All other scripts are indexed by words.
 */
const run =
  /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Lana}\p{sc=Talu}\p{sc=Bali}\p{sc=Java}]&&[\p{L}\p{N}\p{M}]]+/gv;

/** FTS5 takes these marks for blanks. They are replaced by private-use letters, which it keeps. */
const marks = /(?=\p{M})[\u0900-\u17FF]/gu;
const kept = (mark: string) => String.fromCharCode(mark.charCodeAt(0) + 0xe000);

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The pairs of a run, and its last character: `abc` is `ab bc c`. */
function pairsOf(text: string): string {
  const characters = [...text];
  return ` ${characters.map((character, index) => character + (characters[index + 1] ?? '')).join(' ')} `;
}

/** A text as it is given to an index of FTS5 (`unicode61`). A text of words alone has the same words in it. */
export function indexedText(text: string): string {
  const folded = foldedText(text);
  return isAscii(folded) ? folded : folded.replaceAll(run, pairsOf).replaceAll(marks, kept);
}

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text);

/** The words of a text, in their order, as an index has them. */
export const termsOf = (text: string): string[] => indexedText(text).match(word) ?? [];

/** What is looked for: words that follow each other, of which the last may be the beginning of one. */
interface Phrase {
  terms: string[];
  isPrefix: boolean;
}

/** The phrase that finds a text anywhere in a run; null if there is no word in it. */
export function phraseOf(text: string): Phrase | null {
  const folded = foldedText(text);
  const terms = termsOf(text);
  if (terms.length === 0) return null;
  if (isAscii(folded)) return { terms, isPrefix: false };
  const [last] = [...folded.matchAll(run)].slice(-1);
  const rest = last === undefined ? null : folded.slice(last.index + last[0].length);
  if (last === undefined || rest === null || (rest.match(word) ?? []).length > 0) {
    return { terms, isPrefix: false };
  }
  // The text may go on behind the last character, which stands alone only at the end of a run.
  if ([...last[0]].length === 1) return { terms, isPrefix: true };
  return { terms: terms.slice(0, -1), isPrefix: false };
}

/** The phrases of the words that somebody looks for. */
export const phrasesOf = (words: string): Phrase[] =>
  words.split(/\s+/u).flatMap((one) => phraseOf(one) ?? []);

/** A phrase in the language of FTS5. `isOpen`: the last word may go on. */
export const matchOf = ({ terms, isPrefix }: Phrase, isOpen = false): string =>
  `"${terms.join(' ')}"${isPrefix || isOpen ? ' *' : ''}`;

/** Whether the words of a text have a phrase in them: as an index says, for texts that are in none. */
export function hasPhrase(
  terms: readonly string[],
  { terms: wanted, isPrefix }: Phrase,
  isOpen = false,
): boolean {
  const last = wanted.length - 1;
  return terms.some((_, from) =>
    wanted.every((term, index) => {
      const found = terms[from + index];
      return index === last && (isPrefix || isOpen) ? found?.startsWith(term) : found === term;
    }),
  );
}
