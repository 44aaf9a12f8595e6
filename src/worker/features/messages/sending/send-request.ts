import { hash } from 'node:crypto';
import { z } from 'zod';
import { invalidField, type Refusal, refuse } from '../../../../contract/errors.ts';
import { onlyGiven } from '../../../../contract/given.ts';
import { messageIdSchema, uuidSchema } from '../../../../contract/ids.ts';
import {
  type ChatType,
  clientReferenceCharactersMax,
  sendAtDaysMax,
} from '../../../../contract/messages/message.ts';
import { aliasIn } from '../../../../contract/messages/recipient.ts';
import { dayMs } from '../../../../contract/times.ts';
import type { SendRequest } from '../../../../durable/account/admission/send-request.ts';
import { isPlainText, plainTextProblem, timeText } from '../../../http/request/shared-fields.ts';
import { validationRefusal } from '../../../http/request/validation-details.ts';
import { knownRecipient, parseRecipient, type Recipient, readPhoneNumber } from './recipient.ts';
import {
  characters,
  comparable,
  contentSchema,
  type FileInput,
  sendableKinds,
  sentContent,
  sentFile,
} from './send-content.ts';

/** What every message to send may have. */
const answerFields = {
  clientReference: z
    .string()
    .min(1)
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
const commonFields = {
  to: z.string().optional(),
  contactId: uuidSchema.optional(),
  senderHint: z.string().optional(),
  ...answerFields,
};

/** A message to send, with `further` fields beside its own. */
export const sendSchema = <Further extends z.ZodRawShape>(further: Further) =>
  contentSchema({ ...commonFields, ...further });

/** The body of `POST /v1/messages/send`. */
export const sendBodySchema = sendSchema({});

/** The same to somebody who is known from elsewhere, through a number that is. */
export const answerSchema = contentSchema(answerFields);

/** The query of `POST /v1/messages/send`: a misspelt `dryRun` must not send. */
export const sendQuerySchema = z.strictObject({ dryRun: z.enum(['true', 'false']).optional() });

const typeSchema = z.looseObject({
  type: z.enum(sendableKinds, `Only these can be sent so far: ${sendableKinds.join(', ')}.`).optional(),
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

/** What is to be asked of the account's log before a body can be read. */
export interface Asked {
  /** Digits of which only the account can say whether it knows somebody by them. */
  doubtful: string[];
  /** Contacts that are named instead of a phone number. */
  contactIds: string[];
}

/** What the account's log has said. */
export interface Found {
  /** Those of the digits by which the account knows somebody. */
  known: ReadonlySet<string>;
  /** Where messages to these contacts go. */
  contacts: ReadonlyMap<string, string>;
}

export function askedIn(body: unknown): Asked {
  const { to, contactId } = (body ?? {}) as { to?: unknown; contactId?: unknown };
  const perhaps = typeof to === 'string' ? readPhoneNumber(to).perhaps : null;
  const isId = typeof contactId === 'string' && uuidSchema.safeParse(contactId.toLowerCase()).success;
  return {
    doubtful: perhaps === null ? [] : [perhaps],
    contactIds: isId ? [contactId.toLowerCase()] : [],
  };
}

type Named = (Extract<Recipient, { ok: true }> & { contactId?: string }) | Refusal;

/** Whom a send is for: `to` or `contactId`, and exactly one of them. */
function namedRecipient(
  { to, contactId }: { to?: string | undefined; contactId?: string | undefined },
  { known, contacts }: Found,
): Named {
  if (contactId === undefined) {
    if (to === undefined) return invalidField('to', 'This field is required, or contactId instead of it.');
    return knownRecipient(parseRecipient(to), known);
  }
  if (to !== undefined) return invalidField('contactId', 'Either to or contactId, not both.');
  const address = contacts.get(contactId);
  if (address === undefined) {
    const message = 'No such contact.';
    return refuse('NOT_FOUND', message, { details: [{ path: 'contactId', message }] });
  }
  const isAlias = aliasIn(address) !== null;
  return { ok: true, to: address, chatType: 'personal', ...(isAlias && { contactId }) };
}

/**
 * The body of `POST /v1/messages/send` as the account judges it: the shape first, then the recipient. `found`: what the
 * account's log says to {@link askedIn}.
 */
export function parseSendBody(body: unknown, found: Found): ParsedBody {
  const parsed = sendBodySchema.safeParse(body);
  if (!parsed.success) return shapeRefusal(body, parsed.error);
  const recipient = namedRecipient(parsed.data, found);
  return recipient.ok ? requestTo(recipient, parsed.data) : recipient;
}

/** The body of an answer to somebody who is known from elsewhere. */
export function parseAnswerBody(
  body: unknown,
  recipient: { to: string; chatType: ChatType; contactId?: string },
): ParsedBody {
  const parsed = sendBodySchema.safeParse(body);
  return parsed.success ? requestTo(recipient, parsed.data) : shapeRefusal(body, parsed.error);
}

function requestTo(
  { to, chatType, contactId }: { to: string; chatType: ChatType; contactId?: string },
  data: z.output<typeof sendBodySchema>,
): ParsedBody {
  const senderHint = data.senderHint === undefined ? null : parseSenderHint(data.senderHint);
  if (senderHint === undefined) return invalidField('senderHint', 'Neither a number ID nor a phone number.');
  const sendAt = data.sendAt === undefined ? undefined : Date.parse(data.sendAt);
  if (sendAt !== undefined && !(sendAt <= Date.now() + sendAtDaysMax * dayMs)) {
    return invalidField('sendAt', `At most ${sendAtDaysMax} days from now.`);
  }
  const { clientReference, quotedMessageId } = data;
  const content = sentContent(data);
  const file = sentFile(data);
  const answered = quotedMessageId === undefined ? [] : [{ quotedMessageId }];
  // Of what was understood, not of the bytes: the same request in another writing is a repeat.
  const bodyHash = hash(
    'sha256',
    JSON.stringify([
      // As it was named: meanwhile the contact may have got another address.
      data.contactId ?? contactId ?? to,
      comparable(content),
      senderHint,
      clientReference,
      sendAt,
      ...(file ? [file.source] : []),
      ...answered,
    ]),
  );
  const extras = onlyGiven({ contactId, clientReference, sendAt, quotedMessageId });
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
