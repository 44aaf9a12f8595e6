import { z } from 'zod';
import { alertChannelKinds } from '../../../contract/alerts/alert-channels.ts';
import { alertKindSchema, alertKinds } from '../../../contract/alerts/alerts.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { allOr, answerSchemas, listOf, meaningsOf, optionalTimestamp } from '../../openapi/schemas.ts';

const target = z
  .union([
    z.string(),
    z.object({ botToken: z.string().optional(), chatId: z.string() }),
    z.object({ numberId: uuidSchema.nullable(), to: z.string() }),
  ])
  .describe('Where alerts are sent. Only the ends of secrets are shown.');

export const alertChannelSchema = z
  .object({
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
  })
  .describe('Where alerts go.')
  .register(answerSchemas, { id: 'AlertChannel' });

export const createdAlertChannelSchema = z
  .object({
    ...alertChannelSchema.shape,
    secret: z
      .string()
      .optional()
      .describe('For webhooks: `whsec_…`, which verifies signatures. Shown only once.'),
  })
  .describe('A new channel.')
  .register(answerSchemas, { id: 'CreatedAlertChannel' });

export const alertChannelListSchema = listOf(alertChannelSchema, 'AlertChannelList');

const attempt = z.object({
  at: timestampSchema,
  statusCode: z.int().nullable().describe('Null if there was no response, or none with a status.'),
  durationMs: z.int(),
  error: z.string().nullable().describe('What went wrong, in plain words.'),
});

const alertDeliverySchema = z
  .object({
    deliveryId: uuidSchema.describe('The same for every attempt.'),
    news: z
      .enum(['raised', 'ended', 'digest', 'test'])
      .describe('What it reports: alerts that began, alerts that were resolved, a daily summary, or a test.'),
    alertIds: z.array(uuidSchema).describe('The alerts it reports.'),
    at: timestampSchema,
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(attempt).describe('Oldest first.'),
    nextAttemptAt: optionalTimestamp,
  })
  .describe('One message to one channel.')
  .register(answerSchemas, { id: 'AlertDelivery' });

export const alertDeliveryListSchema = listOf(alertDeliverySchema, 'AlertDeliveryList');

export const alertTestSchema = z
  .object({
    deliveryId: uuidSchema,
    status: z.enum(['delivered', 'failed']),
    ...attempt.omit({ at: true }).shape,
  })
  .describe('The result of a channel test.')
  .register(answerSchemas, { id: 'AlertTest' });

export const alertAddressSchema = z
  .object({ email: z.string() })
  .describe('An address that alerts are sent to.')
  .register(answerSchemas, { id: 'AlertAddress' });

export const alertMuteSchema = z
  .object({
    id: uuidSchema,
    kind: alertKindSchema.nullable().describe('Null: all kinds.'),
    numberId: uuidSchema.nullable().describe('Null: all numbers, and what concerns none.'),
    until: timestampSchema,
    createdBy: z.string().describe('The e-mail address of the person who muted it.'),
    createdAt: timestampSchema,
  })
  .describe('Alerts that no channel is notified of for a while.')
  .register(answerSchemas, { id: 'AlertMute' });

export const alertMuteListSchema = listOf(alertMuteSchema, 'AlertMuteList');

export const alertSchema = z
  .object({
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
  })
  .describe('A problem that needs attention. One problem is one alert, however often it is detected.')
  .register(answerSchemas, { id: 'Alert' });

export const alertListSchema = listOf(alertSchema, 'AlertList');
