import {
  exampleColleagueId,
  exampleContactId,
  exampleConversationId,
  exampleMessageId,
  exampleNumberId,
  examplePhoneNumber,
  exampleRecipient,
} from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import {
  conversationCountsSchema,
  conversationListSchema,
  conversationPeopleSchema,
  conversationSchema,
  foundMessagesSchema,
} from './records.ts';

const at = '2026-01-31T09:30:05.000Z';

const conversation = {
  conversationId: exampleConversationId,
  numberId: exampleNumberId,
  contact: {
    contactId: exampleContactId,
    phoneNumber: exampleRecipient,
    lid: '100000000000017',
    name: 'Budi Santoso',
    pushName: 'Budi',
    labels: ['wholesale'],
    attributes: { city: 'Jakarta' },
  },
  group: null,
  status: 'open',
  snoozedUntil: null,
  priority: 'normal',
  assigneeId: exampleColleagueId,
  teamId: null,
  labels: ['refund'],
  unreadCount: 1,
  lastMessage: {
    messageId: exampleMessageId,
    direction: 'inbound',
    status: 'received',
    messageType: 'text',
    text: 'Where is my order?',
    at,
    origin: null,
  },
  waitingSince: at,
  answers: null,
  campaign: null,
  firstResponseDueAt: null,
  nextResponseDueAt: null,
  resolutionDueAt: null,
  sla: 'none',
  botState: 'off',
  createdAt: at,
  openedAt: at,
  resolvedAt: null,
  lastInboundAt: at,
};

const common = { tag: 'Conversations' } as const;
const numberParameter = 'Only those of this number.';

export const conversationOperations: Operation[] = [
  {
    ...common,
    id: 'listConversations',
    method: 'get',
    path: '/v1/conversations',
    summary: 'List conversations',
    description:
      'Those that fit every filter. A page may hold fewer than `limit` while there are more: go on until `nextCursor` is null.',
    parameters: {
      status: 'One or several, with commas between them.',
      assignee: '`me`, `none`, or the id of a person.',
      team: '`none`, or the id of a team.',
      label: 'Only those with this label.',
      numberId: numberParameter,
      priority: 'Only those of this priority.',
      campaignId: 'Only those where somebody has answered this campaign.',
      q: "Beginnings of words in the contact's names or in the group's subject, or of the phone number: all of them must fit.",
      waiting: '`true`: only where somebody waits for an answer; `false`: only where nobody does.',
      mentioned: '`me`: only those where a note names you that you have not read.',
      sort: '`newest`: the newest activity first. `waiting`: who has waited longest first, and only those who wait.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of conversations.',
        schema: conversationListSchema,
        example: { data: [conversation], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'beginConversation',
    method: 'post',
    path: '/v1/conversations',
    summary: 'Begin a conversation',
    description:
      'Opens the conversation of a number with somebody, or with a group, assigned to you. Nothing is sent. Where there is one, it is answered as it is.',
    fields: {
      numberId: 'The number that is to speak.',
      to: 'A phone number with country code, or a group id.',
    },
    examples: {
      begin: { summary: 'With somebody', value: { numberId: exampleNumberId, to: '+62 812-3456-780' } },
    },
    answers: [
      { status: 201, description: 'It is new.', schema: conversationSchema, example: conversation },
      { status: 200, description: 'It was there.', schema: conversationSchema, example: conversation },
    ],
    errors: ['RECIPIENT_INVALID', 'RECIPIENT_IS_LID'],
  },
  {
    ...common,
    id: 'countConversations',
    method: 'get',
    path: '/v1/conversations/counts',
    summary: 'Count conversations',
    description: 'How many there are of each, for the one who asks.',
    answers: [
      {
        status: 200,
        description: 'The counts.',
        schema: conversationCountsSchema,
        example: { open: 12, pending: 1, snoozed: 3, mine: 4, unassigned: 2, waiting: 5, mentioned: 1 },
      },
    ],
  },
  {
    ...common,
    id: 'listConversationPeople',
    method: 'get',
    path: '/v1/conversations/people',
    summary: 'Who and what conversations name',
    description: 'The names of people and numbers, for everybody who works in conversations.',
    answers: [
      {
        status: 200,
        description: 'People and numbers.',
        schema: conversationPeopleSchema,
        example: {
          people: [{ userId: exampleColleagueId, name: 'Bob', role: 'agent' }],
          numbers: [{ numberId: exampleNumberId, label: 'Sales', phoneNumber: examplePhoneNumber }],
        },
      },
    ],
  },
  {
    ...common,
    id: 'searchConversations',
    method: 'get',
    path: '/v1/conversations/search',
    summary: 'Search messages',
    description: 'Messages with these words, in both directions, each with its conversation.',
    parameters: { q: 'Words that its text has, all of them, in any order.', numberId: numberParameter },
    parameterExamples: { q: 'order' },
    answers: [
      {
        status: 200,
        description: 'A page of messages.',
        schema: foundMessagesSchema,
        example: { data: [], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'getConversation',
    method: 'get',
    path: '/v1/conversations/:id',
    summary: 'Get a conversation',
    description: 'One conversation.',
    answers: [
      { status: 200, description: 'The conversation.', schema: conversationSchema, example: conversation },
    ],
  },
  {
    ...common,
    id: 'updateConversation',
    method: 'patch',
    path: '/v1/conversations/:id',
    summary: 'Change a conversation',
    description: 'Changes the fields that are sent. Who did what stands in its activity.',
    fields: {
      status: 'Resolved: nobody waits any more, and an assistant stops.',
      snoozedUntil: 'A time to come: it sleeps until then, or until somebody writes.',
      priority: 'How urgent it is.',
      assigneeId: 'The person who sees to it; null: nobody.',
      teamId: 'The team that sees to it; null: none.',
      labels: 'All of them: at most 50, of 1 to 50 characters each.',
      botState: 'Whether an assistant answers.',
    },
    examples: {
      resolve: { summary: 'It is done', value: { status: 'resolved' } },
      snooze: { summary: 'Until a day to come', value: { snoozedUntil: '2090-01-31T09:00:00.000Z' } },
    },
    answers: [
      {
        status: 200,
        description: 'The conversation as it is now.',
        schema: conversationSchema,
        example: conversation,
      },
    ],
  },
];
