import { eventExamples } from '../../openapi/examples/event-examples.ts';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { exampleMessage } from './example-message.ts';
import { messageListSchema, messageSchema, messageTimelineSchema } from './records.ts';

export const messageOperations = chapter('Messages', [
  {
    id: 'getMessage',
    route: 'GET /v1/messages/:messageId',
    summary: 'Get a message',
    description:
      'One message and its progress. It exists from the moment of the `202`; while it waits, `heldReason` and ' +
      '`expectedAt` say what for and until when. Agents can read messages of the numbers they see.',
    answers: [
      answer(200, 'The message.', messageSchema, { ...exampleMessage, heldReason: null, expectedAt: null }),
    ],
  },
  {
    id: 'getMessageTimeline',
    route: 'GET /v1/messages/:messageId/timeline',
    summary: 'Follow a message step by step',
    description:
      'The steps of a message with the time between them, what it waits for, which number sends it and how that was ' +
      'chosen, its events as webhooks get them, and every attempt to deliver them.',
    answers: [
      answer(200, 'The timeline.', messageTimelineSchema, {
        messageId: example.messageId,
        direction: 'outbound',
        status: 'sent',
        sender: exampleMessage.sender,
        steps: [
          { step: 'queued', at: '2026-01-31T09:30:00.123Z', afterMs: 0 },
          { step: 'sent', at: '2026-01-31T09:30:00.480Z', afterMs: 357 },
        ],
        waiting: null,
        events: [
          {
            cursor: example.cursor,
            id: example.eventId,
            event: 'message.sent',
            timestamp: '2026-01-31T09:30:00.502Z',
            data: eventExamples['message.sent'],
          },
        ],
        deliveries: [
          {
            webhookId: example.webhookId,
            deliveryId: example.deliveryId,
            eventId: example.eventId,
            event: 'message.sent',
            status: 'delivered',
            attempts: [
              {
                at: '2026-01-31T09:30:00.540Z',
                statusCode: 200,
                durationMs: 31,
                error: null,
                responseSnippet: 'ok',
              },
            ],
            nextAttemptAt: null,
          },
        ],
      }),
    ],
  },
  {
    id: 'listMessages',
    route: 'GET /v1/messages',
    summary: 'List messages',
    description:
      'Messages sent and received, newest first. Messages that arrive while you page neither shift nor repeat ' +
      'anything. A page may be short although more follow: the list ends when `nextCursor` is null.',
    parameters: {
      status: 'Only messages with this status.',
      direction: 'Only messages sent (`outbound`), or received (`inbound`).',
      numberId: 'Only messages through this number.',
      to:
        'Only messages to this phone number or group, also under their other addresses (digits or alias); it may be one ' +
        'of your own numbers.',
      from: 'Only messages from this phone number or group, likewise; it may be one of your own numbers.',
      type: 'Only messages with this.',
      since: 'Only messages queued or received at or after this time.',
      until: 'Only messages queued or received before this time.',
      q: 'Only messages whose text has all these words, in any order; case and accents are ignored.',
    },
    answers: [pageAnswer('A page of messages.', messageListSchema, [exampleMessage])],
  },
]);
