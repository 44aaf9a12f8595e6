import { networkErrors } from '../../../openapi/errors.ts';
import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, type Operation, pageAnswer } from '../../../openapi/operation.ts';
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
  groupId: example.groupId,
  subject: 'Rollout in Jakarta',
  description: null,
  owner: example.phoneNumber,
  createdAt: '2026-01-31T08:10:00.000Z',
  isAnnounce: false,
  isLocked: false,
  joinApproval: false,
  participants: [
    { phoneNumber: example.phoneNumber, lid: '100000000000016', role: 'owner' },
    { phoneNumber: example.recipient, lid: '100000000000017', role: 'member' },
  ],
};
const results = [{ phoneNumber: example.recipient, ok: true }];
const invite = { invite: 'Fz1rQ8mTn0k5YbW3xJ7pLd', url: 'https://chat.whatsapp.com/Fz1rQ8mTn0k5YbW3xJ7pLd' };
const joiner = { phoneNumber: '628222333444', lid: '100000000000018' };

const asked = {
  errors: ['CONFLICT', 'SENDER_UNAVAILABLE'],
  ownErrors: networkErrors,
} satisfies Partial<Operation>;
const participants = 'Phone numbers with country code.';

/** What every question to the network may come to. */
const network =
  '409 `CONFLICT` if the network does not allow it, 429 with `Retry-After` if it limits such requests, 503 if the ' +
  'number is not connected or the network does not respond.';

export const groupOperations = chapter('Groups', [
  {
    id: 'listGroups',
    route: 'GET /v1/numbers/:id/groups',
    summary: 'List the groups of a number',
    description:
      'The groups that the number is in, as last reported by the network: all of them after a pairing, and each later ' +
      'change. The network is not queried. A page is short if its groups have very many members.',
    answers: [pageAnswer('A page of groups.', groupListSchema, [group])],
  },
  {
    ...asked,
    id: 'createGroup',
    route: 'POST /v1/numbers/:id/groups',
    summary: 'Create a group',
    description:
      'Creates a group owned by the number. `results` tells who could be added: some people need an invite. ' +
      `${network}`,
    fields: { subject: 'Its name, 1 to 100 characters.', participants },
    examples: {
      group: { summary: 'Two people', value: { subject: group.subject, participants: [example.recipient] } },
    },
    answers: [answer(201, 'The group.', newGroupSchema, { ...group, results })],
  },
  {
    ...asked,
    id: 'syncGroups',
    route: 'POST /v1/numbers/:id/groups/sync',
    summary: 'Refresh all groups',
    description:
      'The number requests all its groups from the network; they follow shortly. This happens automatically ' +
      `after a pairing. ${network}`,
    answers: [{ status: 202, description: 'The network has responded; the groups are on their way.' }],
  },
  {
    ...asked,
    id: 'joinGroup',
    route: 'POST /v1/numbers/:id/groups/join',
    summary: 'Join a group by its invite',
    description: `Takes an invite code or link. 404 if the invite is no longer valid. ${network}`,
    fields: { invite: 'The invite code or link.' },
    examples: { invite: { summary: 'By its link', value: { invite: invite.url } } },
    answers: [
      answer(200, 'The number is in the group.', joinedGroupSchema, {
        groupId: example.groupId,
        status: 'joined',
        group,
      }),
      answer(202, 'An admin of the group has to approve it.', requestedGroupSchema, {
        groupId: example.groupId,
        status: 'requested',
      }),
    ],
  },
  {
    id: 'getGroup',
    route: 'GET /v1/numbers/:id/groups/:groupId',
    summary: 'Get a group',
    description: 'One group of the number, with its members.',
    answers: [answer(200, 'The group.', groupSchema, group)],
  },
  {
    ...asked,
    id: 'updateGroup',
    route: 'PATCH /v1/numbers/:id/groups/:groupId',
    summary: 'Change a group',
    description: `Changes the fields you send. ${network}`,
    fields: {
      subject: 'Its name, 1 to 100 characters.',
      description: 'At most 2,048 characters; empty or null for none.',
      isAnnounce: 'Whether only admins can send messages.',
      isLocked: 'Whether only admins can change subject and description.',
      joinApproval: 'Whether admins must approve new members.',
    },
    examples: { announce: { summary: 'Only admins send', value: { isAnnounce: true } } },
    answers: [answer(200, 'The group as it is now.', groupSchema, group)],
  },
  {
    ...asked,
    id: 'leaveGroup',
    route: 'DELETE /v1/numbers/:id/groups/:groupId',
    summary: 'Leave a group',
    description: `The number leaves the group. ${network}`,
    answers: [{ status: 204, description: 'The number has left.' }],
  },
  {
    ...asked,
    id: 'changeParticipants',
    route: 'POST /v1/numbers/:id/groups/:groupId/participants',
    summary: 'Add, remove, promote or demote members',
    description:
      'Each person is handled by itself: see `results`. The number does not remove itself: to leave, delete the group ' +
      `at the number. ${network}`,
    fields: { action: 'What to do with them.', participants },
    examples: {
      add: { summary: 'Add someone', value: { action: 'add', participants: [example.recipient] } },
    },
    answers: [answer(200, 'The results.', participantResultsSchema, { groupId: example.groupId, results })],
  },
  {
    ...asked,
    id: 'getGroupInvite',
    route: 'GET /v1/numbers/:id/groups/:groupId/invite',
    summary: 'Get the invite of a group',
    description: `Anyone who has it can join, or ask to. ${network}`,
    answers: [answer(200, 'The invite.', inviteSchema, invite)],
  },
  {
    ...asked,
    id: 'renewGroupInvite',
    route: 'DELETE /v1/numbers/:id/groups/:groupId/invite',
    summary: 'Replace the invite of a group',
    description: `The previous invite becomes invalid; the response contains the new one. ${network}`,
    answers: [answer(200, 'The new invite.', inviteSchema, invite)],
  },
  {
    ...asked,
    id: 'listJoinRequests',
    route: 'GET /v1/numbers/:id/groups/:groupId/join-requests',
    summary: 'List join requests',
    description: `People who wait for an admin's approval. ${network}`,
    answers: [answer(200, 'People.', peopleSchema, { data: [joiner] })],
  },
  {
    ...asked,
    id: 'decideJoinRequests',
    route: 'POST /v1/numbers/:id/groups/:groupId/join-requests',
    summary: 'Approve or reject join requests',
    description: `Each person is handled by itself: see \`results\`. ${network}`,
    fields: { action: 'Whether to approve them.', participants },
    examples: {
      approve: {
        summary: 'Approve someone',
        value: { action: 'approve', participants: [joiner.phoneNumber] },
      },
    },
    answers: [
      answer(200, 'The results.', participantResultsSchema, {
        groupId: example.groupId,
        results: [{ phoneNumber: joiner.phoneNumber, ok: true }],
      }),
    ],
  },
]);
