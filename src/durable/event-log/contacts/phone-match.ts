import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';

/** A phone number or a part of one, in any usual writing: nothing but digits and what people write between them. */
const phoneLike = /^[+\d\s().\-/\u00a0\u2010-\u2015]+$/;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** Fewer digits than that are a part of many numbers. */
const digitsMin = 5;

const callingCodes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];

/**
 * What a phone number as people write it, or the beginning of one, may be as digits with country code. One without a country
 * code may be of every country. Null: it is no phone number.
 */
export function phoneDigitsOf(q: string): string[] | null {
  const text = q.replaceAll(invisible, '').trim();
  const digits = text.replaceAll(/\D/g, '');
  if (!phoneLike.test(text) || digits.length < digitsMin) return null;
  if (text.startsWith('+')) return [digits];
  if (digits.startsWith('00')) return [digits.slice(2)];
  // A zero in front is that of the country's own calls.
  const national = digits.replace(/^0/, '');
  return [digits, ...callingCodes.map((code) => `${code}${national}`)];
}

/** What finds contacts by digits with country code, as their words hold them, for FTS5. */
export const phoneMatchOf = (allDigits: readonly string[]): string =>
  allDigits.map((digits) => `"${digits}"*`).join(' OR ');
