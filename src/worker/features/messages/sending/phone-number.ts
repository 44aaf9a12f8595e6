import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { LRUCache } from 'lru-cache';
import { phoneNumberSchema } from '../../../../contract/ids.ts';

/** A phone number as somebody has written it. */
export interface PhoneNumberReading {
  /** Its digits with country code, as the numbering plan of its country has them; null where no plan has such a number. */
  digits: string | null;
  /** Other digits that the network may know somebody by. They are good where the account knows somebody by them. */
  perhaps: string | null;
  /** A sentence about what is wrong; empty where `digits` are there. */
  problem: string;
}

/** Longer than any way to write a phone number. */
const charactersMax = 64;
/** Marks that nobody sees: soft hyphens, zero widths, and those that turn the direction of writing. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** What people write between the digits. */
const between = /[\s().\-/\u2010-\u2015\u2212\u00b7]/g;
/** A personal chat as the network and other gateways name it, with or without a device. */
const chatSuffix = /(:\d{1,3})?@(s\.whatsapp\.net|c\.us)$/i;
const rounded = /^\+?\d+([.,]\d+)?e\+?\d+$/i;
/** A single mark with at most two digits behind it, or nothing but zeros: no way to group the digits of a phone number. */
const decimal = /^\+?\d{6,}[.,](\d{1,2}|0+)$/;

const isRounded = 'A spreadsheet has rounded it: format the column as text, and export it again.';
const hasDecimals = 'It has a decimal point: format the column as text, and export it again.';
const noPhoneNumber = 'Not a phone number.';
const noCountryCode = 'Not a phone number with country code.';

/**
 * Addresses of numbering plans that are over. The network has not moved everybody who joined before: their address is still
 * the number of that time. Mexico (52): a 1 before mobile numbers until August 2019. Ivory Coast (225): eight digits until
 * January 2021. Benin (229): eight digits until November 2024. The sources are the notices of these countries to the ITU.
 */
const formerPlans = /^(521\d{10}|225\d{8}|229\d{8})$/;

const unread = (problem: string): PhoneNumberReading => ({ digits: null, perhaps: null, problem });

/** Whoever is written to once is written to again, and to read a number takes longer than all else of a text. */
const readBefore = new LRUCache<string, PhoneNumberReading>({ max: 10_000 });

/** Reads a phone number with country code in any usual writing. */
export function readPhoneNumber(input: string): PhoneNumberReading {
  const known = readBefore.get(input);
  if (known !== undefined) return known;
  const reading = read(input, null);
  if (reading.digits !== null) readBefore.set(input, reading);
  return reading;
}

/** Reads a phone number that says its country, else one of `country`. Null: there is no such default. */
export const readPhoneNumberOf = (input: string, country: string | null): PhoneNumberReading =>
  country === null ? readPhoneNumber(input) : read(input, country);

/** Its digits with country code; null where no numbering plan has such a number. */
export const normalisePhoneNumber = (input: string): string | null => readPhoneNumber(input).digits;

export const isCountry = (country: string): country is CountryCode => isSupportedCountry(country);

function read(input: string, country: string | null): PhoneNumberReading {
  if (input.length > charactersMax) return unread(noPhoneNumber);
  const text = input.replaceAll(invisible, '').trim();
  if (text === '') return unread('The phone number is missing.');
  if (rounded.test(text)) return unread(isRounded);
  if (decimal.test(text)) return unread(hasDecimals);
  const bare = text.replace(/^'/, '').replace(/^tel:/i, '').replace(chatSuffix, '');
  const number = bare.replaceAll(between, '').replace(/^00/, '+');
  if (!/^\+?\d+$/.test(number)) return unread(noPhoneNumber);
  // The address of a chat has its country code always.
  const saysCountry = number.startsWith('+') || chatSuffix.test(text);
  const national = country === null || saysCountry ? null : ofCountry(number, country);
  if (national !== null) return { digits: national, perhaps: null, problem: '' };
  const written = number.replace('+', '');
  const digits = planned(written);
  const isAddress = digits !== written && /^\d+$/.test(bare) && phoneNumberSchema.safeParse(written).success;
  const perhaps = isAddress ? written : null;
  if (digits !== null) return { digits, perhaps, problem: '' };
  const problem =
    country === null ? noCountryCode : `Not a phone number with country code, and not one of ${country}.`;
  return { digits, perhaps, problem };
}

/**
 * Judged by the country's possible lengths, not by what is allotted at the moment: numbering plans change faster than a
 * library is updated.
 */
function planned(written: string): string | null {
  if (formerPlans.test(written)) return written;
  const parsed = parsePhoneNumberFromString(`+${written}`);
  if (parsed === undefined || !parsed.isPossible()) return null;
  const digits = parsed.number.slice(1);
  return phoneNumberSchema.safeParse(digits).success ? digits : null;
}

function ofCountry(number: string, country: string): string | null {
  if (!isCountry(country)) return null;
  const parsed = parsePhoneNumberFromString(number, country);
  if (parsed === undefined || !parsed.isValid()) return null;
  const digits = parsed.number.slice(1);
  return phoneNumberSchema.safeParse(digits).success ? digits : null;
}
