import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';

/** A phone number or a part of one, in any usual writing: nothing but digits and what people write between them. */
const phoneLike = /^[+\d\s().\-/\u00a0\u2010-\u2015]+$/;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** Fewer digits than that are a part of many numbers. */
const digitsMin = 5;

const callingCodes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];

/**
 * What finds contacts by a phone number as people write it, for FTS5: their words hold it as digits with country code. One
 * without a country code is looked for under that of every country. Null: it is no phone number.
 */
export function phoneMatchOf(q: string): string | null {
  const text = q.replaceAll(invisible, '').trim();
  const digits = text.replaceAll(/\D/g, '');
  if (!phoneLike.test(text) || digits.length < digitsMin) return null;
  if (text.startsWith('+')) return prefix(digits);
  if (digits.startsWith('00')) return prefix(digits.slice(2));
  // A zero in front is that of the country's own calls.
  const national = digits.replace(/^0/, '');
  const all = [digits, ...callingCodes.map((code) => `${code}${national}`)];
  return all.map(prefix).join(' OR ');
}

const prefix = (digits: string): string => `"${digits}"*`;
