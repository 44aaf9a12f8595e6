import { z } from 'zod';
import { alertChannelKinds, alertKindSchema } from '../../../contract/alerts/alert-channels.ts';
import { alertKinds } from '../../../contract/alerts/alerts.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { allOr, listOf, meaningsOf, optionalTimestamp, record } from '../../openapi/schemas.ts';

const target = z
  .union([
    z.string(),
    z.object({ botToken: z.string().optional(), chatId: z.string() }),
    z.object({ numberId: uuidSchema.nullable(), to: z.string() }),
  ])
  .describe('Where alerts are sent. Only the ends of secrets are shown.');

export const alertChannelSchema = record('AlertChannel', 'Where alerts go.', {
  channelId: uuidSchema,
  kind: z.enum(alertChannelKinds),
  name: z.string().nullable(),
  target,
  kinds: allOr(alertKindSchema).describe('The alerts sent there; "all" includes later ones.'),
  numberIds: allOr(uuidSchema).describe(
    'The numbers whose alerts are sent there; "all" includes later ones.',
  ),
  digest: z
    .object({ hour: z.int(), timeZone: z.string(), only: z.boolean() })
    .nullable()
    .describe('A summary once a day at this hour; `only`: instead of single alerts.'),
  enabled: z.boolean(),
  state: z
    .enum(['ready', 'off', 'unconfirmed', 'no_mail_server'])
    .describe(
      '`unconfirmed`: the recipient has not confirmed the address yet. `no_mail_server`: this gateway sends no e-mail.',
    ),
  lastDeliveryAt: optionalTimestamp.describe('The last successful delivery.'),
  lastError: z.string().nullable().describe('The error of the last attempt; null after a success.'),
  createdAt: timestampSchema,
});

export const createdAlertChannelSchema = record('CreatedAlertChannel', 'A new channel.', {
  ...alertChannelSchema.shape,
  secret: z
    .string()
    .optional()
    .describe('For webhooks: `whsec_…`, which verifies signatures. Shown only once.'),
});

export const alertChannelListSchema = listOf(alertChannelSchema, 'AlertChannelList');

const attempt = z.object({
  at: timestampSchema,
  statusCode: z.int().nullable().describe('Null if there was no response, or none with a status.'),
  durationMs: z.int(),
  error: z.string().nullable().describe('What went wrong, in plain words.'),
});

const alertDeliverySchema = record('AlertDelivery', 'One message to one channel.', {
  deliveryId: uuidSchema.describe('The same for every attempt.'),
  news: z
    .enum(['raised', 'ended', 'digest', 'test'])
    .describe('What it reports: alerts that began, alerts that were resolved, a daily summary, or a test.'),
  alertIds: z.array(uuidSchema).describe('The alerts it reports.'),
  at: timestampSchema,
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(attempt).describe('Oldest first.'),
  nextAttemptAt: optionalTimestamp,
});

export const alertDeliveryListSchema = listOf(alertDeliverySchema, 'AlertDeliveryList');

export const alertTestSchema = record('AlertTest', 'The result of a channel test.', {
  deliveryId: uuidSchema,
  status: z.enum(['delivered', 'failed']),
  ...attempt.omit({ at: true }).shape,
});

export const alertAddressSchema = record('AlertAddress', 'An address that alerts are sent to.', {
  email: z.string(),
});

export const alertMuteSchema = record('AlertMute', 'Alerts that no channel is notified of for a while.', {
  id: uuidSchema,
  kind: alertKindSchema.nullable().describe('Null: all kinds.'),
  numberId: uuidSchema.nullable().describe('Null: all numbers, and what concerns none.'),
  until: timestampSchema,
  createdBy: z.string().describe('The e-mail address of the person who muted it.'),
  createdAt: timestampSchema,
});

export const alertMuteListSchema = listOf(alertMuteSchema, 'AlertMuteList');

export const alertSchema = record(
  'Alert',
  'A problem that needs attention. One problem is one alert, however often it is detected.',
  {
    id: uuidSchema,
    kind: alertKindSchema.describe(meaningsOf(alertKinds)),
    subject: z
      .string()
      .describe(
        'What it is about: `number:<id>`, `webhook:<id>`, `conversation:<id>`, `campaign:<id>`, `bridge:<id>`, `quota:<month>`.',
      ),
    at: timestampSchema.describe('When the problem began.'),
    detail: z.record(z.string(), z.union([z.string(), z.number()])),
    endedAt: optionalTimestamp.describe('When the problem was resolved; null while it is open.'),
    acknowledgedAt: optionalTimestamp.describe('When someone acknowledged it.'),
    acknowledgedBy: z.string().nullable().describe('The e-mail address of the person who acknowledged it.'),
  },
);

export const alertListSchema = listOf(alertSchema, 'AlertList');
