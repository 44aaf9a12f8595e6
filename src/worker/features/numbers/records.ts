import { z } from 'zod';
import { deviceStateSchema } from '../../../contract/bridge/device.ts';
import { sessionSettingsSchema } from '../../../contract/bridge/session-settings.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { filtersSchema, healthStatuses, pacingSchema } from '../../../contract/sender-settings.ts';
import { answerSchemas, optionalTimestamp, pageOf } from '../../openapi/schemas.ts';

const healthStatusSchema = z
  .enum(healthStatuses)
  .describe(
    'Whether it can send: `resting` pauses after failures, `restricted` may only answer open chats, `unavailable` is not connected.',
  );

export const phoneNumberSchema = z
  .object({
    numberId: uuidSchema,
    label: z.string(),
    phoneNumber: z.string().nullable().describe('Digits with country code; null before it was paired.'),
    state: deviceStateSchema,
    health: healthStatusSchema,
    healthUntil: optionalTimestamp.describe(
      'Until when its health keeps it from sending, where that is known.',
    ),
    pacing: pacingSchema.describe('How fast it speaks.'),
    filters: filtersSchema.describe("Whom it may not write to, beside the account's own filters."),
    inPool: z.boolean().describe('Whether keys without a pin may send through it.'),
    ...sessionSettingsSchema.shape,
    proxyUrl: z
      .string()
      .nullable()
      .describe(
        'The proxy through which it reaches the network, with `***` in place of credentials; null for none.',
      ),
    teamIds: z
      .array(uuidSchema)
      .nullable()
      .describe('The teams that its conversations are for alone; null: everybody.'),
    waiting: z.int().describe('Messages that wait for it; a few that are about to leave are not among them.'),
    dailyRemaining: z
      .int()
      .nullable()
      .describe('Messages that it may still begin today, those that wait counted off; null without a limit.'),
    connectedAt: optionalTimestamp.describe('When it was connected last.'),
    lastSeenAt: optionalTimestamp,
    reason: z.string().nullable().describe('Why it is not connected, or not healthy, for a person.'),
  })
  .describe('A phone number of the account.')
  .register(answerSchemas, { id: 'PhoneNumber' });

export const phoneNumberListSchema = pageOf(phoneNumberSchema).register(answerSchemas, {
  id: 'PhoneNumberList',
});

const healthShape = {
  status: healthStatusSchema,
  reason: z.string().nullable().describe('Why, for a person.'),
  until: optionalTimestamp.describe('Until when, where that is known.'),
};

export const numberHealthSchema = z
  .object({
    numberId: uuidSchema,
    ...healthShape,
    changes: z
      .array(z.object({ at: timestampSchema, ...healthShape }))
      .describe('What it was, and since when: the last changes, newest first.'),
  })
  .describe('How a number is as a sender, and how it was before.')
  .register(answerSchemas, { id: 'NumberHealth' });

export const pairingSchema = z
  .object({
    method: z.enum(['qr', 'code']),
    qr: z
      .string()
      .nullable()
      .describe('The text of the QR code to show; it changes every few seconds, so ask again.'),
    code: z.string().nullable().describe('The code to type on the phone.'),
    expiresAt: optionalTimestamp,
  })
  .describe('What to show to the person who pairs.')
  .register(answerSchemas, { id: 'Pairing' });
