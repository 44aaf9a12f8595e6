import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Two letters (ISO 3166); null: the number tells none, as those of satellites. */
export function countryOf(phoneNumber: string | null): string | null {
  if (phoneNumber === null) return null;
  return parsePhoneNumberFromString(`+${phoneNumber}`)?.country ?? null;
}
