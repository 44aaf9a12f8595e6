import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { groupIdSchema, phoneNumberSchema } from '../../contract/ids.ts';
import type { ChatType } from '../../contract/messages/message.ts';

/** Digits, and what people write between them. */
const phoneLike = /^ *\+?[\d ()-]+$/;
/** Longer than any way to write a phone number or a group id. */
const charactersMax = 64;
/** Whoever is written to once is written to again, and to read a number takes longer than all else of a text. */
const readBefore = new LRUCache<string, string>({ max: 10_000 });

/**
 * The digits of a phone number with country code, or null when it cannot be one. Judged by the country's possible
 * lengths, not by what is allotted at the moment: numbering plans change faster than a library is updated.
 */
export function normalisePhoneNumber(input: string): string | null {
  const known = readBefore.get(input);
  if (known !== undefined) return known;
  const read = readPhoneNumber(input);
  if (read !== null) readBefore.set(input, read);
  return read;
}

function readPhoneNumber(input: string): string | null {
  if (input.length > charactersMax || !phoneLike.test(input)) return null;
  const digits = input.replace(/\D/g, '');
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  if (parsed === undefined || !parsed.isPossible()) return null;
  const normalised = parsed.number.slice(1);
  return phoneNumberSchema.safeParse(normalised).success ? normalised : null;
}

/** A phone number in any usual writing, as a field of a body: its digits. */
export const phoneNumberField = z.string().transform((input, context) => {
  const digits = normalisePhoneNumber(input);
  if (digits === null) context.addIssue({ code: 'custom', message: 'Not a phone number with country code.' });
  return digits ?? z.NEVER;
});

export type Recipient = { ok: true; to: string; chatType: ChatType } | Refusal;

/** A personal chat as our own events name it. */
const chatId = /^(\d+)@s\.whatsapp\.net$/i;

/** Reads `to`: a phone number in any usual writing, a group id, or a chat as it stands in an event. */
export function parseRecipient(input: string): Recipient {
  const to = chatId.exec(input)?.[1] ?? input;
  if (groupIdSchema.safeParse(to).success) return { ok: true, to, chatType: 'group' };
  if (/@lid$/i.test(to.trim())) {
    const message = 'This is a privacy alias, not a phone number: it cannot be messaged.';
    return refuse('RECIPIENT_IS_LID', message, { details: [{ path: 'to', message }] });
  }
  const phoneNumber = normalisePhoneNumber(to);
  if (phoneNumber === null) {
    const message = 'Not a phone number with country code, and not a group id.';
    return refuse('RECIPIENT_INVALID', message, { details: [{ path: 'to', message }] });
  }
  return { ok: true, to: phoneNumber, chatType: 'personal' };
}
