/** What a reader takes for one character may be a few units long; more marks on one letter than this are a game. */
const graphemeUnitsMax = 64;

let segmenter: Intl.Segmenter | undefined;

/**
 * The beginning of a text, of at most `unitsMax` units (UTF-16), that ends behind what a reader takes for a character: no
 * emoji, flag or letter with its marks is cut apart.
 */
export function cutText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  // Made when it is first needed: it takes some milliseconds.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const from = Math.max(0, unitsMax - 2 * graphemeUnitsMax);
  const place = segmenter
    .segment(text.slice(from, unitsMax + 2 * graphemeUnitsMax))
    .containing(unitsMax - from);
  const end = place === undefined ? unitsMax : from + place.index;
  return text.slice(0, unitsMax - end > graphemeUnitsMax ? unitsMax : end).toWellFormed();
}

/** The same with `…` behind what was cut, which counts. */
export const shortText = (text: string, unitsMax: number): string =>
  text.length <= unitsMax ? text : `${cutText(text, unitsMax - 1).trimEnd()}…`;
