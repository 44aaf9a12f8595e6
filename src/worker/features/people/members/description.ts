import {
  exampleColleagueId,
  exampleInvitationId,
  exampleMailToken,
} from '../../../openapi/examples/example-values.ts';
import type { Operation } from '../../../openapi/operation.ts';
import { identityAnswer } from '../sign-in/description.ts';
import { createdInvitationSchema, invitationListSchema, memberListSchema, memberSchema } from './records.ts';

const colleague = { userId: exampleColleagueId, email: 'bob@example.com', name: 'Bob', role: 'agent' };
const invitation = {
  id: exampleInvitationId,
  email: 'carol@example.com',
  role: 'admin',
  createdAt: '2026-01-31T09:00:00.000Z',
  expiresAt: '2026-02-07T09:00:00.000Z',
};

export const memberOperations: Operation[] = [
  {
    id: 'listMembers',
    method: 'get',
    path: '/v1/auth/members',
    tag: 'Members',
    summary: 'List members',
    description: 'The members of the account and their roles.',
    answers: [
      {
        status: 200,
        description: 'A page of people.',
        schema: memberListSchema,
        example: { data: [colleague], nextCursor: null },
      },
    ],
  },
  {
    id: 'updateMember',
    method: 'patch',
    path: '/v1/auth/members/:userId',
    tag: 'Members',
    summary: "Change a member's role",
    description:
      'Only an owner can make someone an owner or change an owner, and must confirm their identity first; the last ' +
      'owner stays one (`409`).',
    fields: { role: 'The new role.' },
    examples: { admin: { summary: 'Make an admin', value: { role: 'admin' } } },
    answers: [
      {
        status: 200,
        description: 'The member, with the new role.',
        schema: memberSchema,
        example: { ...colleague, role: 'admin' },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'removeMember',
    method: 'delete',
    path: '/v1/auth/members/:userId',
    tag: 'Members',
    summary: 'Remove a member',
    description: 'Everyone may leave; only an owner removes owners; the last owner stays (`409`).',
    answers: [{ status: 204, description: 'The member is removed.' }],
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  {
    id: 'invite',
    method: 'post',
    path: '/v1/auth/invitations',
    tag: 'Members',
    summary: 'Invite someone',
    description:
      'Sends a link by e-mail, valid for 7 days, and reports the result. On a gateway that sends no e-mail, an owner ' +
      'gets the link itself. The response does not reveal whether the address has a user; if only existing users can ' +
      'accept, `openToNewUsers` is false. An invitation becomes invalid when you are removed, or may no longer invite ' +
      'with this role.',
    fields: { email: 'The e-mail address to invite.', role: 'The role they get.' },
    examples: {
      admin: { summary: 'An admin', value: { email: 'carol@example.com', role: 'admin' } },
    },
    answers: [
      {
        status: 201,
        description: 'The invitation.',
        schema: createdInvitationSchema,
        example: { ...invitation, mail: 'sent', openToNewUsers: true },
      },
    ],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'listInvitations',
    method: 'get',
    path: '/v1/auth/invitations',
    tag: 'Members',
    summary: 'List invitations',
    description: 'The open invitations.',
    answers: [
      {
        status: 200,
        description: 'A page of invitations.',
        schema: invitationListSchema,
        example: { data: [invitation], nextCursor: null },
      },
    ],
  },
  {
    id: 'withdrawInvitation',
    method: 'delete',
    path: '/v1/auth/invitations/:id',
    tag: 'Members',
    summary: 'Revoke an invitation',
    description: 'Its link becomes invalid.',
    answers: [{ status: 204, description: 'The invitation is revoked.' }],
  },
  {
    id: 'acceptInvitation',
    method: 'post',
    path: '/v1/auth/invitations/accept',
    tag: 'Members',
    summary: 'Accept an invitation',
    description:
      'Takes the token from the link. New users give a name and a password too; 403 if only the operator creates users ' +
      '(`SIGNUP` is `closed`).',
    fields: {
      token: 'From the link in the e-mail.',
      name: 'Only for new users: your name.',
      password: 'Only for new users: your password.',
    },
    examples: {
      newcomer: {
        summary: 'A new user',
        value: { token: exampleMailToken, name: 'Carol', password: 'correct horse battery' },
      },
    },
    answers: [identityAnswer(200, 'Welcome.')],
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  },
];
