import { plainText } from '../../contract/texts/comparable-text.ts';

/** Letters that people write for others, and that Unicode does not take apart. */
const letters: Record<string, string> = {
  ...{ ı: 'i', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', þ: 'th', ё: 'е' },
  // Arabic is often typed without the signs above and below alef, and with Persian forms of two letters.
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' },
};
const lettersPattern = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');
const accents = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036F]+/gu;

/**
 * A text as it is searched: {@link plainText} in small letters without the accents of Latin and Greek letters. Marks that
 * make another letter or a vowel stay: those of Cyrillic, of Indian and South-East Asian scripts, and of kana.
 */
export function foldedText(text: string): string {
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
