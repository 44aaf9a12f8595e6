import { z } from 'zod';
import { alertChannelKinds } from '../../../contract/alerts/alert-channels.ts';
import { alertKindSchema, alertKinds } from '../../../contract/alerts/alerts.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas, optionalTimestamp, pageOf } from '../../openapi/schemas.ts';

const allOr = <Item extends z.ZodType>(item: Item) => z.union([z.literal('all'), z.array(item)]);

const target = z
  .union([
    z.string(),
    z.object({ botToken: z.string().optional(), chatId: z.string() }),
    z.object({ numberId: uuidSchema.nullable(), to: z.string() }),
  ])
  .describe('Where they go. Of what is secret in it, only the ends are shown.');

export const alertChannelSchema = z
  .object({
    channelId: uuidSchema,
    kind: z.enum(alertChannelKinds),
    name: z.string().nullable(),
    target,
    kinds: allOr(alertKindSchema).describe('The alerts that go there; "all" includes later ones.'),
    numberIds: allOr(uuidSchema).describe('The numbers whose alerts go there; "all" includes later ones.'),
    digest: z
      .object({ hour: z.int(), timeZone: z.string(), only: z.boolean() })
      .nullable()
      .describe('Once a day at this hour, a list of what happened; `only`: instead of each alert by itself.'),
    enabled: z.boolean(),
    state: z
      .enum(['ready', 'off', 'unconfirmed', 'no_mail_server'])
      .describe(
        '`unconfirmed`: whoever reads at the address has not said yet that they want alerts. `no_mail_server`: this gateway sends no e-mails.',
      ),
    lastDeliveryAt: optionalTimestamp.describe('The last success.'),
    lastError: z.string().nullable().describe('What went wrong at the last attempt; null after a success.'),
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
      .describe('Of a webhook: `whsec_…`, what you verify signatures with. Shown this once.'),
  })
  .describe('A new channel.')
  .register(answerSchemas, { id: 'CreatedAlertChannel' });

export const alertChannelListSchema = pageOf(alertChannelSchema).register(answerSchemas, {
  id: 'AlertChannelList',
});

const attempt = z.object({
  at: timestampSchema,
  statusCode: z.int().nullable().describe('Null where there was no answer, or none with a status.'),
  durationMs: z.int(),
  error: z.string().nullable().describe('What went wrong, in words.'),
});

const alertDeliverySchema = z
  .object({
    deliveryId: uuidSchema.describe('The same for every attempt.'),
    news: z
      .enum(['raised', 'ended', 'digest', 'test'])
      .describe('What it told: troubles that began, that are over, a day, or nothing but a test.'),
    alertIds: z.array(uuidSchema).describe('The alerts that it told of.'),
    at: timestampSchema,
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(attempt).describe('Oldest first.'),
    nextAttemptAt: optionalTimestamp,
  })
  .describe('One message on its way to one channel.')
  .register(answerSchemas, { id: 'AlertDelivery' });

export const alertDeliveryListSchema = pageOf(alertDeliverySchema).register(answerSchemas, {
  id: 'AlertDeliveryList',
});

export const alertTestSchema = z
  .object({
    deliveryId: uuidSchema,
    status: z.enum(['delivered', 'failed']),
    statusCode: attempt.shape.statusCode,
    durationMs: attempt.shape.durationMs,
    error: attempt.shape.error,
  })
  .describe('What came of a test of a channel.')
  .register(answerSchemas, { id: 'AlertTest' });

export const alertAddressSchema = z
  .object({ email: z.string() })
  .describe('An address that alerts go to.')
  .register(answerSchemas, { id: 'AlertAddress' });

export const alertMuteSchema = z
  .object({
    id: uuidSchema,
    kind: alertKindSchema.nullable().describe('Null: all kinds.'),
    numberId: uuidSchema.nullable().describe('Null: all numbers, and what concerns none.'),
    until: timestampSchema,
    createdBy: z.string().describe('The e-mail address of whoever said so.'),
    createdAt: timestampSchema,
  })
  .describe('Alerts that nobody is told of for a while.')
  .register(answerSchemas, { id: 'AlertMute' });

export const alertMuteListSchema = pageOf(alertMuteSchema).register(answerSchemas, { id: 'AlertMuteList' });

export const alertSchema = z
  .object({
    id: uuidSchema,
    kind: alertKindSchema.describe(
      Object.entries(alertKinds)
        .map(([kind, sentence]) => `\`${kind}\`: ${sentence}`)
        .join(' '),
    ),
    subject: z
      .string()
      .describe(
        'What it is about: `number:<id>`, `webhook:<id>`, `conversation:<id>`, `campaign:<id>`, `bridge:<id>`, `quota:<month>`.',
      ),
    at: timestampSchema.describe('Since when.'),
    detail: z.record(z.string(), z.union([z.string(), z.number()])),
    endedAt: optionalTimestamp.describe('When the trouble was over; null while it lasts.'),
    acknowledgedAt: optionalTimestamp.describe('When somebody said that they know of it.'),
    acknowledgedBy: z.string().nullable().describe('The e-mail address of whoever said so.'),
  })
  .describe('Something that wants a person. One trouble is one alert, however often it is seen.')
  .register(answerSchemas, { id: 'Alert' });

export const alertListSchema = pageOf(alertSchema).register(answerSchemas, { id: 'AlertList' });
