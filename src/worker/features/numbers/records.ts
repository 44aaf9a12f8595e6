import { z } from 'zod';
import { deviceStateSchema } from '../../../contract/bridge/device.ts';
import { sessionSettingsSchema } from '../../../contract/bridge/session-settings.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { filtersSchema, healthStatuses, pacingSchema } from '../../../contract/numbers/sender-settings.ts';
import { listOf, optionalTimestamp, record } from '../../openapi/schemas.ts';

const healthStatusSchema = z
  .enum(healthStatuses)
  .describe(
    'Whether it can send: `resting` pauses after failures, `restricted` may only reply in existing chats, ' +
      '`unavailable` is not connected.',
  );

export const phoneNumberSchema = record('PhoneNumber', 'A phone number of the account.', {
  numberId: uuidSchema,
  label: z.string(),
  phoneNumber: z.string().nullable().describe('Digits with country code; null before it is paired.'),
  state: deviceStateSchema,
  health: healthStatusSchema,
  healthUntil: optionalTimestamp.describe('Until when its health prevents sending, if known.'),
  pacing: pacingSchema.describe('How fast it sends.'),
  filters: filtersSchema.describe("Whom it may not message, in addition to the account's filters."),
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
    .describe('The only teams that see its conversations; null: everyone.'),
  waiting: z.int().describe('Messages waiting for it, except a few that are about to leave.'),
  dailyRemaining: z
    .int()
    .nullable()
    .describe('How many more messages it may start today, after those that wait; null: unlimited.'),
  connectedAt: optionalTimestamp.describe('When it was last connected.'),
  lastSeenAt: optionalTimestamp,
  reason: z.string().nullable().describe('Why it is not connected or not healthy, in plain words.'),
});

export const phoneNumberListSchema = listOf(phoneNumberSchema, 'PhoneNumberList');

const healthShape = {
  status: healthStatusSchema,
  reason: z.string().nullable().describe('The reason, in plain words.'),
  until: optionalTimestamp.describe('Until when, if known.'),
};

export const numberHealthSchema = record(
  'NumberHealth',
  'The health of a number as a sender, and its history.',
  {
    numberId: uuidSchema,
    ...healthShape,
    changes: z
      .array(z.object({ at: timestampSchema, ...healthShape }))
      .describe('Its states and when each began: the last changes, newest first.'),
  },
);

export const pairingSchema = record('Pairing', 'What to show to the person who pairs.', {
  method: z.enum(['qr', 'code']),
  qr: z.string().nullable().describe('The text of the QR code; it changes every few seconds, so poll again.'),
  code: z.string().nullable().describe('The code to enter on the phone.'),
  expiresAt: optionalTimestamp,
});
