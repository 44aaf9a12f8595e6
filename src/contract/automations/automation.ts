import { z } from 'zod';
import { actionSchema, wordsSchema } from './actions.ts';
import { conditionSchema } from './conditions.ts';
import { automationTriggers } from './fields.ts';

const conditionsMax = 20;
const actionsMax = 10;
const daySeconds = 86_400;

/** The fields of a rule that people set, each by itself; `automationProblems` says what they may not be together. */
export const automationFields = {
  name: wordsSchema(100),
  enabled: z.boolean(),
  on: z.enum(automationTriggers),
  waitingMinutes: z.int().min(1).max(10_080).nullable(),
  inGroups: z.boolean(),
  conditions: z.array(conditionSchema).max(conditionsMax, `At most ${conditionsMax} conditions.`),
  actions: z
    .array(actionSchema)
    .min(1, 'At least 1 action.')
    .max(actionsMax, `At most ${actionsMax} actions.`),
  cooldownSeconds: z
    .int()
    .min(0)
    .max(90 * daySeconds),
};

/** A rule as a person has defined it. */
export type AutomationDefinition = z.infer<z.ZodObject<typeof automationFields>>;
