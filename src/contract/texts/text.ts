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

/** Signs that keyboards and word processors put in place of the typewriter's. */
const singleQuotes = /[\u2018-\u201B\u2032\u2035\u2039\u203A\u02B9\u02BB\u02BC\u02BD\u05F3\uA78C`\u00B4]/gu;
const doubleQuotes = /[\u201C-\u201F\u2033\u2036\u00AB\u00BB\u05F4\u301D-\u301F]/gu;
const dashes = /[\p{Pd}\u2212]/gu;

/** What nobody sees: zero-width characters, joiners, marks of direction, variation selectors, soft hyphens, controls. */
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|(?!\s)\p{Cc}/gu;

/** Marks that writers of Arabic and Hebrew may leave out: vowels, cantillation, and the stroke that stretches a word. */
const optionalMarks =
  /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u0652\u0656-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]/gu;

/** Decimal digits stand in Unicode from 0 to 9, in whatever script. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** `´` has a compatible form that begins with a blank, so quotes are looked at before and after. */
const plainQuotes = (text: string) => text.replaceAll(singleQuotes, "'").replaceAll(doubleQuotes, '"');

/**
 * A text that somebody wrote, in one form: full-width letters and ligatures are the usual ones (Unicode's NFKC), digits are
 * 0 to 9, quotes and dashes are those of a typewriter, and what nobody sees is gone. Case, accents and blanks stay.
 */
export const plainText = (text: string): string =>
  plainQuotes(plainQuotes(text).replaceAll(invisible, '').normalize('NFKC'))
    .replaceAll(invisible, '')
    .replaceAll(optionalMarks, '')
    .replaceAll(dashes, '-')
    .replaceAll(/(?![0-9])\p{Nd}/gu, plainDigit);

/**
 * A text as it is compared with another: {@link plainText} in any case, with single blanks. The dotted and the dotless i of
 * Turkish are both `i`, as in every other language. Accents count: `ano` is not `año`.
 */
export const comparableText = (text: string): string =>
  // Up and down again: some letters have two small forms. The large dotted I has a small form of two characters.
  plainText(text).toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').trim().replaceAll(/\s+/gu, ' ');

/** A text without U+0000, which nobody can read and PostgreSQL refuses. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** What JSON says, with no U+0000 in any of its texts. Throws where it is no JSON. */
export function parsedWithoutNul(json: string): unknown {
  // So it stands in JSON, where it stands at all.
  if (!json.includes('\\u0000')) return JSON.parse(json);
  return JSON.parse(json, (_, value) => (typeof value === 'string' ? withoutNul(value) : value));
}
