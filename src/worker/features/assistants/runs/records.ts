import { z } from 'zod';
import {
  type RunReason,
  runOutcomes,
  runReasons,
  tokensSchema,
} from '../../../../contract/assistants/run.ts';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { answerSchemas, optionalTimestamp, pageOf } from '../../../openapi/schemas.ts';
import { thoughtShape } from '../records.ts';

const reasons = Object.keys(runReasons) as [RunReason, ...RunReason[]];

export const runSchema = z
  .object({
    turnId: uuidSchema,
    assistantId: uuidSchema,
    conversationId: uuidSchema,
    outcome: z
      .enum(runOutcomes)
      .describe(
        '`running`: it waits for more, or is being answered. `dropped`: it was not its to answer any more.',
      ),
    reason: z
      .enum(reasons)
      .nullable()
      .describe(
        Object.entries(runReasons)
          .map(([reason, sentence]) => `\`${reason}\`: ${sentence}`)
          .join(' '),
      ),
    question: z.string().describe('The beginning of what was written.'),
    reply: z.string().nullable().describe('What was said, or was to be said.'),
    messageId: z.string().nullable().describe('The message that it became.'),
    ...thoughtShape,
    instructionsVersion: z
      .string()
      .nullable()
      .describe('Which wording of the instructions it was answered under; null: nothing was thought.'),
    at: timestampSchema,
    endedAt: optionalTimestamp,
  })
  .describe('One time that an assistant was asked something.')
  .register(answerSchemas, { id: 'AssistantRun' });

export const runListSchema = pageOf(runSchema).register(answerSchemas, { id: 'AssistantRunList' });

export const instructionVersionListSchema = pageOf(
  z
    .object({
      version: z.string().describe('Follows from the text: the same text has the same version.'),
      instructions: z.string(),
      isCurrent: z.boolean().describe('It is what the assistant is told now.'),
      answered: z.int().describe('Runs that it answered under it.'),
      handedOff: z.int().describe('Runs that it handed over under it.'),
      firstUsedAt: timestampSchema,
      lastUsedAt: timestampSchema,
    })
    .describe('One wording of the instructions, and what came of it.'),
).register(answerSchemas, { id: 'AssistantInstructionsList' });

const countsShape = { answered: z.int(), handedOff: z.int(), tokens: tokensSchema };

export const assistantReportSchema = z
  .object({
    since: z.string().describe('The first day.'),
    ...countsShape,
    handOffRate: z
      .number()
      .nullable()
      .describe('Of what it ended itself, the part that it handed over; null: nothing yet.'),
    cost: z.number().nullable().describe('By the prices of the provider; null where none are set.'),
    days: z.array(z.object({ day: z.string(), ...countsShape, cost: z.number() })).describe('Oldest first.'),
  })
  .describe('What an assistant did, and what it cost.')
  .register(answerSchemas, { id: 'AssistantReport' });

export const conversationAssistantSchema = z
  .object({ conversationId: uuidSchema, botState: z.enum(['off', 'active', 'paused']) })
  .describe('Whether an assistant answers in a conversation.')
  .register(answerSchemas, { id: 'ConversationAssistant' });

const namedAssistantSchema = z.object({ assistantId: uuidSchema, name: z.string() });

export const standingSchema = z
  .object({
    ...conversationAssistantSchema.shape,
    assistant: namedAssistantSchema.nullable().describe('The one that answers, or did last.'),
    isAnswering: z.boolean().describe('It is about to answer something.'),
    available: z.array(namedAssistantSchema).describe('Those that are on for the number, the oldest first.'),
  })
  .describe('How assistants stand in a conversation.')
  .register(answerSchemas, { id: 'ConversationAssistantStanding' });
