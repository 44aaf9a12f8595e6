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
import { previewWarnings } from '../../../durable/campaign/preview.ts';
import { answerSchemas, meaningsOf, optionalTimestamp, pageOf, record } from '../../openapi/schemas.ts';

const message = z
  .record(z.string(), z.unknown())
  .describe('The message without `to`; a file by its `mediaId`.');

const counts = campaignCountsSchema.describe(
  '`recipients` is the sum of `pending`, `queued`, `sent`, `failed`, `skipped` and `cancelled`. `sent` includes ' +
    'delivered messages, and `delivered` includes read ones.',
);
const reason = campaignReasonSchema
  .nullable()
  .describe(`Why it was paused, or ended early. ${meaningsOf(campaignReasons)}`);

export const campaignSchema = record('Campaign', 'One message to many people, each once.', {
  campaignId: uuidSchema,
  name: z.string(),
  status: campaignStatusSchema,
  reason,
  message,
  variants: z.array(message).describe('The other texts, if it tests several.'),
  winner: winnerRuleSchema
    .nullable()
    .describe(
      'The size of the test group, and how long to wait for its replies; null: all texts go to everyone, evenly.',
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
    .describe('The recipients, as they are when it starts.'),
  numberIds: z.union([z.literal('pool'), z.array(uuidSchema)]),
  startAt: optionalTimestamp,
  window: campaignWindowSchema.nullable().describe('When it may send; null: any time.'),
  timeZone: z.string(),
  ratePerHour: z.int().nullable(),
  stopAfterFailures: z.int(),
  whenQuotaEnds: z.enum(['wait', 'end']),
  replyDays: z.int(),
  counts,
  variantCounts: z
    .array(z.object({ sent: z.int(), replied: z.int() }))
    .describe('By text: how many received it, and how many of those replied.'),
  waitingFor: z
    .object({ reason: campaignHoldSchema, until: optionalTimestamp })
    .nullable()
    .describe(`What it waits for while running. ${meaningsOf(campaignHolds)}`),
  createdAt: timestampSchema,
  startedAt: optionalTimestamp,
  endedAt: optionalTimestamp.describe('When it was finished or cancelled.'),
});

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
    .describe('A campaign in short. Counts may be up to a minute old.'),
).register(answerSchemas, { id: 'CampaignList' });

const recipientSchema = z
  .object({
    phoneNumber: z.string().nullable().describe('Null: hidden, or erased.'),
    contactId: uuidSchema.nullable().describe('Null: erased.'),
    name: z.string().nullable().describe('Only if a text uses it.'),
    status: recipientStatusSchema,
    reason: z
      .string()
      .nullable()
      .describe(
        `Why they were skipped (${meaningsOf(skipReasons)}), or the error code of their failed message.`,
      ),
    errorMessage: z.string().nullable().describe('Why the message failed, in plain words.'),
    variant: z.int().nullable().describe('Which text: 0 for `message`; null: not known yet.'),
    numberId: uuidSchema.nullable(),
    messageId: z.string().nullable(),
    attempts: z.int().describe('Number of messages created for them; 0: nothing was tried.'),
    sentAt: optionalTimestamp,
    deliveredAt: optionalTimestamp,
    readAt: optionalTimestamp,
    failedAt: optionalTimestamp,
    repliedAt: optionalTimestamp,
    optedOutAt: optionalTimestamp,
  })
  .describe('A recipient of a campaign.');

export const recipientListSchema = z
  .object({
    data: z.array(recipientSchema).describe('By phone number; whoever has none that is known comes last.'),
    nextCursor: z
      .string()
      .nullable()
      .describe(
        '`cursor` of the next page; null on the last one. A page may be short and still have a next one.',
      ),
  })
  .register(answerSchemas, { id: 'CampaignRecipientList' });

const somebody = {
  to: z.string().nullable().describe('Null: their phone number is not known.'),
  contactId: uuidSchema,
  name: z.string().nullable(),
};

export const campaignPreviewSchema = record('CampaignPreview', 'The preview of a campaign.', {
  recipients: z.int().describe('Everybody of the audience.'),
  willGet: z.int(),
  skipped: z
    .partialRecord(skipReasonSchema, z.int())
    .describe(`How many will not receive it, by reason. ${meaningsOf(skipReasons)}`),
  cold: z.int().describe('How many of the recipients have never written to one of your numbers.'),
  isPartial: z
    .boolean()
    .describe('The audience is larger than what was examined: the real counts are higher.'),
  examples: z
    .array(z.object({ ...somebody, variant: z.int(), text: z.string() }))
    .describe('The texts as the first recipients would get them.'),
  left: z
    .array(z.object({ ...somebody, reason: skipReasonSchema }))
    .describe('Some of those who will not receive it.'),
  numbers: z.array(
    z.object({
      numberId: uuidSchema,
      hindrance: z.string().nullable().describe('Why it cannot send now; null: it can.'),
      perMinute: z.number(),
      leftToday: z.int().nullable().describe('Null: unlimited.'),
    }),
  ),
  quota: z.object({
    left: z.int().nullable().describe('Messages; null: unlimited.'),
    resetAt: timestampSchema,
  }),
  startsAt: timestampSchema,
  finishesAt: optionalTimestamp.describe(
    'With these numbers, their pacing and the hours of the campaign. Null: within half a year it would not be finished.',
  ),
  warnings: z.array(z.enum(previewWarnings)).describe('Warnings before you start it.'),
});

export const campaignTestSchema = record('CampaignTest', 'A test message of a campaign.', {
  messageId: z.string(),
  numberId: uuidSchema,
  to: z.string(),
  text: z.string(),
});
