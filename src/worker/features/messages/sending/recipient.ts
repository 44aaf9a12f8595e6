import { z } from 'zod';
import { type Refusal, refuse } from '../../../../contract/errors.ts';
import { groupIdSchema } from '../../../../contract/ids.ts';
import type { ChatType } from '../../../../contract/messages/message.ts';
import { normalisePhoneNumber, type PhoneNumberReading, readPhoneNumber } from './phone-number.ts';

const notPlanned = 'Not a phone number with country code.';

/** A phone number in any usual writing, as a field of a body: its digits. */
export const phoneNumberField = z.string().transform((input, context) => {
  const digits = normalisePhoneNumber(input);
  if (digits === null) context.addIssue({ code: 'custom', message: notPlanned });
  return digits ?? z.NEVER;
});

/**
 * A field of a body: a contact that the account may know already. A phone number in any usual notation, or digits that only the
 * network knows; for the latter, the account has to be asked whether it knows them.
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
  if (/@lid$/i.test(to)) {
    const message = 'This is a privacy alias, not a phone number: it cannot be messaged.';
    return refuse('RECIPIENT_IS_LID', message, { details: [{ path: 'to', message }] });
  }
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
  const message = /^Not a phone number|^There is/.test(problem)
    ? 'Not a phone number with country code, and not a group id.'
    : problem;
  return refuse('RECIPIENT_INVALID', message, { details: [{ path: 'to', message }] });
}
