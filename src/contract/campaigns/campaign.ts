import { z } from 'zod';
import { timeOfDaySchema, timeZoneSchema } from '../clock-fields.ts';
import { weekdays } from '../times.ts';

const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'finished', 'cancelled'] as const;
export const campaignStatusSchema = z.enum(campaignStatuses);
export type CampaignStatus = z.infer<typeof campaignStatusSchema>;

/** Why a campaign paused, or ended before everybody had it: a closed list, each with a sentence for a person. */
export const campaignReasons = {
  by_person: 'Somebody has paused it.',
  network_restricted: 'The network restricts new chats for one of its numbers (463).',
  failures: 'So many of its messages have failed as it was to stop at.',
  failure_rate: 'Many of its last messages have failed.',
  opt_outs: 'Many of those who got it have opted out.',
  undelivered: 'Most of its messages do not arrive: their recipients may have blocked the number.',
  audience_gone: 'The segment that it is for was deleted before all its recipients were written down.',
  numbers_gone: 'The last of its numbers was deleted, or taken out of the pool.',
  quota: 'The monthly quota is used up.',
  cancelled: 'Somebody has cancelled it.',
} as const;
export type CampaignReason = keyof typeof campaignReasons;
export const campaignReasonSchema = z.enum(
  Object.keys(campaignReasons) as [CampaignReason, ...CampaignReason[]],
);

/** How far a recipient has come: everybody is in exactly one. */
export const recipientStatuses = [
  'pending',
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'cancelled',
] as const;
export const recipientStatusSchema = z.enum(recipientStatuses);
export type RecipientStatus = z.infer<typeof recipientStatusSchema>;

/** Why somebody does not get it: a closed list, each with a sentence for a person. */
export const skipReasons = {
  opted_out: 'They have opted out.',
  never_wrote: 'They have never written to one of your numbers, and the campaign leaves out such contacts.',
  filtered: 'A filter of the account or its numbers refuses them.',
  not_on_network: 'They are not on the network.',
  missing_variable:
    'The text needs something that is not known of them, and has nothing to stand there instead.',
  too_long: 'The text is longer than a message may be, once it is filled in for them.',
  not_a_recipient: 'Their number cannot be written to.',
  same_person: 'They are among the recipients under another form of their phone number too.',
  quota: 'The monthly quota was used up, and the campaign was to end then.',
} as const;
export type SkipReason = keyof typeof skipReasons;
export const skipReasonSchema = z.enum(Object.keys(skipReasons) as [SkipReason, ...SkipReason[]]);

/** What a running campaign waits for: a closed list, each with a sentence for a person. */
export const campaignHolds = {
  audience: 'Its recipients are being written down.',
  numbers: 'None of its numbers can send for now.',
  busy: 'Its numbers are busy with messages that go first.',
  daily_limit: 'Its numbers have reached their limits for today.',
  window: 'It is not the time of day for those who are left.',
  rate: 'It sends only so many an hour.',
  quota: 'The monthly quota is used up.',
  winner: 'It waits for the answers that decide which text is better.',
} as const;
export type CampaignHold = keyof typeof campaignHolds;
export const campaignHoldSchema = z.enum(Object.keys(campaignHolds) as [CampaignHold, ...CampaignHold[]]);

/**
 * `recipients` is the sum of `pending`, `queued`, `sent`, `failed`, `skipped` and `cancelled`. Who has read it has got it,
 * and who has got it was sent it: `sent` counts those of `delivered`, and `delivered` those of `read`.
 */
export const campaignCountsSchema = z.strictObject({
  recipients: z.int(),
  pending: z.int(),
  queued: z.int(),
  sent: z.int(),
  delivered: z.int(),
  read: z.int(),
  failed: z.int(),
  replied: z.int(),
  optedOut: z.int(),
  skipped: z.int(),
  cancelled: z.int(),
});
export type CampaignCounts = z.infer<typeof campaignCountsSchema>;

/** When a campaign may send, by the clocks of one zone or of each recipient's. */
export const campaignWindowSchema = z
  .strictObject({
    days: z
      .array(z.enum(weekdays))
      .min(1, 'At least one day.')
      .max(7)
      .refine((days) => new Set(days).size === days.length, 'Each day must be listed only once.'),
    from: timeOfDaySchema,
    to: timeOfDaySchema,
    timeZone: z.union([z.literal('recipient'), timeZoneSchema]),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Must not be the same as from.' });
export type CampaignWindow = z.infer<typeof campaignWindowSchema>;

export const winnerRuleSchema = z.strictObject({
  testPercent: z.int().min(1).max(90),
  afterMinutes: z.int().min(1).max(10_080),
});
export type WinnerRule = z.infer<typeof winnerRuleSchema>;

/** Most texts that a campaign tries. */
export const variantsMax = 4;
export const campaignNameCharactersMax = 100;
