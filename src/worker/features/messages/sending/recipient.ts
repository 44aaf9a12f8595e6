import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Refusal, refuse } from '../../../../contract/errors.ts';
import { groupIdSchema, phoneNumberSchema } from '../../../../contract/ids.ts';
import type { ChatType } from '../../../../contract/messages/message.ts';
import { aliasAddress, aliasRefusal } from '../../../../contract/messages/recipient.ts';

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
 * Addresses of old numbering plans. The network has not moved everybody who joined before a change: their address is still the
 * old number. Mexico (52): a 1 before mobile numbers until August 2019. Ivory Coast (225): eight digits until January 2021.
 * Benin (229): eight digits until November 2024. The sources are the notices of these countries to the ITU.
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

const notPlanned = 'Not a phone number with country code.';

/** A phone number in any usual writing, as a field of a body: its digits. */
export const phoneNumberField = z.string().transform((input, context) => {
  const digits = normalisePhoneNumber(input);
  if (digits === null) context.addIssue({ code: 'custom', message: notPlanned });
  return digits ?? z.NEVER;
});

/**
 * A field of a body: a contact that the account may know already. It is a phone number in any usual notation, or digits that
 * only the network knows. For the latter, the account has to be asked whether it knows them.
 */
export const addressField = z.string().transform((input, context) => {
  const reading = readPhoneNumber(input);
  if (reading.digits !== null || reading.perhaps !== null) return reading;
  context.addIssue({ code: 'custom', message: notPlanned });
  return z.NEVER;
});

/** `address`: where it has to be asked whether the account knows somebody by other digits. */
export type Recipient = { ok: true; to: string; chatType: ChatType; address?: PhoneNumberReading } | Refusal;

/** Reads `to`: a phone number in any usual writing, a group id, or a chat as it stands in an event. */
export function parseRecipient(input: string): Recipient {
  const to = input.trim();
  if (groupIdSchema.safeParse(to).success) return { ok: true, to, chatType: 'group' };
  if (/@lid$/i.test(to)) return aliasRefusal;
  const address = readPhoneNumber(input);
  const { digits, perhaps } = address;
  if (digits === null && perhaps === null) return invalidRecipient(address);
  return {
    ok: true,
    to: digits ?? perhaps ?? '',
    chatType: 'personal',
    ...(perhaps !== null && { address }),
  };
}

/** The recipient under the digits that they are addressed by; `known`: those by which the account knows somebody. */
export function knownRecipient(recipient: Recipient, known: ReadonlySet<string>): Recipient {
  if (!recipient.ok || recipient.address === undefined) return recipient;
  const { address, ...read } = recipient;
  if (address.perhaps !== null && known.has(aliasAddress(address.perhaps))) return aliasRefusal;
  const to = addressAmong(known, address);
  return to === null ? invalidRecipient(address) : { ...read, to };
}

/** The digits that somebody is addressed by; null: they are nobody's. */
export const addressAmong = (
  known: ReadonlySet<string>,
  { digits, perhaps }: PhoneNumberReading,
): string | null => (perhaps !== null && known.has(perhaps) ? perhaps : digits);

/** A sentence of the reader's own where it says more than that this is no phone number. */
function invalidRecipient({ problem }: PhoneNumberReading): Refusal {
  const message = /^Not a phone number/.test(problem)
    ? 'Neither a phone number with country code nor a group ID.'
    : problem;
  return refuse('RECIPIENT_INVALID', message, { details: [{ path: 'to', message }] });
}
