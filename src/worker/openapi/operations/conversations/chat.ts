import { chatBodySchema } from '../../../conversations/send-body.ts';
import { networkErrors } from '../../errors.ts';
import {
  exampleColleagueId,
  exampleMessageId,
  exampleNumberId,
  exampleRecipient,
} from '../../examples/example-values.ts';
import type { Operation } from '../../operation.ts';
import { contactSchema } from '../../schemas/contacts/contact.ts';
import {
  activityListSchema,
  chatSchema,
  noteSchema,
  scheduledSchema,
} from '../../schemas/conversations/conversation.ts';
import { acceptedMessageSchema } from '../../schemas/messages/message.ts';
import { exampleContact } from '../contacts/contacts.ts';
import { sendFields } from '../messages/send-fields.ts';

const note = {
  noteId: '019ab0de-9c33-7f45-8a67-b8c9d0e1f203',
  text: '@Bob do we still have it?',
  author: { userId: exampleColleagueId, name: 'Ada' },
  mentions: [exampleColleagueId],
  createdAt: '2026-01-31T09:31:00.000Z',
};
const { to: _, contactId: ___, senderHint: __, ...answerFields } = sendFields;
const common = { tag: 'Conversations' } as const;

export const chatOperations: Operation[] = [
  {
    ...common,
    id: 'listConversationMessages',
    method: 'get',
    path: '/v1/conversations/:id/messages',
    summary: 'Read a conversation',
    description: 'Its messages with the private notes between them.',
    parameters: {
      after: '`cursor` of an item: only what is newer.',
      until: 'Only what was written before this time. A `cursor` goes on from there.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of messages and notes.',
        schema: chatSchema,
        example: { data: [{ kind: 'note', cursor: 'MTc2OTg1MTg2MDAwMDUwMA', note }], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'answerConversation',
    method: 'post',
    path: '/v1/conversations/:id/messages',
    summary: 'Answer, or write a note',
    description:
      'Sends a message to the other side, through the number of the conversation and no other; the promise is that of a send. ' +
      'It goes before what API keys and campaigns send. With `note` it is a private note instead, and never leaves; under an `Idempotency-Key` it is added once.',
    body: chatBodySchema,
    fields: {
      ...answerFields,
      note: 'A private note. `@Name` in its text tells that person.',
      text: 'Of a text or a note: 1 to 4,096 characters, not only blanks, sent exactly as they are.',
    },
    requestHeaders: ['Idempotency-Key'],
    examples: {
      text: { summary: 'An answer', value: { text: 'It leaves tomorrow.' } },
      note: { summary: 'A note', value: { note: true, text: '@Bob do we still have it?' } },
    },
    answers: [
      {
        status: 202,
        description: 'Accepted.',
        schema: acceptedMessageSchema,
        headers: ['Idempotent-Replayed'],
        example: {
          messageId: exampleMessageId,
          status: 'queued',
          numberId: exampleNumberId,
          to: exampleRecipient,
          chatType: 'personal',
          messageType: 'text',
          queuedAt: '2026-01-31T09:30:00.123Z',
        },
      },
      { status: 201, description: 'The note.', schema: noteSchema, example: note },
    ],
    errors: [
      'QUOTA_EXCEEDED',
      'RECIPIENT_INVALID',
      'RECIPIENT_FILTERED',
      'RECIPIENT_NOT_ON_NETWORK',
      'SENDER_UNAVAILABLE',
      'IDEMPOTENCY_CONFLICT',
      'CONFLICT',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
    ],
    ownErrors: {
      SENDER_UNAVAILABLE: {
        when: 'the number of the conversation is disconnected, logged out, banned or deleted',
        message: 'The pinned number is disconnected.',
      },
    },
  },
  {
    ...common,
    id: 'getConversationContact',
    method: 'get',
    path: '/v1/conversations/:id/contact',
    summary: 'Who is on the other side',
    description:
      'What the account knows of them, for agents too. A group has no contact, and neither has somebody whose contact was deleted: 404.',
    answers: [{ status: 200, description: 'The contact.', schema: contactSchema, example: exampleContact }],
  },
  {
    ...common,
    id: 'listScheduledMessages',
    method: 'get',
    path: '/v1/conversations/:id/scheduled',
    summary: 'What is to be sent later',
    description: 'The messages to the other side that wait for their `sendAt`.',
    answers: [{ status: 200, description: 'The messages.', schema: scheduledSchema, example: { data: [] } }],
  },
  {
    ...common,
    id: 'cancelScheduledMessage',
    method: 'delete',
    path: '/v1/conversations/:id/scheduled/:messageId',
    summary: 'Cancel what was to be sent later',
    description:
      'It never leaves, and ends as `failed` with the code `cancelled`. To cancel it again changes nothing, and is answered ' +
      'in the same way. 409 where it has left already, or is about to, or has failed for another reason.',
    answers: [{ status: 204, description: 'It is cancelled.' }],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'listConversationActivity',
    method: 'get',
    path: '/v1/conversations/:id/activity',
    summary: 'Who did what',
    description: 'What was changed of the conversation, by whom or what.',
    answers: [
      {
        status: 200,
        description: 'A page of changes.',
        schema: activityListSchema,
        example: {
          data: [
            {
              activityId: '1769851860000000',
              at: '2026-01-31T09:31:00.000Z',
              actor: { kind: 'person', id: exampleColleagueId, name: 'Ada' },
              action: 'status',
              from: 'open',
              to: 'resolved',
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  {
    ...common,
    id: 'readConversation',
    method: 'post',
    path: '/v1/conversations/:id/read',
    summary: 'Mark a conversation as read',
    description:
      'Nothing in it is unread any more, and a mention of you counts as seen. Where the number has `markRead: "always"`, the other side sees it too.',
    answers: [{ status: 204, description: 'It is read.' }],
  },
  {
    ...common,
    id: 'showTypingInConversation',
    method: 'post',
    path: '/v1/conversations/:id/typing',
    summary: 'Show that you type',
    description: 'The other side sees it for a moment.',
    fields: { state: 'What you do.' },
    examples: { typing: { summary: 'Typing', value: { state: 'typing' } } },
    answers: [{ status: 204, description: 'It was shown.' }],
    errors: ['CONFLICT', 'SENDER_UNAVAILABLE'],
    ownErrors: networkErrors,
  },
];
