import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { exampleContact } from '../contacts/description.ts';
import {
  conversationCountsSchema,
  conversationListSchema,
  conversationPeopleSchema,
  conversationSchema,
  foundMessagesSchema,
} from './records.ts';

const at = '2026-01-31T09:30:05.000Z';

const { contactId, phoneNumber, lid, name, pushName, labels, attributes } = exampleContact;
const conversation = {
  conversationId: example.conversationId,
  numberId: example.numberId,
  contact: { contactId, phoneNumber, lid, name, pushName, labels, attributes },
  group: null,
  status: 'open',
  snoozedUntil: null,
  priority: 'normal',
  assigneeId: example.colleagueId,
  teamId: null,
  labels: ['refund'],
  unreadCount: 1,
  lastMessage: {
    messageId: example.messageId,
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
  position: Date.parse(at) * 1000,
};

const numberParameter = 'Only conversations of this number.';

export const conversationOperations = chapter('Conversations', [
  {
    id: 'listConversations',
    route: 'GET /v1/conversations',
    summary: 'List conversations',
    description:
      'Conversations that match every filter. A page may hold fewer than `limit` although there are more: continue ' +
      'until `nextCursor` is null.',
    parameters: {
      status: 'One or several, separated by commas.',
      assignee: '`me`, `none`, or the ID of a person.',
      team: '`none`, or the ID of a team.',
      label: 'Only conversations with this label.',
      numberId: numberParameter,
      priority: 'Only conversations with this priority.',
      campaignId: 'Only conversations in which someone replied to this campaign.',
      q: "Beginnings of words in the contact's name or the group's subject, or of the phone number: all must match.",
      waiting: '`true`: only conversations waiting for a reply; `false`: only those that are not.',
      mentioned: '`me`: only conversations with a note that mentions you and that you have not read.',
      sort: '`newest`: newest activity first. `waiting`: longest wait first, and only those waiting.',
    },
    answers: [pageAnswer('A page of conversations.', conversationListSchema, [conversation])],
  },
  {
    id: 'beginConversation',
    route: 'POST /v1/conversations',
    summary: 'Start a conversation',
    description:
      'Opens the conversation of a number with a contact or a group, assigned to you. Nothing is sent. An existing one ' +
      'is returned as it is.',
    fields: {
      numberId: 'The number to use.',
      to: 'A phone number with country code that is none of your own numbers, or a group ID.',
    },
    examples: {
      begin: { summary: 'With somebody', value: { numberId: example.numberId, to: '+62 812-3456-780' } },
    },
    answers: [
      answer(201, 'The conversation is new.', conversationSchema, conversation),
      answer(200, 'The conversation existed.', conversationSchema, conversation),
    ],
    errors: ['RECIPIENT_INVALID', 'RECIPIENT_IS_LID', 'RECIPIENT_FILTERED'],
  },
  {
    id: 'countConversations',
    route: 'GET /v1/conversations/counts',
    summary: 'Count conversations',
    description: 'How many conversations there are in each view of the caller.',
    answers: [
      answer(200, 'The counts.', conversationCountsSchema, {
        open: 12,
        pending: 1,
        snoozed: 3,
        mine: 4,
        unassigned: 2,
        waiting: 5,
        mentioned: 1,
      }),
    ],
  },
  {
    id: 'listConversationPeople',
    route: 'GET /v1/conversations/people',
    summary: 'Get names of people and numbers',
    description: 'The names that conversations refer to, for everyone who works in conversations.',
    answers: [
      answer(200, 'People and numbers.', conversationPeopleSchema, {
        people: [{ userId: example.colleagueId, name: 'Bob', role: 'agent' }],
        numbers: [{ numberId: example.numberId, label: 'Sales', phoneNumber: example.phoneNumber }],
      }),
    ],
  },
  {
    id: 'searchConversations',
    route: 'GET /v1/conversations/search',
    summary: 'Search messages',
    description: 'Messages with these words, sent and received, each with its conversation.',
    parameters: { q: 'Words in the text, all of them, in any order.', numberId: numberParameter },
    parameterExamples: { q: 'order' },
    answers: [pageAnswer('A page of messages.', foundMessagesSchema, [])],
  },
  {
    id: 'getConversation',
    route: 'GET /v1/conversations/:id',
    summary: 'Get a conversation',
    description: 'One conversation.',
    answers: [answer(200, 'The conversation.', conversationSchema, conversation)],
  },
  {
    id: 'updateConversation',
    route: 'PATCH /v1/conversations/:id',
    summary: 'Change a conversation',
    description: 'Changes the fields you send. Its activity records who did what.',
    fields: {
      status: '`resolved`: nobody waits any more, and an assistant stops.',
      snoozedUntil: 'A future time: it is hidden until then, or until the contact writes.',
      priority: 'How urgent it is.',
      assigneeId: 'The assigned person; null: unassigned.',
      teamId: 'The assigned team; null: none.',
      labels: 'The complete list: at most 50 labels of 1 to 50 characters.',
      botState: 'Whether an assistant answers.',
    },
    examples: {
      resolve: { summary: 'Resolve it', value: { status: 'resolved' } },
      snooze: { summary: 'Snooze it until a later day', value: { snoozedUntil: '2090-01-31T09:00:00.000Z' } },
    },
    answers: [answer(200, 'The conversation as it is now.', conversationSchema, conversation)],
  },
]);
