import { z } from 'zod';
import {
  campaignCountsSchema,
  campaignHoldSchema,
  campaignHolds,
  campaignReasonSchema,
  campaignReasons,
  campaignStatusSchema,
  campaignWindowSchema,
  recipientStatusSchema,
  skipReasonSchema,
  skipReasons,
  winnerRuleSchema,
} from '../../../contract/campaigns/campaign.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { previewWarnings } from '../../../durable/campaign/preview/warnings.ts';
import { answerSchemas, optionalTimestamp, pageOf } from '../../openapi/schemas.ts';

const sentences = (closed: Record<string, string>) =>
  Object.entries(closed)
    .map(([code, sentence]) => `\`${code}\`: ${sentence}`)
    .join(' ');

const message = z
  .record(z.string(), z.unknown())
  .describe('A message as it is sent, without `to`; a file by its `mediaId`.');

const counts = campaignCountsSchema.describe(
  '`recipients` is the sum of `pending`, `queued`, `sent`, `failed`, `skipped` and `cancelled`. `sent` counts those that are delivered, and `delivered` those that are read.',
);
const reason = campaignReasonSchema
  .nullable()
  .describe(`Why it paused, or ended early. ${sentences(campaignReasons)}`);

export const campaignSchema = z
  .object({
    campaignId: uuidSchema,
    name: z.string(),
    status: campaignStatusSchema,
    reason,
    message,
    variants: z.array(message).describe('The other texts, where it tries several.'),
    winner: winnerRuleSchema
      .nullable()
      .describe(
        'How many try the texts, and how long their answers are waited for; null: all texts go to all, evenly.',
      ),
    winningVariant: z
      .int()
      .nullable()
      .describe('0 for `message`, 1 for the first of `variants`; null: not known yet.'),
    audience: z
      .object({
        contactIds: z.array(uuidSchema).optional(),
        label: z.string().optional(),
        segmentId: uuidSchema.optional(),
        csv: uuidSchema.optional(),
        all: z.literal(true).optional(),
        coldContacts: z.boolean(),
      })
      .describe('Whom it is for: as they are when it starts.'),
    numberIds: z.union([z.literal('pool'), z.array(uuidSchema)]),
    startAt: optionalTimestamp,
    window: campaignWindowSchema.nullable().describe('When it may send; null: at any time.'),
    timeZone: z.string(),
    ratePerHour: z.int().nullable(),
    stopAfterFailures: z.int(),
    whenQuotaEnds: z.enum(['wait', 'end']),
    replyDays: z.int(),
    counts,
    variantCounts: z
      .array(z.object({ sent: z.int(), replied: z.int() }))
      .describe('By text: how many got it, and how many of those answered.'),
    waitingFor: z
      .object({ reason: campaignHoldSchema, until: optionalTimestamp })
      .nullable()
      .describe(`What it waits for while it is running. ${sentences(campaignHolds)}`),
    createdAt: timestampSchema,
    startedAt: optionalTimestamp,
    endedAt: optionalTimestamp.describe('When it was finished or cancelled.'),
  })
  .describe('One message to many people, each once.')
  .register(answerSchemas, { id: 'Campaign' });

export const campaignListSchema = pageOf(
  z
    .object({
      campaignId: uuidSchema,
      name: z.string(),
      status: campaignStatusSchema,
      reason,
      counts,
      createdAt: timestampSchema,
    })
    .describe('A campaign, in short. Counts may be a minute old.'),
).register(answerSchemas, { id: 'CampaignList' });

const recipientSchema = z
  .object({
    phoneNumber: z.string().nullable().describe('Null: it is not known, or they were erased.'),
    contactId: uuidSchema.nullable().describe('Null: they were erased.'),
    name: z.string().nullable().describe('Where a text says it.'),
    status: recipientStatusSchema,
    reason: z
      .string()
      .nullable()
      .describe(
        `Why they were skipped (${sentences(skipReasons)}), or the code with which their message failed.`,
      ),
    errorMessage: z.string().nullable().describe('Why the message failed, for a person.'),
    variant: z.int().nullable().describe('Which text: 0 for `message`; null: not known yet.'),
    numberId: uuidSchema.nullable(),
    messageId: z.string().nullable(),
    attempts: z.int().describe('How many messages were made for them; 0: nothing was tried.'),
    sentAt: optionalTimestamp,
    deliveredAt: optionalTimestamp,
    readAt: optionalTimestamp,
    failedAt: optionalTimestamp,
    repliedAt: optionalTimestamp,
    optedOutAt: optionalTimestamp,
  })
  .describe('Somebody whom a campaign is for.');

export const recipientListSchema = z
  .object({
    data: z.array(recipientSchema).describe('By phone number; whoever has none that is known comes last.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('`cursor` of the next page; null on the last one. A page may be short and have a next one.'),
  })
  .register(answerSchemas, { id: 'CampaignRecipientList' });

const somebody = {
  to: z.string().nullable().describe('Null: their phone number is not known.'),
  contactId: uuidSchema,
  name: z.string().nullable(),
};

export const campaignPreviewSchema = z
  .object({
    recipients: z.int().describe('Everybody of the audience.'),
    willGet: z.int(),
    skipped: z
      .partialRecord(skipReasonSchema, z.int())
      .describe(`How many do not get it, by the reason. ${sentences(skipReasons)}`),
    cold: z.int().describe('Of those who get it, how many have never written to one of your numbers.'),
    isPartial: z.boolean().describe('The audience is larger than what was looked at: there are more of all.'),
    examples: z
      .array(z.object({ ...somebody, variant: z.int(), text: z.string() }))
      .describe('The texts as the first ones would get them.'),
    left: z.array(z.object({ ...somebody, reason: skipReasonSchema })).describe('Some who do not get it.'),
    numbers: z.array(
      z.object({
        numberId: uuidSchema,
        hindrance: z.string().nullable().describe('Why it can send nothing now; null: it can.'),
        perMinute: z.number(),
        leftToday: z.int().nullable().describe('Null: without a limit.'),
      }),
    ),
    quota: z.object({
      left: z.int().nullable().describe('Messages; null: without a limit.'),
      resetAt: timestampSchema,
    }),
    startsAt: timestampSchema,
    finishesAt: optionalTimestamp.describe(
      'With these numbers, their pacing and the hours of the campaign. Null: within half a year it would not be finished.',
    ),
    warnings: z.array(z.enum(previewWarnings)).describe('What to know before it is started.'),
  })
  .describe('What would come of a campaign.')
  .register(answerSchemas, { id: 'CampaignPreview' });

export const campaignTestSchema = z
  .object({ messageId: z.string(), numberId: uuidSchema, to: z.string(), text: z.string() })
  .describe('A message of a campaign that somebody tries.')
  .register(answerSchemas, { id: 'CampaignTest' });
