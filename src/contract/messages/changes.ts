import { z } from 'zod';
import { timestampSchema } from '../ids.ts';
import { chatTypeSchema } from './message.ts';

const words = (unitsMax: number) => z.string().max(unitsMax);
/** A person: digits of the phone number, or of the privacy alias. */
const digits = words(64);

/** An emoji with all its modifiers. */
export const emojiUnitsMax = 64;

/** A message that is there, as the network names it within a chat. */
export const targetSchema = z.strictObject({
  providerMessageId: words(128),
  /** The number itself has written it. */
  isOwn: z.boolean(),
  /** Who else has. */
  author: digits.optional(),
  authorLid: digits.optional(),
});
export type MessageTarget = z.infer<typeof targetSchema>;

const change = {
  target: targetSchema,
  chatType: chatTypeSchema,
  /** The group, or the other side of the chat: a phone number wherever it is known. */
  chat: digits,
  at: timestampSchema,
  /** Who did it: a phone number wherever it is known, else the alias. The owner of the number may have, on the phone. */
  from: digits,
  fromLid: digits.optional(),
};

const iv = z.base64().max(64);
const addresses = z.array(words(128)).min(1).max(4);

/** What only the secret of a message opens, and every form in which its author and who changes it may be named. */
const sealed = { payload: z.base64().max(131_072), iv, authors: addresses, doers: addresses };

/** What somebody did to a message that is there, as the network tells it. */
export const messageChangeSchema = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('edited'), ...change, text: words(65_536) }),
  z.strictObject({ change: z.literal('deleted'), ...change }),
  /** An empty emoji takes the reaction back. */
  z.strictObject({ change: z.literal('reaction'), ...change, emoji: words(emojiUnitsMax) }),
  /**
   * A vote in a poll, as it was sealed: who knows the secret of the poll opens it. The addresses of both sides are part
   * of the key; which form of them was used nobody says, so all are there.
   */
  z.strictObject({
    change: z.literal('vote'),
    ...change,
    payload: z.base64().max(16_384),
    iv,
    creators: addresses,
    voters: addresses,
  }),
  /**
   * An edit or a reaction, as newer phones seal it: who has the secret of the message opens it. Its author has made the
   * edit, so both sides of the key are the same person.
   */
  z.strictObject({ change: z.literal('sealed_edit'), ...change, ...sealed }),
  z.strictObject({ change: z.literal('sealed_reaction'), ...change, ...sealed }),
]);
export type MessageChange = z.infer<typeof messageChangeSchema>;

/** Somebody calls the number. */
export const incomingCallSchema = z.strictObject({
  callId: words(128),
  /** A phone number wherever it is known, else the alias. */
  from: digits,
  isVideo: z.boolean(),
  isGroup: z.boolean(),
  at: timestampSchema,
});
export type IncomingCall = z.infer<typeof incomingCallSchema>;
