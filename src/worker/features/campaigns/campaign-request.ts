import { z } from 'zod';
import { campaignWindowSchema, variantsMax, winnerRuleSchema } from '../../../contract/campaigns/campaign.ts';
import { unknownVariables } from '../../../contract/campaigns/template.ts';
import { timeZoneSchema } from '../../../contract/clock-fields.ts';
import { labelCharactersMax } from '../../../contract/contact.ts';
import { audienceContactsMax } from '../../../contract/contacts/audience.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { nameSchema, timeText } from '../../http/request/shared-fields.ts';
import { contentFields } from '../messages/sending/send-content.ts';

const { text, location, contacts, poll, image, video, audio, document, sticker } = contentFields;

/** A message to send, without a recipient: its texts may hold variables. */
const messageSchema = z
  .discriminatedUnion('type', [
    z.strictObject(text),
    z.strictObject(location),
    z.strictObject(contacts),
    z.strictObject(poll),
    z.strictObject(image),
    z.strictObject(video),
    z.strictObject(audio),
    z.strictObject(document),
    z.strictObject(sticker),
  ])
  .superRefine((message, context) => {
    const { path, template } = templateOf(message);
    const [unknown] = unknownVariables(template);
    if (unknown === undefined) return;
    const message_ = `There is no variable {{${unknown.slice(0, 60)}}}: there are {{name}}, {{phone}} and {{attributes.…}}.`;
    context.addIssue({ code: 'custom', path, message: message_ });
  });
export type CampaignMessage = z.infer<typeof messageSchema>;

/** The text of a message that variables are looked for in, and where it stands. */
function templateOf(message: z.infer<typeof messageSchema>): { path: string[]; template: string } {
  if (message.type === undefined || message.type === 'text')
    return { path: ['text'], template: message.text };
  const file = (message as Record<string, unknown>)[message.type];
  const caption = typeof file === 'object' && file !== null && 'caption' in file ? file.caption : undefined;
  return { path: [message.type, 'caption'], template: typeof caption === 'string' ? caption : '' };
}

const sources = ['contactIds', 'label', 'segmentId', 'csv', 'all'] as const;

/** Whom it is for: one of five, and whether also those who have never written. */
const audienceSchema = z
  .strictObject({
    contactIds: z.array(uuidSchema.toLowerCase()).min(1).max(audienceContactsMax).optional(),
    label: z.string().min(1).max(labelCharactersMax).optional(),
    segmentId: uuidSchema.toLowerCase().optional(),
    csv: uuidSchema.toLowerCase().optional(),
    all: z.literal(true).optional(),
    coldContacts: z.boolean().default(false),
  })
  .refine((audience) => sources.filter((source) => audience[source] !== undefined).length === 1, {
    message: `Give exactly one of ${sources.join(', ')}.`,
  });

const fields = {
  name: nameSchema,
  message: messageSchema,
  variants: z.array(messageSchema).max(variantsMax - 1),
  winner: winnerRuleSchema.nullable(),
  audience: audienceSchema,
  numberIds: z.union(
    [z.literal('pool'), z.array(uuidSchema.toLowerCase()).min(1).max(100)],
    'An array of number ids, or "pool".',
  ),
  startAt: timeText.nullable(),
  window: campaignWindowSchema.nullable(),
  timeZone: timeZoneSchema,
  ratePerHour: z.int().min(1).max(100_000).nullable(),
  stopAfterFailures: z.int().min(1).max(1_000_000),
  whenQuotaEnds: z.enum(['wait', 'end']),
  replyDays: z.int().min(1).max(30),
};

/** The body of `POST /v1/campaigns`. */
export const createCampaignSchema = z.strictObject({
  ...fields,
  variants: fields.variants.default([]),
  winner: fields.winner.default(null),
  numberIds: fields.numberIds.default('pool'),
  startAt: fields.startAt.default(null),
  window: fields.window.default(null),
  timeZone: fields.timeZone.default('UTC'),
  ratePerHour: fields.ratePerHour.default(null),
  stopAfterFailures: fields.stopAfterFailures.default(20),
  whenQuotaEnds: fields.whenQuotaEnds.default('wait'),
  replyDays: fields.replyDays.default(7),
});
export type CreateCampaign = z.output<typeof createCampaignSchema>;

/** The body of `PATCH /v1/campaigns/:id`. */
export const changeCampaignSchema = z.strictObject(fields).partial();
export type CampaignChanges = z.output<typeof changeCampaignSchema>;
