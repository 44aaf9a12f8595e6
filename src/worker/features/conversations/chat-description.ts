import { z } from 'zod';
import { networkErrors } from '../../openapi/errors.ts';
import { eventExamples } from '../../openapi/examples/event-examples.ts';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { exampleContact } from '../contacts/description.ts';
import { contactSchema } from '../contacts/records.ts';
import { acceptedAnswer } from '../messages/sending/description.ts';
import { sendFields } from '../messages/sending/send-fields.ts';
import { activityListSchema, chatSchema, noteSchema, presenceSchema, scheduledSchema } from './records.ts';
import { chatBodySchema } from './send-body.ts';

const note = {
  noteId: '019ab0de-9c33-7f45-8a67-b8c9d0e1f203',
  text: '@Bob do we still have it?',
  author: { userId: example.colleagueId, name: 'Ada' },
  mentions: [example.colleagueId],
  createdAt: '2026-01-31T09:31:00.000Z',
};
const { to: _, contactId: ___, senderHint: __, ...answerFields } = sendFields;

export const chatOperations = chapter('Conversations', [
  {
    id: 'listConversationMessages',
    route: 'GET /v1/conversations/:id/messages',
    summary: 'Read a conversation',
    description: 'Its messages and private notes.',
    parameters: {
      after: '`cursor` of an item: only newer ones.',
      order: '`newest` first, or `oldest` first: then a `cursor` continues with newer ones.',
      until: 'Only what was written before this time. A `cursor` continues from there.',
    },
    answers: [
      pageAnswer('A page of messages and notes.', chatSchema, [
        { kind: 'note', cursor: 'MTc2OTg1MTg2MDAwMDUwMA', note },
      ]),
    ],
  },
  {
    id: 'answerConversation',
    route: 'POST /v1/conversations/:id/messages',
    summary: 'Send a reply, or add a note',
    description:
      "Sends a message to the other party, through the conversation's number and no other, with the same promise as a " +
      'send. It goes ahead of what API keys and campaigns send. With `note` it adds a private note instead, which is ' +
      'never sent; with an `Idempotency-Key` it is added once.',
    body: chatBodySchema,
    fields: {
      ...answerFields,
      note: 'A private note. `@Name` in its text notifies that person.',
      text: 'For a text or a note: 1 to 4,096 characters, not only blanks, sent exactly as written.',
    },
    requestHeaders: ['Idempotency-Key'],
    examples: {
      text: { summary: 'A reply', value: { text: 'It leaves tomorrow.' } },
      note: { summary: 'A note', value: { note: true, text: '@Bob do we still have it?' } },
    },
    answers: [acceptedAnswer, answer(201, 'The note.', noteSchema, note)],
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
        when: "the conversation's number is disconnected, logged out, banned or deleted",
        message: 'The pinned number is disconnected.',
      },
    },
  },
  {
    id: 'getConversationContact',
    route: 'GET /v1/conversations/:id/contact',
    summary: 'Get the contact of a conversation',
    description: 'What the account knows about them, for agents too. 404 for groups and deleted contacts.',
    answers: [answer(200, 'The contact.', contactSchema, exampleContact)],
  },
  {
    id: 'listScheduledMessages',
    route: 'GET /v1/conversations/:id/scheduled',
    summary: 'List scheduled messages',
    description: 'Messages to the other party that wait for their `sendAt`.',
    answers: [answer(200, 'The messages.', scheduledSchema, { data: [] })],
  },
  {
    id: 'cancelScheduledMessage',
    route: 'DELETE /v1/conversations/:id/scheduled/:messageId',
    summary: 'Cancel a scheduled message',
    description:
      'The message is never sent, and ends as `failed` with the code `cancelled`. Cancelling it again changes nothing ' +
      'and returns the same. 409 if it has left already, is about to, or failed for another reason.',
    answers: [{ status: 204, description: 'The message is cancelled.' }],
    errors: ['CONFLICT'],
  },
  {
    id: 'listConversationActivity',
    route: 'GET /v1/conversations/:id/activity',
    summary: 'List the activity of a conversation',
    description: 'What was changed in the conversation, and by whom or what.',
    answers: [
      pageAnswer('A page of changes.', activityListSchema, [
        {
          activityId: '1769851860000000',
          at: '2026-01-31T09:31:00.000Z',
          actor: { kind: 'person', id: example.colleagueId, name: 'Ada' },
          action: 'status',
          from: 'open',
          to: 'resolved',
        },
      ]),
    ],
  },
  {
    id: 'readConversation',
    route: 'POST /v1/conversations/:id/read',
    summary: 'Mark a conversation as read',
    description:
      'Nothing in it is unread any more, and mentions of you count as seen. If the number has `markRead: "always"`, ' +
      'the other party sees it too.',
    answers: [{ status: 204, description: 'The conversation is read.' }],
  },
  {
    id: 'showTypingInConversation',
    route: 'POST /v1/conversations/:id/typing',
    summary: 'Show that you are typing',
    description: 'The other party sees it for a moment.',
    fields: { state: 'What you are doing.' },
    examples: { typing: { summary: 'Typing', value: { state: 'typing' } } },
    answers: [{ status: 204, description: 'It was shown.' }],
    errors: ['CONFLICT', 'SENDER_UNAVAILABLE'],
    ownErrors: networkErrors,
  },
]);

const event = {
  cursor: example.cursor,
  id: example.eventId,
  event: 'message.delivered',
  timestamp: '2026-01-31T09:30:01.912Z',
  data: eventExamples['message.delivered'],
};
const presence = {
  conversations: [
    {
      conversationId: example.conversationId,
      people: [
        { userId: example.colleagueId, name: 'Bob', state: 'typing', until: '2026-01-31T09:30:15.000Z' },
      ],
      lockedBy: example.colleagueId,
    },
  ],
  online: [example.colleagueId],
};

export const liveConversationOperations = chapter('Conversations', [
  {
    id: 'followConversations',
    route: 'GET /v1/conversations/live',
    summary: 'Follow conversations live',
    description:
      'Streams the events of messages, contacts and conversations that you may see, as server-sent events: `id` is the ' +
      'cursor, `data` the event as in `GET /v1/events/live`. A client that reconnects with `Last-Event-ID` continues ' +
      'where it was. Events that have just happened also have `shown`, with what they changed: `item` (the message as ' +
      'its chat shows it), `conversation`, and about once a second `counts`. When an event has no `shown`, read what it ' +
      'changed again. Between the events come `presence` events: who is viewing a conversation, and who is typing, ' +
      'including the other party. The first one lists all your colleagues; later ones only changes.',
    parameters: {
      after:
        'The `cursor` of an event: start after it. `now`: start with new events. Omitted: start with the oldest event ' +
        'that is kept.',
    },
    answers: [
      {
        status: 200,
        description: 'The stream.',
        media: {
          'text/event-stream': {
            schema: z.string(),
            example: `id: ${example.cursor}\ndata: ${JSON.stringify(event)}\n\n`,
          },
        },
      },
    ],
    errors: ['CURSOR_EXPIRED'],
  },
  {
    id: 'viewConversation',
    route: 'POST /v1/conversations/:id/viewing',
    summary: 'Report your presence',
    description:
      'Tells your colleagues that you are viewing a conversation (repeat every 20 seconds), typing in it (every 5), or ' +
      'have left it.',
    fields: { state: 'What you are doing.' },
    examples: { viewing: { summary: 'Viewing it', value: { state: 'viewing' } } },
    answers: [answer(200, 'Who is in it now.', presenceSchema, presence)],
  },
]);
