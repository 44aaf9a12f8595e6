import { z } from 'zod';
import { phoneNumberSchema } from '../../../../contract/ids.ts';
import { answerSchemas } from '../../../openapi/schemas.ts';

export const checkedContactsSchema = z
  .object({
    data: z.array(
      z.object({
        phoneNumber: phoneNumberSchema,
        onNetwork: z.boolean(),
        address: phoneNumberSchema
          .optional()
          .describe('The digits of the account on the network, if they differ: messages are sent there.'),
      }),
    ),
  })
  .describe('Who is on the network, in the order of the request.')
  .register(answerSchemas, { id: 'CheckedContacts' });

export const pictureSchema = z
  .object({
    url: z
      .string()
      .nullable()
      .describe('A URL on the network, valid for a while; null if the number may not see it.'),
  })
  .describe('A profile picture.')
  .register(answerSchemas, { id: 'Picture' });

export const profileSchema = z
  .object({
    name: z.string().nullable(),
    about: z.string().nullable(),
    pictureUrl: z.string().nullable().describe('A URL on the network, valid for a while.'),
  })
  .describe('The public profile of a number.')
  .register(answerSchemas, { id: 'Profile' });
