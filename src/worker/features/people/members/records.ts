import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { answerSchemas, listOf } from '../../../openapi/schemas.ts';
import { openToNewUsersSchema, roleSchema } from '../records.ts';

export const memberSchema = z
  .object({ userId: uuidSchema, email: z.email(), name: z.string(), role: roleSchema })
  .describe('A member of the account.')
  .register(answerSchemas, { id: 'Member' });
export const memberListSchema = listOf(memberSchema, 'MemberList');

const invitationSchema = z
  .object({
    id: uuidSchema,
    email: z.email(),
    role: roleSchema,
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
  })
  .describe('An open invitation.')
  .register(answerSchemas, { id: 'Invitation' });

export const createdInvitationSchema = z
  .object({
    ...invitationSchema.shape,
    mail: z
      .enum(['sent', 'failed', 'not_configured'])
      .describe('What happened to the e-mail. `failed`: the mail server rejected it; invite again.'),
    openToNewUsers: openToNewUsersSchema,
    link: z
      .url()
      .optional()
      .describe('Only for an owner, on a gateway that sends no e-mail: the link it would contain.'),
  })
  .describe('A new invitation.')
  .register(answerSchemas, { id: 'CreatedInvitation' });
export const invitationListSchema = listOf(invitationSchema, 'InvitationList');
