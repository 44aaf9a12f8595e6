import { z } from 'zod';
import {
  type RunReason,
  runOutcomes,
  runReasons,
  tokensSchema,
} from '../../../../contract/assistants/run.ts';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import {
  answerSchemas,
  listOf,
  meaningsOf,
  optionalTimestamp,
  pageOf,
  record,
} from '../../../openapi/schemas.ts';
import { thoughtShape } from '../records.ts';

const reasons = Object.keys(runReasons) as [RunReason, ...RunReason[]];

export const runSchema = record('AssistantRun', 'One question to an assistant.', {
  turnId: uuidSchema,
  assistantId: uuidSchema,
  conversationId: uuidSchema,
  outcome: z
    .enum(runOutcomes)
    .describe(
      "`running`: it waits for more messages, or is being answered. `dropped`: it was no longer the assistant's to " +
        'answer.',
    ),
  reason: z.enum(reasons).nullable().describe(meaningsOf(runReasons)),
  question: z.string().describe("The beginning of the customer's message."),
  reply: z.string().nullable().describe('What was said, or would have been said.'),
  messageId: z.string().nullable().describe('The message that was sent.'),
  ...thoughtShape,
  instructionsVersion: z
    .string()
    .nullable()
    .describe('The version of the instructions it was answered with; null: the model was not called.'),
  at: timestampSchema,
  endedAt: optionalTimestamp,
});

export const runListSchema = listOf(runSchema, 'AssistantRunList');

export const instructionVersionListSchema = pageOf(
  z
    .object({
      version: z.string().describe('Derived from the text: the same text has the same version.'),
      instructions: z.string(),
      isCurrent: z.boolean().describe('The current instructions.'),
      answered: z.int().describe('Runs it answered with this version.'),
      handedOff: z.int().describe('Runs it handed over with this version.'),
      firstUsedAt: timestampSchema,
      lastUsedAt: timestampSchema,
    })
    .describe('One version of the instructions, and its results.'),
).register(answerSchemas, { id: 'AssistantInstructionsList' });

const countsShape = { answered: z.int(), handedOff: z.int(), tokens: tokensSchema };

export const assistantReportSchema = record('AssistantReport', 'What an assistant did, and what it cost.', {
  since: z.string().describe('The first day.'),
  ...countsShape,
  handOffRate: z
    .number()
    .nullable()
    .describe('The share it handed over, of the runs it finished itself; null: none yet.'),
  cost: z.number().nullable().describe("By the provider's prices; null if none are set."),
  days: z.array(z.object({ day: z.string(), ...countsShape, cost: z.number() })).describe('Oldest first.'),
});

export const conversationAssistantSchema = record(
  'ConversationAssistant',
  'Whether an assistant answers in a conversation.',
  { conversationId: uuidSchema, botState: z.enum(['off', 'active', 'paused']) },
);

const namedAssistantSchema = z.object({ assistantId: uuidSchema, name: z.string() });

export const standingSchema = record(
  'ConversationAssistantStanding',
  'The state of assistants in a conversation.',
  {
    ...conversationAssistantSchema.shape,
    assistant: namedAssistantSchema.nullable().describe('The one that answers, or did last.'),
    isAnswering: z.boolean().describe('It is about to answer.'),
    available: z
      .array(namedAssistantSchema)
      .describe('Assistants that are on for the number, the oldest first.'),
  },
);
