import { z } from 'zod';
import { normalisePhone } from '../../wire/addresses.ts';

/** A phone number, as its digits. */
export const phone = z.string().transform((text, context) => {
  const digits = normalisePhone(text);
  if (digits) return digits;
  context.addIssue({ code: 'custom', message: 'Must be a phone number of 7 to 15 digits.' });
  return z.NEVER;
});

export const text = z.string().min(1).max(65_536);

export const messageId = z.string().min(1).max(128);
