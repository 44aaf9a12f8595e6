import { z } from 'zod';
import { actionSchema } from '../../../contract/automations/actions.ts';
import { automationFields } from '../../../contract/automations/automation.ts';
import { conditionSchema } from '../../../contract/automations/conditions.ts';
import { automationTriggers } from '../../../contract/automations/fields.ts';
import { actionReasons, actionStates, noReasons } from '../../../contract/automations/runs.ts';
import { eventIdSchema, messageIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import {
  answerSchemas,
  listOf,
  meaningsOf,
  optionalTimestamp,
  pageOf,
  record,
} from '../../openapi/schemas.ts';

const oneOf = <Code extends string>(sentences: Record<Code, string>) =>
  z.enum(Object.keys(sentences) as [Code, ...Code[]]).describe(meaningsOf(sentences));

const triggerSchema = z.enum(automationTriggers);

export const automationSchema = record('Automation', 'A rule that responds automatically.', {
  automationId: uuidSchema,
  name: z.string(),
  enabled: z.boolean(),
  on: triggerSchema.describe('Its trigger.'),
  waitingMinutes: automationFields.waitingMinutes.describe('With `conversation.waiting`: after so long.'),
  inGroups: z.boolean().describe('Whether it also runs in groups.'),
  conditions: z.array(conditionSchema).describe('All must match.'),
  actions: z.array(actionSchema).describe('Its actions, in this order.'),
  cooldownSeconds: z.int().describe('How long it pauses for a person after it ran for them.'),
  position: z.int().describe('Its position among the automations, from 0: the first one runs first.'),
  stats: z
    .object({
      runs: z.int().describe('Runs in its log: of the last 30 days, 1,000 at most.'),
      lastRunAt: optionalTimestamp,
    })
    .describe('What it did.'),
  createdAt: timestampSchema,
});

export const automationListSchema = pageOf(automationSchema)
  .describe('In the order in which they run.')
  .register(answerSchemas, { id: 'AutomationList' });

export const createdAutomationSchema = record(
  'CreatedAutomation',
  'An automation with the secret of its callbacks.',
  {
    ...automationSchema.shape,
    secret: z.string().describe('`whsec_…`: verifies the callbacks of `call_webhook`. Shown only once.'),
  },
);

const verdictFields = {
  reason: oneOf(noReasons).optional().describe('Why it did not run.'),
  conditionIndex: z.int().optional().describe('The first condition that did not match, from 0.'),
  until: timestampSchema.optional().describe('When its pause for this person ends.'),
  stoppedBy: uuidSchema.optional().describe('The automation that stopped it.'),
};

const happenedFields = {
  eventId: eventIdSchema.describe('The ID of the event; a wait has an ID of its own.'),
  at: timestampSchema,
  on: triggerSchema,
  numberId: uuidSchema,
  conversationId: uuidSchema.nullable(),
  messageId: messageIdSchema.nullable(),
  person: z.string().describe('The other party: a phone number, an alias or a group.'),
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
    actions: z.array(actionOutcomeSchema).optional().describe('The result of each action.'),
    automationId: uuidSchema,
  })
  .describe('An event for which an automation ran, or did not.');

export const automationRunListSchema = listOf(runSchema, 'AutomationRunList');

export const automationDryRunSchema = record(
  'AutomationDryRun',
  'What an automation would have done. Nothing was done.',
  {
    since: timestampSchema.describe(
      'Where the test started; later than requested if there were too many events.',
    ),
    counts: z.object({
      events: z.int().describe('Events that match its trigger.'),
      runs: z.int(),
      no: z.record(z.string(), z.int()).describe('How often it would not have run, by reason.'),
    }),
    isCut: z.boolean().describe('There are more than shown: these are the newest 200.'),
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
            .describe('Why its replies would not have been sent, if so.'),
        }),
      )
      .describe('Newest first.'),
  },
);
