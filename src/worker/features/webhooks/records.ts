import { z } from 'zod';
import { eventNameSchema } from '../../../contract/events.ts';
import { eventIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { allOr, listOf, optionalTimestamp, record } from '../../openapi/schemas.ts';

export const webhookSchema = record('Webhook', 'A receiver of events.', {
  id: uuidSchema,
  url: z.string(),
  numberIds: allOr(uuidSchema).describe('The numbers whose events are sent; "all" includes later ones.'),
  events: allOr(eventNameSchema).describe('The events that are sent; "all" includes later ones.'),
  description: z.string().nullable(),
  headerNames: z.array(z.string()).describe('The names of the custom headers. Their values are never shown.'),
  enabled: z.boolean(),
  failureStreak: z
    .int()
    .describe('Failed attempts in a row; 25 disable the webhook, once they have lasted 12 min 30 s.'),
  disabledReason: z
    .string()
    .nullable()
    .describe('`circuit_open`: the receiver failed too often, for too long.'),
  lastDeliveryAt: optionalTimestamp.describe('The last successful delivery.'),
  previousSecretExpiresAt: optionalTimestamp.describe(
    'After a rotation: until when the previous secret signs too.',
  ),
  createdAt: timestampSchema,
});

export const webhookListSchema = listOf(webhookSchema, 'WebhookList');

const secret = z.string().describe('`whsec_…`: verifies signatures. Shown only once.');

export const createdWebhookSchema = record('CreatedWebhook', 'A new receiver of events.', {
  ...webhookSchema.shape,
  secret,
});

const attemptSchema = z.object({
  at: timestampSchema,
  statusCode: z.int().nullable().describe('Null if there was no response.'),
  durationMs: z.int(),
  error: z.string().nullable().describe('What went wrong, in plain words.'),
  responseSnippet: z.string().nullable().describe('The beginning of the response.'),
});

const deliveryStatusSchema = z
  .enum(['pending', 'held', 'delivered', 'failed'])
  .describe('`held`: it waits until the webhook is enabled again.');

export const deliverySchema = record('Delivery', 'One event on its way to one webhook.', {
  deliveryId: uuidSchema.describe('`X-Service-Delivery-Id`: the same for every attempt.'),
  eventId: eventIdSchema.describe('The `id` of the event: use it to deduplicate.'),
  event: eventNameSchema,
  status: deliveryStatusSchema,
  attempts: z.array(attemptSchema).describe('Oldest first.'),
  nextAttemptAt: optionalTimestamp,
});

export const deliveryListSchema = listOf(deliverySchema, 'DeliveryList');

export const testOutcomeSchema = record('TestOutcome', 'The result of a test.', {
  deliveryId: uuidSchema,
  status: z.enum(['delivered', 'failed']),
  ...attemptSchema.omit({ at: true }).shape,
});

export const redeliveryCountSchema = record('RedeliveryCount', 'How many deliveries are sent again.', {
  count: z.int(),
});
