import { z } from 'zod';

export const timeOfDaySchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as 08:30.');

/** An IANA time zone that this runtime knows: `Asia/Jakarta`. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine((zone) => isTimeZone(zone), 'Not an IANA time zone, such as Asia/Jakarta.');

const knownZones = new Map<string, boolean>();
/** Names that were asked for are remembered, so many of them. */
const knownZonesMax = 1000;

function isTimeZone(zone: string): boolean {
  const known = knownZones.get(zone);
  if (known !== undefined) return known;
  let isOne = /^[A-Za-z]/.test(zone);
  try {
    if (isOne) new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    isOne = false;
  }
  if (knownZones.size < knownZonesMax) knownZones.set(zone, isOne);
  return isOne;
}
