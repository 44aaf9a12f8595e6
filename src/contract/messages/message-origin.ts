import { z } from 'zod';
import { uuidSchema } from '../ids.ts';

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
