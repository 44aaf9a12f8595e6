import { z } from 'zod';
import { uuidSchema } from '../ids.ts';

export const chatTypeSchema = z.enum(['personal', 'group']);
export type ChatType = z.infer<typeof chatTypeSchema>;

/** Why a message failed, as a program reads it: a closed list, and `network_<code>` with the network's own code. */
export const messageErrors = {
  expired: 'It could not be sent in time.',
  recipient_opted_out: 'The recipient opted out after the message was accepted.',
  number_deleted: 'Its number was deleted, and no other may send it.',
  cancelled: 'It was cancelled before it left.',
  file_not_fetched: 'Its file could not be fetched from its URL.',
  not_sendable: 'It cannot be sent as it is, and never left.',
  unknown_outcome: 'It was handed to the network and never acknowledged: it may have arrived.',
} as const;
export type MessageErrorCode = keyof typeof messageErrors | `network_${string}`;
export const messageErrorCodeSchema = z
  .string()
  .regex(
    new RegExp(`^(${Object.keys(messageErrors).join('|')}|network_[0-9A-Za-z_-]+)$`),
  ) as z.ZodType<MessageErrorCode>;

/** Characters of `clientReference`, which is the caller's own. */
export const clientReferenceCharactersMax = 128;
/** How far ahead `sendAt` may lie. */
export const sendAtDaysMax = 30;

/** Characters of a text message: 1 to 4,096, as they came. */
export const textCharactersMax = 4096;

/** How the sender of a message was chosen. */
export const senderSourceSchema = z.enum(['pinned', 'pinned_fallback', 'pool', 'hint', 'hint_fallback']);
export type SenderSource = z.infer<typeof senderSourceSchema>;

const idSchema = z.string().min(1).max(100);

/** Who made an outbound message when it was not an API key, nor the owner of the number on the phone. */
export const messageOriginSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('person'), userId: uuidSchema }),
  /** `depth`: how many automations stand between it and what a person has done. */
  z.strictObject({
    kind: z.literal('automation'),
    automationId: uuidSchema,
    eventId: idSchema,
    depth: z.int().nonnegative(),
  }),
  z.strictObject({ kind: z.literal('assistant'), assistantId: uuidSchema, turnId: idSchema }),
  z.strictObject({ kind: z.literal('campaign'), campaignId: uuidSchema }),
  z.strictObject({ kind: z.literal('survey') }),
  z.strictObject({ kind: z.literal('alert'), alertId: uuidSchema }),
]);
export type MessageOrigin = z.infer<typeof messageOriginSchema>;

/**
 * The order in which messages leave: somebody who waits for a person comes first, whoever is written to in bulk last. A
 * lane waits while one before it has something that may leave.
 */
export const sendLanes = ['person', 'server', 'machine', 'campaign'] as const;
export type SendLane = (typeof sendLanes)[number];

const laneByKind: Record<MessageOrigin['kind'], SendLane> = {
  person: 'person',
  alert: 'server',
  automation: 'machine',
  assistant: 'machine',
  survey: 'machine',
  campaign: 'campaign',
};

/** The lane of a message; without an origin it is that of an API key. */
export const laneOf = (origin: MessageOrigin | undefined): SendLane =>
  origin === undefined ? 'server' : laneByKind[origin.kind];
