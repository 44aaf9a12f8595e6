import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Refusal } from '../contract/errors.ts';
import { uuidSchema } from '../contract/ids.ts';
import { clientReferenceCharactersMax, sendAtDaysMax, textCharactersMax } from '../contract/message.ts';
import type { SendRequest } from '../durable/account/admission/send-request.ts';
import { isPlainText, plainTextProblem } from './http/request/shared-fields.ts';
import { invalidField, validationRefusal } from './http/request/validation-details.ts';
import { normalisePhoneNumber, parseRecipient } from './recipient.ts';

const dayMs = 24 * 3600 * 1000;

/** Characters are counted as people see the simple ones: a code point each, so an emoji outside the BMP is one. */
const characters = (text: string): number => [...text].length;

/** The body of `POST /v1/messages/send`. */
export const sendBodySchema = z.strictObject({
  to: z.string(),
  type: z.literal('text', 'Only "text" can be sent so far.').default('text'),
  text: z
    .string()
    .min(1, 'At least 1 character.')
    .refine((text) => text === '' || text.trim() !== '', 'Must not be blank.')
    .refine((text) => characters(text) <= textCharactersMax, `At most ${textCharactersMax} characters.`)
    .refine(isPlainText, plainTextProblem)
    .meta({ maxLength: textCharactersMax }),
  senderHint: z.string().optional(),
  clientReference: z
    .string()
    .min(1, 'At least 1 character.')
    .refine(
      (reference) => characters(reference) <= clientReferenceCharactersMax,
      `At most ${clientReferenceCharactersMax} characters.`,
    )
    .refine(isPlainText, plainTextProblem)
    .meta({ maxLength: clientReferenceCharactersMax })
    .optional(),
  sendAt: z.iso.datetime({ offset: true, error: 'A time as 2026-01-31T09:30:00Z.' }).optional(),
});

/** The query of `POST /v1/messages/send`: a misspelt `dryRun` must not send. */
export const sendQuerySchema = z.strictObject({ dryRun: z.enum(['true', 'false']).optional() });

const typeSchema = z.looseObject({ type: sendBodySchema.shape.type });

type ParsedBody = { ok: true; request: Omit<SendRequest, 'keyHash' | 'idempotencyKey'> } | Refusal;

/** The body of `POST /v1/messages/send` as the account judges it: the shape first, then the recipient. */
export function parseSendBody(body: unknown): ParsedBody {
  const parsed = sendBodySchema.safeParse(body);
  if (!parsed.success) {
    // Of a body of another type only the type is wrong: its own fields are not typing errors.
    const type = typeSchema.safeParse(body);
    return validationRefusal(type.success ? parsed.error : type.error);
  }
  const recipient = parseRecipient(parsed.data.to);
  if (!recipient.ok) return recipient;
  const senderHint = parsed.data.senderHint === undefined ? null : parseSenderHint(parsed.data.senderHint);
  if (senderHint === undefined) return invalidField('senderHint', 'Neither a number id nor a phone number.');
  const sendAt = parsed.data.sendAt === undefined ? undefined : Date.parse(parsed.data.sendAt);
  if (sendAt !== undefined && !(sendAt <= Date.now() + sendAtDaysMax * dayMs)) {
    return invalidField('sendAt', `At most ${sendAtDaysMax} days from now.`);
  }
  const { to, chatType } = recipient;
  const { clientReference } = parsed.data;
  const content = { type: parsed.data.type, text: parsed.data.text };
  // Of what was understood, not of the bytes: the same request in another writing is a repeat.
  const bodyHash = hash('sha256', JSON.stringify([to, content, senderHint, clientReference, sendAt]));
  const extras = {
    ...(clientReference === undefined ? {} : { clientReference }),
    ...(sendAt === undefined ? {} : { sendAt }),
  };
  return { ok: true, request: { bodyHash, to, chatType, content, senderHint, ...extras } };
}

/** A number id or the digits of a phone number; undefined when it is neither. */
function parseSenderHint(hint: string): string | undefined {
  const id = hint.toLowerCase();
  return uuidSchema.safeParse(id).success ? id : (normalisePhoneNumber(hint) ?? undefined);
}

export const idempotencyKeyCharactersMax = 255;

/** `Idempotency-Key`: null when there is none. */
export function parseIdempotencyKey(header: string | undefined): { ok: true; key: string | null } | Refusal {
  if (header === undefined) return { ok: true, key: null };
  if (header.length >= 1 && header.length <= idempotencyKeyCharactersMax) return { ok: true, key: header };
  return invalidField('Idempotency-Key', `1 to ${idempotencyKeyCharactersMax} characters.`);
}
