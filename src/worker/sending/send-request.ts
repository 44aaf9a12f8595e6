import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Refusal } from '../../contract/errors.ts';
import { messageIdSchema, uuidSchema } from '../../contract/ids.ts';
import { clientReferenceCharactersMax, sendAtDaysMax } from '../../contract/messages/message.ts';
import { dayMs } from '../../contract/times.ts';
import type { SendRequest } from '../../durable/account/admission/send-request.ts';
import { isPlainText, plainTextProblem, timeText } from '../http/request/shared-fields.ts';
import { invalidField, validationRefusal } from '../http/request/validation-details.ts';
import { readPhoneNumber } from './phone-number.ts';
import { knownRecipient, parseRecipient } from './recipient.ts';
import {
  characters,
  comparable,
  contentFields,
  type FileInput,
  sentContent,
  sentFile,
} from './send-content.ts';

/** What every message to send may have. */
const answerFields = {
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
  sendAt: timeText.optional(),
  quotedMessageId: messageIdSchema.optional(),
};
const commonFields = { to: z.string(), senderHint: z.string().optional(), ...answerFields };

/** A message to send, with `further` fields beside its own. */
export const sendSchema = <Further extends z.ZodRawShape>(further: Further) =>
  contentSchema({ ...commonFields, ...further });

function contentSchema<Fields extends z.ZodRawShape>(fields: Fields) {
  const { text, location, contacts, poll, image, video, audio, document, sticker } = contentFields;
  return z.discriminatedUnion('type', [
    z.strictObject({ ...fields, ...text }),
    z.strictObject({ ...fields, ...location }),
    z.strictObject({ ...fields, ...contacts }),
    z.strictObject({ ...fields, ...poll }),
    z.strictObject({ ...fields, ...image }),
    z.strictObject({ ...fields, ...video }),
    z.strictObject({ ...fields, ...audio }),
    z.strictObject({ ...fields, ...document }),
    z.strictObject({ ...fields, ...sticker }),
  ]);
}

/** The body of `POST /v1/messages/send`. */
export const sendBodySchema = sendSchema({});

/** The same to somebody who is known from elsewhere, through a number that is. */
export const answerSchema = contentSchema(answerFields);

/** The query of `POST /v1/messages/send`: a misspelt `dryRun` must not send. */
export const sendQuerySchema = z.strictObject({ dryRun: z.enum(['true', 'false']).optional() });

const kinds = Object.keys(contentFields);
const typeSchema = z.looseObject({
  type: z.enum(kinds, `Only these can be sent so far: ${kinds.join(', ')}.`).optional(),
});

/** `file`: what has to be found, or stored, before the account is asked; null where the message has none. */
type ParsedBody =
  | { ok: true; request: Omit<SendRequest, 'keyHash' | 'idempotencyKey'>; file: FileInput | null }
  | Refusal;

/** Of a body of another type only the type is wrong: its own fields are not typing errors. */
export function shapeRefusal(body: unknown, error: z.ZodError): Refusal {
  const type = typeSchema.safeParse(body);
  return validationRefusal(type.success ? error : type.error);
}

/** Digits in the body of which only the account can say whether it knows somebody by them. */
export function doubtfulIn(body: unknown): string[] {
  const { to } = (body ?? {}) as { to?: unknown };
  if (typeof to !== 'string') return [];
  const { perhaps } = readPhoneNumber(to);
  return perhaps === null ? [] : [perhaps];
}

/**
 * The body of `POST /v1/messages/send` as the account judges it: the shape first, then the recipient. `known`: those of
 * {@link doubtfulIn} by which the account knows somebody.
 */
export function parseSendBody(body: unknown, known: ReadonlySet<string>): ParsedBody {
  const parsed = sendBodySchema.safeParse(body);
  if (!parsed.success) return shapeRefusal(body, parsed.error);
  const recipient = knownRecipient(parseRecipient(parsed.data.to), known);
  if (!recipient.ok) return recipient;
  const senderHint = parsed.data.senderHint === undefined ? null : parseSenderHint(parsed.data.senderHint);
  if (senderHint === undefined) return invalidField('senderHint', 'Neither a number id nor a phone number.');
  const sendAt = parsed.data.sendAt === undefined ? undefined : Date.parse(parsed.data.sendAt);
  if (sendAt !== undefined && !(sendAt <= Date.now() + sendAtDaysMax * dayMs)) {
    return invalidField('sendAt', `At most ${sendAtDaysMax} days from now.`);
  }
  const { to, chatType } = recipient;
  const { clientReference, quotedMessageId } = parsed.data;
  const content = sentContent(parsed.data);
  const file = sentFile(parsed.data);
  const answered = quotedMessageId === undefined ? [] : [{ quotedMessageId }];
  // Of what was understood, not of the bytes: the same request in another writing is a repeat.
  const bodyHash = hash(
    'sha256',
    JSON.stringify([
      to,
      comparable(content),
      senderHint,
      clientReference,
      sendAt,
      ...(file ? [file.source] : []),
      ...answered,
    ]),
  );
  const extras = {
    ...(clientReference === undefined ? {} : { clientReference }),
    ...(sendAt === undefined ? {} : { sendAt }),
    ...(quotedMessageId === undefined ? {} : { quotedMessageId }),
  };
  return { ok: true, request: { bodyHash, to, chatType, content, senderHint, ...extras }, file };
}

/** A number id or the digits of a phone number; undefined when it is neither. */
function parseSenderHint(hint: string): string | undefined {
  const id = hint.toLowerCase();
  if (uuidSchema.safeParse(id).success) return id;
  const { digits, perhaps } = readPhoneNumber(hint);
  return digits ?? perhaps ?? undefined;
}

export const idempotencyKeyCharactersMax = 255;

/** `Idempotency-Key`: null when there is none. */
export function parseIdempotencyKey(header: string | undefined): { ok: true; key: string | null } | Refusal {
  if (header === undefined) return { ok: true, key: null };
  if (header.length >= 1 && header.length <= idempotencyKeyCharactersMax) return { ok: true, key: header };
  return invalidField('Idempotency-Key', `1 to ${idempotencyKeyCharactersMax} characters.`);
}
