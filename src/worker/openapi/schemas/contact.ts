import { z } from 'zod';
import { phoneNumberSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { optionalTimestamp, pageOf } from './common.ts';

export const contactSchema = z
  .object({
    contactId: uuidSchema,
    phoneNumber: phoneNumberSchema.nullable().describe('Null where only the alias is known.'),
    lid: z.string().nullable().describe('The privacy alias at the network (digits), where it is known.'),
    name: z
      .string()
      .nullable()
      .describe("As you call them, else as the address book of a number's phone does."),
    pushName: z.string().nullable().describe('As they call themselves.'),
    labels: z.array(z.string()),
    attributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Your own fields.'),
    optedOutAt: optionalTimestamp.describe('When they asked not to be written to.'),
    firstSeenAt: timestampSchema,
    lastInboundAt: optionalTimestamp.describe('When they last wrote to one of your numbers, within 90 days.'),
  })
  .describe('Somebody whom the account knows. A phone number and its alias are one contact.');

export const contactListSchema = pageOf(contactSchema);
