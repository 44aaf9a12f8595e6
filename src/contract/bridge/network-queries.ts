import { z } from 'zod';
import { groupIdSchema, phoneNumberSchema } from '../ids.ts';
import { targetSchema } from '../messages/changes.ts';
import {
  groupDescriptionCharactersMax,
  groupParticipantsMax,
  groupSchema,
  groupSubjectCharactersMax,
  participantActions,
  personSchema,
} from '../numbers/group.ts';

/*
 * What the edge asks of the network through a bridge, beside messages. Each question has a verb, a deadline and one
 * answer; none is kept anywhere: whoever asked and got no answer asks again, or looks at what is there now.
 */

/** Phone numbers that one question may name. */
export const checkedNumbersMax = 50;

const participantsSchema = z.array(phoneNumberSchema).min(1).max(groupParticipantsMax);
/** Digits of a phone number, a group id, or the alias of somebody known by no more: `<digits>@lid`. */
const chatSchema = z.union([phoneNumberSchema, groupIdSchema, z.string().regex(/^\d{5,25}@lid$/)]);

/** Messages that one question may mark as read. */
export const readMessagesMax = 100;

export const typingStates = ['typing', 'recording', 'paused'] as const;
export type TypingState = (typeof typingStates)[number];

/** Longest picture that travels in a frame, in bytes. */
export const pictureBytesMax = 512 * 1024;

export const networkQuerySchema = z.discriminatedUnion('verb', [
  z.strictObject({
    verb: z.literal('contacts.check'),
    phoneNumbers: z.array(phoneNumberSchema).min(1).max(checkedNumbersMax),
  }),
  z.strictObject({ verb: z.literal('contacts.picture'), contact: chatSchema }),
  z.strictObject({ verb: z.literal('contacts.blocked') }),
  z.strictObject({ verb: z.literal('contacts.block'), phoneNumber: phoneNumberSchema, blocked: z.boolean() }),
  z.strictObject({ verb: z.literal('chats.typing'), chat: chatSchema, state: z.enum(typingStates) }),
  /** Somebody looks at this chat: the network is asked to tell when its other side types. From version 7 of the frames on. */
  z.strictObject({ verb: z.literal('chats.watch'), chat: phoneNumberSchema }),
  /** Tells the other side that these messages of theirs were read. */
  z.strictObject({
    verb: z.literal('chats.read'),
    chat: chatSchema,
    messages: z.array(targetSchema).min(1).max(readMessagesMax),
  }),
  z.strictObject({ verb: z.literal('profile.get') }),
  z.strictObject({
    verb: z.literal('profile.change'),
    name: z.string().min(1).optional(),
    about: z.string().optional(),
    /** A JPEG in base64; null takes it away. */
    picture: z.base64().nullable().optional(),
  }),
  /** The groups come as facts before the answer. */
  z.strictObject({ verb: z.literal('groups.sync') }),
  z.strictObject({
    verb: z.literal('groups.create'),
    subject: z.string().min(1).max(groupSubjectCharactersMax),
    participants: z.array(phoneNumberSchema).max(groupParticipantsMax),
  }),
  z.strictObject({
    verb: z.literal('groups.change'),
    groupId: groupIdSchema,
    subject: z.string().min(1).max(groupSubjectCharactersMax).optional(),
    /** Empty takes it away. */
    description: z.string().max(groupDescriptionCharactersMax).optional(),
    isAnnounce: z.boolean().optional(),
    isLocked: z.boolean().optional(),
    joinApproval: z.boolean().optional(),
  }),
  z.strictObject({ verb: z.literal('groups.leave'), groupId: groupIdSchema }),
  z.strictObject({
    verb: z.literal('groups.participants'),
    groupId: groupIdSchema,
    action: z.enum(participantActions),
    participants: participantsSchema,
  }),
  z.strictObject({ verb: z.literal('groups.invite'), groupId: groupIdSchema, renew: z.boolean() }),
  z.strictObject({ verb: z.literal('groups.join'), invite: z.string().min(1).max(64) }),
  z.strictObject({ verb: z.literal('groups.requests'), groupId: groupIdSchema }),
  z.strictObject({
    verb: z.literal('groups.decide'),
    groupId: groupIdSchema,
    action: z.enum(['approve', 'reject']),
    participants: participantsSchema,
  }),
]);
export type NetworkQuery = z.infer<typeof networkQuerySchema>;
export type QueryVerb = NetworkQuery['verb'];
export const queryVerbSchema = z.enum(
  networkQuerySchema.options.map((option) => option.shape.verb.value) as [QueryVerb, ...QueryVerb[]],
);
export type QueryOf<Verb extends QueryVerb> = Extract<NetworkQuery, { verb: Verb }>;

/** What came of one person that a change named; `code` is the network's own. */
const outcomeSchema = z.strictObject({
  phoneNumber: phoneNumberSchema,
  ok: z.boolean(),
  code: z.string().max(16).optional(),
});
export type PersonOutcome = z.infer<typeof outcomeSchema>;
const outcomes = { outcomes: z.array(outcomeSchema) };
const nothing = z.strictObject({});

const answerSchemas = {
  'contacts.check': z.strictObject({
    contacts: z.array(
      z.strictObject({
        phoneNumber: phoneNumberSchema,
        onNetwork: z.boolean(),
        /** The digits by which the network knows them, where those are others. */
        address: phoneNumberSchema.optional(),
      }),
    ),
  }),
  'contacts.picture': z.strictObject({ url: z.string().nullable() }),
  'contacts.blocked': z.strictObject({ contacts: z.array(personSchema) }),
  'contacts.block': nothing,
  'chats.typing': nothing,
  'chats.watch': nothing,
  'chats.read': nothing,
  'profile.get': z.strictObject({
    name: z.string().nullable(),
    about: z.string().nullable(),
    pictureUrl: z.string().nullable(),
  }),
  'profile.change': nothing,
  'groups.sync': nothing,
  'groups.create': z.strictObject({ group: groupSchema, ...outcomes }),
  'groups.change': z.strictObject({ group: groupSchema }),
  'groups.leave': nothing,
  'groups.participants': z.strictObject({ group: groupSchema, ...outcomes }),
  'groups.invite': z.strictObject({ invite: z.string() }),
  /** `group` is null where an admin has to let the number in first. */
  'groups.join': z.strictObject({ groupId: groupIdSchema, group: groupSchema.nullable() }),
  'groups.requests': z.strictObject({ participants: z.array(personSchema) }),
  'groups.decide': z.strictObject({ group: groupSchema, ...outcomes }),
} as const satisfies Record<QueryVerb, z.ZodType>;
export type QueryAnswer<Verb extends QueryVerb> = z.infer<(typeof answerSchemas)[Verb]>;

/** The answer to a question of this verb, or null where it is none. */
export function readAnswer<Verb extends QueryVerb>(verb: Verb, answer: unknown): QueryAnswer<Verb> | null {
  return (answerSchemas[verb].safeParse(answer).data as QueryAnswer<Verb> | undefined) ?? null;
}

/** Why there is no answer: a closed list. */
export const queryFailureSchema = z.strictObject({
  reason: z.enum(['not_connected', 'no_answer', 'rate_limited', 'refused']),
  /** The network's own code of a refusal, such as `403`. */
  code: z.string().max(16).optional(),
});
export type QueryFailure = z.infer<typeof queryFailureSchema>;
