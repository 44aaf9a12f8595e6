import { z } from 'zod';
import { actionSchema } from '../../../contract/automations/actions.ts';
import { automationFields } from '../../../contract/automations/automation.ts';
import { conditionSchema } from '../../../contract/automations/conditions.ts';
import { automationTriggers } from '../../../contract/automations/fields.ts';
import { actionReasons, actionStates, noReasons } from '../../../contract/automations/runs.ts';
import { eventIdSchema, messageIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas, optionalTimestamp, pageOf } from '../../openapi/schemas.ts';

const codes = (sentences: Record<string, string>) =>
  Object.entries(sentences)
    .map(([code, sentence]) => `\`${code}\`: ${sentence}`)
    .join(' ');
const oneOf = <Code extends string>(sentences: Record<Code, string>) =>
  z.enum(Object.keys(sentences) as [Code, ...Code[]]).describe(codes(sentences));

const triggerSchema = z.enum(automationTriggers);

export const automationSchema = z
  .object({
    automationId: uuidSchema,
    name: z.string(),
    enabled: z.boolean(),
    on: triggerSchema.describe('What it waits for.'),
    waitingMinutes: automationFields.waitingMinutes.describe('With `conversation.waiting`: after so long.'),
    inGroups: z.boolean().describe('Whether it answers in groups too.'),
    conditions: z.array(conditionSchema).describe('All of them must hold.'),
    actions: z.array(actionSchema).describe('What it does, in this order.'),
    cooldownSeconds: z.int().describe('So long it rests for a person that it has run for.'),
    position: z.int().describe('Its place among the automations, from 0: the first one is asked first.'),
    stats: z
      .object({
        runs: z.int().describe('Runs that are kept in its log: of 30 days, and 1,000 at most.'),
        lastRunAt: optionalTimestamp,
      })
      .describe('What it has done.'),
    createdAt: timestampSchema,
  })
  .describe('A rule that answers by itself.')
  .register(answerSchemas, { id: 'Automation' });

export const automationListSchema = pageOf(automationSchema)
  .describe('In their order.')
  .register(answerSchemas, { id: 'AutomationList' });

export const createdAutomationSchema = z
  .object({
    ...automationSchema.shape,
    secret: z
      .string()
      .describe('`whsec_…`: what you verify the callbacks of `call_webhook` with. Shown this once.'),
  })
  .describe('A rule with the secret of its callbacks.')
  .register(answerSchemas, { id: 'CreatedAutomation' });

const verdictFields = {
  reason: oneOf(noReasons).optional().describe('Why it did not run.'),
  conditionIndex: z.int().optional().describe('Which condition did not hold, from 0.'),
  until: timestampSchema.optional().describe('Until when it rests for this person.'),
  stoppedBy: uuidSchema.optional().describe('The automation that has stopped.'),
};

const happenedFields = {
  eventId: eventIdSchema.describe('The event that it answered; of a wait, an id of its own.'),
  at: timestampSchema,
  on: triggerSchema,
  numberId: uuidSchema,
  conversationId: uuidSchema.nullable(),
  messageId: messageIdSchema.nullable(),
  person: z.string().describe('The other side: a phone number, an alias, or a group.'),
};

const actionOutcomeSchema = z.object({
  type: z.string(),
  state: z.enum(actionStates),
  reason: oneOf(actionReasons).optional(),
  words: z.string().optional().describe('The same for a person.'),
  messageId: messageIdSchema.optional().describe('The reply.'),
});

const runSchema = z
  .object({
    runId: uuidSchema,
    ran: z.boolean(),
    ...happenedFields,
    ...verdictFields,
    actions: z.array(actionOutcomeSchema).optional().describe('What became of each action.'),
    automationId: uuidSchema,
  })
  .describe('A time that an automation ran, or did not.');

export const automationRunListSchema = pageOf(runSchema).register(answerSchemas, { id: 'AutomationRunList' });

export const automationDryRunSchema = z
  .object({
    since: timestampSchema.describe('Where reading has begun; later than asked where too much has happened.'),
    counts: z.object({
      events: z.int().describe('Events that it waits for.'),
      runs: z.int(),
      no: z.record(z.string(), z.int()).describe('How often it would not have run, by reason.'),
    }),
    isCut: z.boolean().describe('There was more than is told: the newest 200.'),
    data: z
      .array(
        z.object({
          ...happenedFields,
          text: z.string().nullable().describe('The beginning of the message.'),
          runs: z.boolean(),
          ...verdictFields,
          replies: z.array(z.string()).optional().describe('The replies, as they would have been sent.'),
          notReplied: z
            .object({
              reason: oneOf(actionReasons),
              words: z.string().optional().describe('The same for a person.'),
            })
            .optional()
            .describe('Why its replies would not have been sent, where they would not.'),
        }),
      )
      .describe('Newest first.'),
  })
  .describe('What an automation would have done. Nothing was.')
  .register(answerSchemas, { id: 'AutomationDryRun' });
