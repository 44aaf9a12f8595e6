import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Refusal } from '../../../../contract/errors.ts';
import type { BatchRequest } from '../../../../durable/account/admission/send-request.ts';
import { validationRefusal } from '../../../http/request/validation-details.ts';
import type { FileInput } from './send-content.ts';
import {
  type Asked,
  askedIn,
  type Found,
  idempotencyKeyCharactersMax,
  parseSendBody,
  sendSchema,
} from './send-request.ts';

/** Messages in one request. */
const messagesMax = 100;

const idempotencyKeySchema = z
  .string()
  .min(1)
  .max(idempotencyKeyCharactersMax)
  .refine((key) => !/\p{Cc}/u.test(key), 'Must not contain control characters.');

/** The body of `POST /v1/messages/send-batch`. */
export const batchBodySchema = z.strictObject({
  messages: z
    .array(sendSchema({ idempotencyKey: idempotencyKeySchema.optional() }))
    .min(1)
    .max(messagesMax),
});

/** The request as a whole: what is wrong with one message is that message's own. */
const envelopeSchema = z.strictObject({
  messages: z
    .array(z.unknown())
    .min(1, 'At least 1 message.')
    .max(messagesMax, `At most ${messagesMax} messages.`),
});

const keyedSchema = z.looseObject({ idempotencyKey: idempotencyKeySchema.optional() });

/** `files`: what goes with each item, in their order; null where nothing does. */
type ParsedBatch =
  | { ok: true; batch: Pick<BatchRequest, 'bodyHash' | 'items'>; files: (FileInput | null)[] }
  | Refusal;

/** See {@link askedIn}; of all messages of a batch. */
export function askedInBatch(body: unknown): Asked[] {
  const envelope = envelopeSchema.safeParse(body);
  return envelope.success ? envelope.data.messages.map(askedIn) : [];
}

/** The messages of a batch, each as the account judges it, or the refusal of it. `found`: as {@link parseSendBody} has it. */
export function parseBatchBody(body: unknown, found: Found): ParsedBatch {
  const envelope = envelopeSchema.safeParse(body);
  if (!envelope.success) return validationRefusal(envelope.error);
  const parsed = envelope.data.messages.map((message) => parseItem(message, found));
  const items = parsed.map(({ item }) => item);
  return {
    ok: true,
    batch: { items, bodyHash: hash('sha256', JSON.stringify(items.map(identityOf))) },
    files: parsed.map(({ file }) => file),
  };
}

/** What a repeat of the same request has too. */
const identityOf = (item: BatchRequest['items'][number]) =>
  'ok' in item ? item : [item.bodyHash, item.idempotencyKey];

function parseItem(
  message: unknown,
  found: Found,
): { item: BatchRequest['items'][number]; file: FileInput | null } {
  const keyed = keyedSchema.safeParse(message);
  if (!keyed.success) return { item: validationRefusal(keyed.error), file: null };
  const { idempotencyKey = null, ...body } = keyed.data;
  const parsed = parseSendBody(body, found);
  if (!parsed.ok) return { item: parsed, file: null };
  return { item: { ...parsed.request, idempotencyKey }, file: parsed.file };
}
