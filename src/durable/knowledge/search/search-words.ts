import { phraseOf } from '../../search/search-terms.ts';

/** Words that say nothing of what is looked for, in the languages of the dashboard. */
const fillerWords = new Set(
  `a an and are as at be but by can could do does for from had has have how i if in is it its me my of on or our so that
  the their them there they this to us was we were what when where which who why will with would you your please hello hi
  thanks el la los las un una unos unas y o de del al a en es son por para con que como cuando donde quien su sus mi mis
  me te se lo le les hola gracias favor o os as um uma e do da dos das no na nos nas em por para com que como quando onde
  quem seu sua meu minha ola obrigado yang dan di ke dari untuk dengan ini itu ada saya kamu anda apa apakah bagaimana
  kapan mana siapa adalah tidak ya halo terima kasih bisa`
    .split(/\s+/)
    .filter(Boolean),
);

/** More words than these make a search slower and no better. */
const wordsMax = 16;
/** Endings are left open from this length on, so that "refund" finds "refunds", and "refunds" finds "refund". */
const stemFrom = 5;

/** A query of FTS5 within one owner's pieces: any of the terms will do, and the ranking puts those first that have more. */
export const matchOfTerms = (terms: readonly string[], owner: string): string =>
  `owner : "${owner}" AND {heading text} : (${terms.join(' OR ')})`;

/** The words that tell what is looked for, each as a term of FTS5. */
export function termsOf(written: string): string[] {
  const words = [...new Set((written.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap(wordsIn))];
  const telling = words.filter(
    (word) => !fillerWords.has(word) && (word.length > 1 || /\p{N}|\p{Lo}/u.test(word)),
  );
  return (telling.length > 0 ? telling : words).slice(0, wordsMax).map(termOf);
}

/** A word; of a script without spaces its pairs of letters, and of one letter all pairs that begin with it: `票*`. */
function wordsIn(written: string): string[] {
  const phrase = phraseOf(written);
  if (phrase === null) return [];
  return phrase.terms.map((term, index) =>
    phrase.isPrefix && index === phrase.terms.length - 1 ? `${term}*` : term,
  );
}

function termOf(word: string): string {
  if (word.endsWith('*')) return `"${word.slice(0, -1)}" *`;
  if (word.length < stemFrom || /\p{N}/u.test(word)) return `"${word}"`;
  return `"${word.slice(0, Math.max(4, word.length - 2))}" *`;
}

/** An assistant's id as one word of the index. */
export const ownerWord = (assistantId: string): string => `a${assistantId.replaceAll('-', '')}`;
