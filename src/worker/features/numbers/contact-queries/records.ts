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
          .describe('The digits by which the network knows them, where those are others: messages go there.'),
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
      .describe("An address of the network's own, good for a while; null where the number may see none."),
  })
  .describe('A profile picture.')
  .register(answerSchemas, { id: 'Picture' });

export const profileSchema = z
  .object({
    name: z.string().nullable(),
    about: z.string().nullable(),
    pictureUrl: z.string().nullable().describe("An address of the network's own, good for a while."),
  })
  .describe('What a number shows of itself.')
  .register(answerSchemas, { id: 'Profile' });
