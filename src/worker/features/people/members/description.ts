import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../../openapi/operation.ts';
import { identityAnswer } from '../sign-in/description.ts';
import { createdInvitationSchema, invitationListSchema, memberListSchema, memberSchema } from './records.ts';

const colleague = { userId: example.colleagueId, email: 'bob@example.com', name: 'Bob', role: 'agent' };
const invitation = {
  id: example.invitationId,
  email: 'carol@example.com',
  role: 'admin',
  createdAt: '2026-01-31T09:00:00.000Z',
  expiresAt: '2026-02-07T09:00:00.000Z',
};

export const memberOperations = chapter('Members', [
  {
    id: 'listMembers',
    route: 'GET /v1/auth/members',
    summary: 'List members',
    description: 'The members of the account and their roles.',
    answers: [pageAnswer('A page of people.', memberListSchema, [colleague])],
  },
  {
    id: 'updateMember',
    route: 'PATCH /v1/auth/members/:userId',
    summary: "Change a member's role",
    description:
      'Only an owner can make someone an owner or change an owner, and must confirm their identity first; the last ' +
      'owner stays one (`409`).',
    fields: { role: 'The new role.' },
    examples: { admin: { summary: 'Make an admin', value: { role: 'admin' } } },
    answers: [answer(200, 'The member, with the new role.', memberSchema, { ...colleague, role: 'admin' })],
    errors: ['CONFLICT'],
  },
  {
    id: 'removeMember',
    route: 'DELETE /v1/auth/members/:userId',
    summary: 'Remove a member',
    description: 'Everyone may leave; only an owner removes owners; the last owner stays (`409`).',
    answers: [{ status: 204, description: 'The member is removed.' }],
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  {
    id: 'invite',
    route: 'POST /v1/auth/invitations',
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
      answer(201, 'The invitation.', createdInvitationSchema, {
        ...invitation,
        mail: 'sent',
        openToNewUsers: true,
      }),
    ],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'listInvitations',
    route: 'GET /v1/auth/invitations',
    summary: 'List invitations',
    description: 'The open invitations.',
    answers: [pageAnswer('A page of invitations.', invitationListSchema, [invitation])],
  },
  {
    id: 'withdrawInvitation',
    route: 'DELETE /v1/auth/invitations/:id',
    summary: 'Revoke an invitation',
    description: 'Its link becomes invalid.',
    answers: [{ status: 204, description: 'The invitation is revoked.' }],
  },
  {
    id: 'acceptInvitation',
    route: 'POST /v1/auth/invitations/accept',
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
        value: { token: example.mailToken, name: 'Carol', password: 'correct horse battery' },
      },
    },
    answers: [identityAnswer(200, 'Welcome.')],
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  },
]);
