import { z } from 'zod';
import { phoneNumberSchema } from '../../../../contract/ids.ts';
import { record } from '../../../openapi/schemas.ts';

export const checkedContactsSchema = record(
  'CheckedContacts',
  'Who is on the network, in the order of the request.',
  {
    data: z.array(
      z.object({
        phoneNumber: phoneNumberSchema,
        onNetwork: z.boolean(),
        address: phoneNumberSchema
          .optional()
          .describe('The digits of the account on the network, if they differ: messages are sent there.'),
      }),
    ),
  },
);

export const pictureSchema = record('Picture', 'A profile picture.', {
  url: z
    .string()
    .nullable()
    .describe('A URL on the network, valid for a while; null if the number may not see it.'),
});

export const profileSchema = record('Profile', 'The public profile of a number.', {
  name: z.string().nullable(),
  about: z.string().nullable(),
  pictureUrl: z.string().nullable().describe('A URL on the network, valid for a while.'),
});
