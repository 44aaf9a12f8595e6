import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { listOf, record } from '../../../openapi/schemas.ts';
import { openToNewUsersSchema, roleSchema } from '../records.ts';

export const memberSchema = record('Member', 'A member of the account.', {
  userId: uuidSchema,
  email: z.email(),
  name: z.string(),
  role: roleSchema,
});
export const memberListSchema = listOf(memberSchema, 'MemberList');

const invitationSchema = record('Invitation', 'An open invitation.', {
  id: uuidSchema,
  email: z.email(),
  role: roleSchema,
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
});

export const createdInvitationSchema = record('CreatedInvitation', 'A new invitation.', {
  ...invitationSchema.shape,
  mail: z
    .enum(['sent', 'failed', 'not_configured'])
    .describe('What happened to the e-mail. `failed`: the mail server rejected it; invite again.'),
  openToNewUsers: openToNewUsersSchema,
  link: z
    .url()
    .optional()
    .describe('Only for an owner, on a gateway that sends no e-mail: the link it would contain.'),
});
export const invitationListSchema = listOf(invitationSchema, 'InvitationList');
