import { z } from 'zod';
import { deviceStateSchema } from '../../../contract/device.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { optionalTimestamp, pageOf } from './common.ts';

export const phoneNumberSchema = z
  .object({
    numberId: uuidSchema,
    label: z.string(),
    phoneNumber: z.string().nullable().describe('Digits with country code; null before it was paired.'),
    state: deviceStateSchema,
    health: z.enum(['healthy', 'unavailable']).describe('Whether it can send at the moment.'),
    inPool: z.boolean().describe('Whether keys without a pin may send through it.'),
    connectedAt: optionalTimestamp.describe('When it was connected last.'),
    lastSeenAt: optionalTimestamp,
    reason: z.string().nullable().describe('Why it is not connected, for a person.'),
  })
  .describe('A phone number of the account.');

export const phoneNumberListSchema = pageOf(phoneNumberSchema);

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
  .describe('What to show to the person who pairs.');
