import { z } from 'zod';
import { eventExamples } from '../../examples/event-examples.ts';
import {
  exampleColleagueId,
  exampleConversationId,
  exampleCursor,
  exampleEventId,
} from '../../examples/example-values.ts';
import type { Operation } from '../../operation.ts';
import { presenceSchema } from '../../schemas/conversations/conversation.ts';

const event = {
  cursor: exampleCursor,
  id: exampleEventId,
  event: 'message.delivered',
  timestamp: '2026-01-31T09:30:01.912Z',
  data: eventExamples['message.delivered'],
};
const presence = {
  conversations: [
    {
      conversationId: exampleConversationId,
      people: [
        { userId: exampleColleagueId, name: 'Bob', state: 'typing', until: '2026-01-31T09:30:15.000Z' },
      ],
      lockedBy: exampleColleagueId,
    },
  ],
  online: [exampleColleagueId],
};
const common = { tag: 'Conversations' } as const;

export const liveConversationOperations: Operation[] = [
  {
    ...common,
    id: 'followConversations',
    method: 'get',
    path: '/v1/conversations/live',
    summary: 'Follow conversations live',
    description:
      'The events of messages, contacts and conversations that you may see, as server-sent events: `id` is the cursor, `data` ' +
      'the event as `GET /v1/events/live` has it; a client that reconnects with `Last-Event-ID` goes on where it was. Between ' +
      'them come events called `presence`: who looks at what, and who types, on the other side too. The first names all ' +
      'of your colleagues; each later one what has changed.',
    parameters: {
      after:
        'The `cursor` of an event: begin behind it. `now`: begin with what happens from now on. Left out: begin with the ' +
        'oldest event that is kept.',
    },
    answers: [
      {
        status: 200,
        description: 'The stream.',
        media: {
          'text/event-stream': {
            schema: z.string(),
            example: `id: ${exampleCursor}\ndata: ${JSON.stringify(event)}\n\n`,
          },
        },
      },
    ],
    errors: ['CURSOR_EXPIRED'],
  },
  {
    ...common,
    id: 'viewConversation',
    method: 'post',
    path: '/v1/conversations/:id/viewing',
    summary: 'Say that you are there',
    description:
      'Tells the others that you look at a conversation (say so again every 20 seconds), type in it (every 5), or have left it.',
    fields: { state: 'What you do.' },
    examples: { viewing: { summary: 'Looking at it', value: { state: 'viewing' } } },
    answers: [{ status: 200, description: 'Who is in it now.', schema: presenceSchema, example: presence }],
  },
];
