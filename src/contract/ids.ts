import { z } from 'zod';

/**
 * Every id is a UUIDv7 (RFC 9562), bare or behind a prefix, so that ids sort by the time they were made. One that comes in
 * capital letters is the same.
 */
export const uuidSchema = z.uuid().toLowerCase();

/** Numbers that anything that is for some of them may name. */
const numbersMax = 500;

/** For which numbers something is. */
export const numberIdsSchema = z.union(
  [z.literal('all'), z.array(uuidSchema).min(1).max(numbersMax)],
  'Must be an array of number IDs, or "all".',
);

/** `msg_<uuid>` */
export const messageIdSchema = z
  .string()
  .regex(/^msg_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Not a message ID.');
/** `evt_<uuid>` */
export const eventIdSchema = z
  .string()
  .regex(/^evt_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Not an event ID.');

/** ISO 8601, UTC, milliseconds: the only form in which a time crosses a border. */
export const timestampSchema = z.iso.datetime({ precision: 3 });

/** A phone number as the product writes it: digits with country code, no plus sign (E.164 allows 15). */
export const phoneNumberSchema = z
  .string()
  .regex(/^[1-9]\d{5,14}$/, 'Must be digits with the country code, without a plus sign.');

/** A group on the network: `<digits>@g.us`, or `<digits>-<digits>@g.us` for the older ones. */
export const groupIdSchema = z.string().regex(/^\d{5,25}(-\d{5,15})?@g\.us$/, 'Not a group ID.');
