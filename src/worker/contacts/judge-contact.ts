import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { timeZoneSchema } from '../../contract/clock-fields.ts';
import { labelsSchema } from '../../contract/contact.ts';
import type { ContactAttributes } from '../../contract/contacts/attributes.ts';
import type { RowRefusal } from '../../contract/contacts/import.ts';
import { phoneNumberSchema } from '../../contract/ids.ts';
import type { ImportedContact } from '../../durable/event-log/contacts/imports/import-calls.ts';
import { nameSchema } from '../http/request/shared-fields.ts';
import { normalisePhoneNumber } from '../sending/recipient.ts';

/** A contact as a file or a body has it. Empty is none. */
export interface RawContact {
  phoneNumber: string;
  name?: string | undefined;
  labels?: string[] | undefined;
  attributes?: ContactAttributes | undefined;
  timeZone?: string | undefined;
}

export type Judged = { ok: true; contact: ImportedContact } | ({ ok: false } & Omit<RowRefusal, 'row'>);

const invalid = (path: string, message: string): Judged => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  path,
  message,
});

/** Whether a contact can be taken as it is. Whether its attributes are of their types is not judged here. */
export function judgeContact(raw: RawContact, defaultCountry: string | null): Judged {
  const phone = importedPhoneNumber(raw.phoneNumber, defaultCountry);
  if ('problem' in phone) {
    return { ok: false, code: 'RECIPIENT_INVALID', path: 'phoneNumber', message: phone.problem };
  }
  const name = raw.name?.trim() || undefined;
  if (name !== undefined && !nameSchema.safeParse(name).success) {
    return invalid('name', 'A name has at most 100 characters.');
  }
  const labels = labelsSchema.safeParse((raw.labels ?? []).map((label) => label.trim()).filter(Boolean));
  if (!labels.success) return invalid('labels', 'At most 50 labels, of 1 to 50 characters each.');
  const timeZone = raw.timeZone?.trim() || undefined;
  if (timeZone !== undefined && !timeZoneSchema.safeParse(timeZone).success) {
    return invalid('timeZone', 'Not an IANA time zone, such as Asia/Jakarta.');
  }
  const contact: ImportedContact = {
    phoneNumber: phone.number,
    ...(name !== undefined && { name }),
    labels: labels.data,
    attributes: raw.attributes ?? {},
    ...(timeZone !== undefined && { timeZone }),
  };
  return { ok: true, contact };
}

export const isCountry = (country: string): country is CountryCode => isSupportedCountry(country);

/** What people and spreadsheets put between the digits, and an apostrophe that keeps a spreadsheet from rounding. */
const between = /^'|[\s\u00a0\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060\ufeff().\-/]/g;
const charactersMax = 64;

/** The digits of a phone number: one that says its country, else one of the default country. */
function importedPhoneNumber(
  input: string,
  defaultCountry: string | null,
): { number: string } | { problem: string } {
  if (input.trim() === '') return { problem: 'There is no phone number.' };
  if (input.length > charactersMax) return { problem: 'Not a phone number.' };
  if (/^\d[.,]\d+e\+?\d+$/i.test(input.trim())) {
    return { problem: 'A spreadsheet has rounded it: format the column as text, and export it once more.' };
  }
  const digits = input.replaceAll(between, '').replace(/^00/, '+');
  if (!/^\+?\d+$/.test(digits)) return { problem: 'Not a phone number.' };
  const national = digits.startsWith('+') ? null : ofCountry(digits, defaultCountry);
  const number = national ?? normalisePhoneNumber(digits);
  if (number !== null) return { number };
  return {
    problem:
      defaultCountry === null
        ? 'Not a phone number with country code.'
        : `Not a phone number, neither with country code nor of ${defaultCountry}.`,
  };
}

function ofCountry(digits: string, country: string | null): string | null {
  if (country === null || !isCountry(country)) return null;
  const parsed = parsePhoneNumberFromString(digits, country);
  if (parsed === undefined || !parsed.isValid()) return null;
  const number = parsed.number.slice(1);
  return phoneNumberSchema.safeParse(number).success ? number : null;
}
