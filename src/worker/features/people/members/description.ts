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
    summary: 'List the people of the account',
    description: 'Who belongs to the account, and with which role.',
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
    summary: "Change somebody's role",
    description:
      'Only an owner makes or changes owners, and shows first that it is them; the last owner stays one (`409`).',
    fields: { role: 'The role from now on.' },
    examples: { admin: { summary: 'Make an admin', value: { role: 'admin' } } },
    answers: [
      {
        status: 200,
        description: 'The person as they are now.',
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
    summary: 'Remove somebody from the account',
    description: 'Anybody may leave; only an owner removes owners; the last owner stays (`409`).',
    answers: [{ status: 204, description: 'They are out.' }],
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  {
    id: 'invite',
    method: 'post',
    path: '/v1/auth/invitations',
    tag: 'Members',
    summary: 'Invite somebody',
    description:
      'Sends a link by e-mail, good for 7 days, and says what became of it. On a gateway that sends none, an owner gets ' +
      'the link itself. The answer does not tell whether anybody has the address already; where only people who have a user ' +
      'can accept, `openToNewUsers` is false. An invitation ends when you are removed, or may no longer invite with this role.',
    fields: { email: 'Whom to invite.', role: 'The role they will have.' },
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
    description: 'The invitations that wait for an answer.',
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
    summary: 'Withdraw an invitation',
    description: 'Its link opens nothing any more.',
    answers: [{ status: 204, description: 'It is withdrawn.' }],
  },
  {
    id: 'acceptInvitation',
    method: 'post',
    path: '/v1/auth/invitations/accept',
    tag: 'Members',
    summary: 'Accept an invitation',
    description:
      'Takes the token of the link. Who is new here gives a name and a password too; 403 where only the operator makes new ' +
      'users (`SIGNUP` is `closed`).',
    fields: {
      token: 'From the link in the e-mail.',
      name: 'Only for who is new: your name.',
      password: 'Only for who is new: your password.',
    },
    examples: {
      newcomer: {
        summary: 'Somebody new',
        value: { token: exampleMailToken, name: 'Carol', password: 'correct horse battery' },
      },
    },
    answers: [identityAnswer(200, 'Welcome.')],
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  },
];
