import { networkErrors } from '../../../openapi/errors.ts';
import {
  exampleGroupId,
  examplePhoneNumber,
  exampleRecipient,
} from '../../../openapi/examples/example-values.ts';
import type { Operation } from '../../../openapi/operation.ts';
import {
  groupListSchema,
  groupSchema,
  inviteSchema,
  joinedGroupSchema,
  newGroupSchema,
  participantResultsSchema,
  peopleSchema,
  requestedGroupSchema,
} from './records.ts';

const group = {
  groupId: exampleGroupId,
  subject: 'Rollout in Jakarta',
  description: null,
  owner: examplePhoneNumber,
  createdAt: '2026-01-31T08:10:00.000Z',
  isAnnounce: false,
  isLocked: false,
  joinApproval: false,
  participants: [
    { phoneNumber: examplePhoneNumber, lid: '100000000000016', role: 'owner' },
    { phoneNumber: exampleRecipient, lid: '100000000000017', role: 'member' },
  ],
};
const results = [{ phoneNumber: exampleRecipient, ok: true }];
const invite = { invite: 'Fz1rQ8mTn0k5YbW3xJ7pLd', url: 'https://chat.whatsapp.com/Fz1rQ8mTn0k5YbW3xJ7pLd' };
const joiner = { phoneNumber: '628222333444', lid: '100000000000018' };

const common = { tag: 'Groups' } as const;
const asked = {
  ...common,
  errors: ['CONFLICT', 'SENDER_UNAVAILABLE'],
  ownErrors: networkErrors,
} satisfies Partial<Operation>;
const participants = 'Phone numbers with country code.';

/** What every question to the network may come to. */
const network =
  '409 `CONFLICT` where the network does not allow it to this number, 429 with `Retry-After` where it limits such ' +
  'requests, 503 while the number is not connected or the network does not answer.';

export const groupOperations: Operation[] = [
  {
    ...common,
    id: 'listGroups',
    method: 'get',
    path: '/v1/numbers/:id/groups',
    summary: 'List the groups of a number',
    description:
      'The groups that the number is in, as it has heard of them: all of them after a pairing, and each change as the ' +
      'network tells it. The network is not asked. A page ends early where its groups have very many members.',
    answers: [
      {
        status: 200,
        description: 'A page of groups.',
        schema: groupListSchema,
        example: { data: [group], nextCursor: null },
      },
    ],
  },
  {
    ...asked,
    id: 'createGroup',
    method: 'post',
    path: '/v1/numbers/:id/groups',
    summary: 'Make a group',
    description: `Makes a group whose owner is the number. \`results\` tells who could be added: some people want an invite. ${network}`,
    fields: { subject: 'Its name, 1 to 100 characters.', participants },
    examples: {
      group: { summary: 'Two people', value: { subject: group.subject, participants: [exampleRecipient] } },
    },
    answers: [
      { status: 201, description: 'The group.', schema: newGroupSchema, example: { ...group, results } },
    ],
  },
  {
    ...asked,
    id: 'syncGroups',
    method: 'post',
    path: '/v1/numbers/:id/groups/sync',
    summary: 'Ask for all groups anew',
    description: `Has the number ask the network for all its groups; they follow shortly. It does so by itself after a pairing. ${network}`,
    answers: [{ status: 202, description: 'The network has answered; the groups are on their way.' }],
  },
  {
    ...asked,
    id: 'joinGroup',
    method: 'post',
    path: '/v1/numbers/:id/groups/join',
    summary: 'Join a group by its invite',
    description: `Takes the code of an invite or its address. 404 where the invite is over. ${network}`,
    fields: { invite: 'The code of the invite, or the address that people share.' },
    examples: { invite: { summary: 'By its address', value: { invite: invite.url } } },
    answers: [
      {
        status: 200,
        description: 'The number is in the group.',
        schema: joinedGroupSchema,
        example: { groupId: exampleGroupId, status: 'joined', group },
      },
      {
        status: 202,
        description: 'An admin of the group decides.',
        schema: requestedGroupSchema,
        example: { groupId: exampleGroupId, status: 'requested' },
      },
    ],
  },
  {
    ...common,
    id: 'getGroup',
    method: 'get',
    path: '/v1/numbers/:id/groups/:groupId',
    summary: 'Get a group',
    description: 'One group of the number, with its members.',
    answers: [{ status: 200, description: 'The group.', schema: groupSchema, example: group }],
  },
  {
    ...asked,
    id: 'updateGroup',
    method: 'patch',
    path: '/v1/numbers/:id/groups/:groupId',
    summary: 'Change a group',
    description: `Changes the fields that are sent. ${network}`,
    fields: {
      subject: 'Its name, 1 to 100 characters.',
      description: 'At most 2,048 characters; empty or null for none.',
      isAnnounce: 'Whether only admins write.',
      isLocked: 'Whether only admins change subject and description.',
      joinApproval: 'Whether admins decide about who wants to join.',
    },
    examples: { announce: { summary: 'Only admins write', value: { isAnnounce: true } } },
    answers: [{ status: 200, description: 'The group as it is now.', schema: groupSchema, example: group }],
  },
  {
    ...asked,
    id: 'leaveGroup',
    method: 'delete',
    path: '/v1/numbers/:id/groups/:groupId',
    summary: 'Leave a group',
    description: `The number leaves the group. ${network}`,
    answers: [{ status: 204, description: 'It has left.' }],
  },
  {
    ...asked,
    id: 'changeParticipants',
    method: 'post',
    path: '/v1/numbers/:id/groups/:groupId/participants',
    summary: 'Add, remove, promote or demote members',
    description: `Each person is judged by itself: see \`results\`. ${network}`,
    fields: { action: 'What to do with them.', participants },
    examples: {
      add: { summary: 'Add somebody', value: { action: 'add', participants: [exampleRecipient] } },
    },
    answers: [
      {
        status: 200,
        description: 'What came of it.',
        schema: participantResultsSchema,
        example: { groupId: exampleGroupId, results },
      },
    ],
  },
  {
    ...asked,
    id: 'getGroupInvite',
    method: 'get',
    path: '/v1/numbers/:id/groups/:groupId/invite',
    summary: 'Get the invite of a group',
    description: `Whoever has it may join, or ask to. ${network}`,
    answers: [{ status: 200, description: 'The invite.', schema: inviteSchema, example: invite }],
  },
  {
    ...asked,
    id: 'renewGroupInvite',
    method: 'delete',
    path: '/v1/numbers/:id/groups/:groupId/invite',
    summary: 'Replace the invite of a group',
    description: `The invite that there was is over; the answer is the new one. ${network}`,
    answers: [{ status: 200, description: 'The new invite.', schema: inviteSchema, example: invite }],
  },
  {
    ...asked,
    id: 'listJoinRequests',
    method: 'get',
    path: '/v1/numbers/:id/groups/:groupId/join-requests',
    summary: 'List who wants to join',
    description: `Those who wait for an admin. ${network}`,
    answers: [{ status: 200, description: 'People.', schema: peopleSchema, example: { data: [joiner] } }],
  },
  {
    ...asked,
    id: 'decideJoinRequests',
    method: 'post',
    path: '/v1/numbers/:id/groups/:groupId/join-requests',
    summary: 'Let people in, or not',
    description: `Each person is judged by itself: see \`results\`. ${network}`,
    fields: { action: 'Whether they come in.', participants },
    examples: {
      approve: {
        summary: 'Let somebody in',
        value: { action: 'approve', participants: [joiner.phoneNumber] },
      },
    },
    answers: [
      {
        status: 200,
        description: 'What came of it.',
        schema: participantResultsSchema,
        example: { groupId: exampleGroupId, results: [{ phoneNumber: joiner.phoneNumber, ok: true }] },
      },
    ],
  },
];
