import { z } from 'zod';
import { eventNameSchema } from '../../../contract/events.ts';
import { eventIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { allOr, answerSchemas, listOf, optionalTimestamp } from '../../openapi/schemas.ts';

export const webhookSchema = z
  .object({
    id: uuidSchema,
    url: z.string(),
    numberIds: allOr(uuidSchema).describe('The numbers whose events are sent; "all" includes later ones.'),
    events: allOr(eventNameSchema).describe('The events that are sent; "all" includes later ones.'),
    description: z.string().nullable(),
    headerNames: z
      .array(z.string())
      .describe('The names of the custom headers. Their values are never shown.'),
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
  })
  .describe('A receiver of events.')
  .register(answerSchemas, { id: 'Webhook' });

export const webhookListSchema = listOf(webhookSchema, 'WebhookList');

const secret = z.string().describe('`whsec_…`: verifies signatures. Shown only once.');

export const createdWebhookSchema = z
  .object({ ...webhookSchema.shape, secret })
  .describe('A new receiver of events.')
  .register(answerSchemas, { id: 'CreatedWebhook' });

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

export const deliverySchema = z
  .object({
    deliveryId: uuidSchema.describe('`X-Service-Delivery-Id`: the same for every attempt.'),
    eventId: eventIdSchema.describe('The `id` of the event: use it to deduplicate.'),
    event: eventNameSchema,
    status: deliveryStatusSchema,
    attempts: z.array(attemptSchema).describe('Oldest first.'),
    nextAttemptAt: optionalTimestamp,
  })
  .describe('One event on its way to one webhook.')
  .register(answerSchemas, { id: 'Delivery' });

export const deliveryListSchema = listOf(deliverySchema, 'DeliveryList');

export const testOutcomeSchema = z
  .object({
    deliveryId: uuidSchema,
    status: z.enum(['delivered', 'failed']),
    ...attemptSchema.omit({ at: true }).shape,
  })
  .describe('The result of a test.')
  .register(answerSchemas, { id: 'TestOutcome' });

export const redeliveryCountSchema = z
  .object({ count: z.int() })
  .describe('How many deliveries are sent again.')
  .register(answerSchemas, { id: 'RedeliveryCount' });
