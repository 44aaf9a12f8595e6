import { z } from 'zod';
import { numberIdsSchema } from '../ids.ts';

/** The longest target: 90 days. */
const secondsMax = 90 * 24 * 3600;
/** Labels that one policy may name. */
const labelsMax = 50;

const targetSchema = z.int().min(1).max(secondsMax).nullable();

/** What a person sets of an SLA policy. */
export const slaPolicyFields = {
  name: z.string().trim().min(1).max(100),
  firstResponseSeconds: targetSchema.describe(
    'From the message that opened or reopened a conversation to the first reply. Null: no target.',
  ),
  nextResponseSeconds: targetSchema.describe(
    'From a later message to its reply, if everything before was answered. Null: no target.',
  ),
  resolutionSeconds: targetSchema.describe(
    'From the opening of a conversation until it is resolved. Null: no target.',
  ),
  businessHoursOnly: z
    .boolean()
    .describe(
      "Only time within the business hours of the conversation's number counts. Where the number has none, all time counts.",
    ),
  numberIds: numberIdsSchema.describe('The numbers whose conversations it applies to.'),
  labels: z
    .array(z.string().min(1).max(100))
    .max(labelsMax)
    .describe('Only conversations with one of these labels. Empty: all.'),
};

type Targets = Record<'firstResponseSeconds' | 'nextResponseSeconds' | 'resolutionSeconds', number | null>;

export const hasTarget = (targets: Targets): boolean =>
  targets.firstResponseSeconds !== null ||
  targets.nextResponseSeconds !== null ||
  targets.resolutionSeconds !== null;
export const noTargetProblem = {
  path: ['firstResponseSeconds'],
  message: 'A policy needs at least one target.',
};

/** With what holds between the fields. */
export const slaPolicySchema = z.strictObject(slaPolicyFields).refine(hasTarget, noTargetProblem);
export type SlaPolicy = z.infer<typeof slaPolicySchema>;

/** What a policy can promise. */
export type SlaTargetName = 'first_response' | 'next_response' | 'resolution';
