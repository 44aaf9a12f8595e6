import { z } from 'zod';
import type { Refusal } from '../../../contract/errors.ts';
import { type ChatType, textCharactersMax } from '../../../contract/messages/message.ts';
import { validationRefusal } from '../../http/request/validation-details.ts';
import { wordsSchema } from '../messages/sending/send-content.ts';
import {
  answerSchema,
  parseAnswerBody,
  type parseSendBody,
  shapeRefusal,
} from '../messages/sending/send-request.ts';

const noteSchema = z.strictObject({ note: z.literal(true), text: wordsSchema(textCharactersMax) });

/** The body of `POST /v1/conversations/:id/messages`: a send without a recipient, or a private note. */
export const chatBodySchema = z.union([answerSchema, noteSchema]);

const isNote = (body: unknown) => typeof body === 'object' && body !== null && 'note' in body;

/** Where an answer goes; `contactId`: whose alias that is. */
export interface ChatRecipient {
  to: string;
  chatType: ChatType;
  contactId?: string;
}

type Send = Extract<ReturnType<typeof parseSendBody>, { ok: true }>;

/** A note, or what is sent to whoever is on the other side: under the address that the conversation has. */
export type ChatBody =
  | { ok: true; note: string }
  | { ok: true; sendTo: (recipient: ChatRecipient) => Send | Refusal };

export function parseChatBody(body: unknown): ChatBody | Refusal {
  if (isNote(body)) {
    const note = noteSchema.safeParse(body);
    return note.success ? { ok: true, note: note.data.text } : validationRefusal(note.error);
  }
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) return shapeRefusal(body, parsed.error);
  return { ok: true, sendTo: (recipient) => parseAnswerBody(body, recipient) };
}
