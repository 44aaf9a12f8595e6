import { plainText } from '../../../../contract/texts/comparable-text.ts';

/** Longest answer that is read as a rating, in characters: a number, perhaps with a few words. */
const answerCharactersMax = 300;

export interface Rating {
  /** From 1 to 5. */
  rating: number;
  /** Nothing else was said: nobody has to answer that. */
  isAlone: boolean;
}

/** The rating that somebody answers with; null: it is something else. */
export function ratingOf(text: string): Rating | null {
  if (text.length > answerCharactersMax) return null;
  const plain = plainText(text).replaceAll('\u20E3', '').trim();
  if (/^(?:⭐|★|\u{1F31F}){1,5}$/u.test(plain)) return { rating: [...plain].length, isAlone: true };
  // `5`, `5/5`, `5 thank you`, `5!`: never the beginning of a longer number, a time, a price or a list.
  const found = /^([1-5])(?:\s*\/\s*5)?(?![\d.,:/)%-]*\d)($|[\s!.,;:)-])/u.exec(plain);
  if (found === null) return null;
  return { rating: Number(found[1]), isAlone: /^[\s!.,;:)-]*$/.test(plain.slice(found[0].length)) };
}
