import { exampleDeliveryId, exampleEventId } from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { deliveryListSchema, deliverySchema, redeliveryCountSchema, testOutcomeSchema } from './records.ts';

const delivery = {
  deliveryId: exampleDeliveryId,
  eventId: exampleEventId,
  event: 'message.delivered',
  status: 'pending',
  attempts: [
    {
      at: '2026-01-31T09:30:02.000Z',
      statusCode: 503,
      durationMs: 84,
      error: null,
      responseSnippet: 'try again later',
    },
  ],
  nextAttemptAt: '2026-01-31T09:30:32.084Z',
};

export const deliveryOperations: Operation[] = [
  {
    id: 'testWebhook',
    method: 'post',
    path: '/v1/webhooks/:id/test',
    tag: 'Webhooks',
    summary: 'Test a webhook',
    description:
      'Sends `webhook.test` there, now and once, and answers with what came of it: within 10 seconds. Also to a ' +
      'webhook that is disabled.',
    answers: [
      {
        status: 200,
        description: 'The outcome.',
        schema: testOutcomeSchema,
        example: {
          deliveryId: exampleDeliveryId,
          status: 'delivered',
          statusCode: 204,
          durationMs: 61,
          error: null,
          responseSnippet: '',
        },
      },
    ],
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: '/v1/webhooks/:id/deliveries',
    tag: 'Webhooks',
    summary: 'List deliveries',
    description:
      'What was sent to this webhook, or waits for it, with every attempt, newest first. A page may be short, or empty, ' +
      'and yet have a `nextCursor`: a filter that little passes is read bit by bit.',
    parameters: {
      status: 'Only deliveries in this status.',
      event: 'Only deliveries of this event.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of deliveries.',
        schema: deliveryListSchema,
        example: { data: [delivery], nextCursor: null },
      },
    ],
  },
  {
    id: 'redeliver',
    method: 'post',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    tag: 'Webhooks',
    summary: 'Deliver once more',
    description:
      'The same event, with the same id, under a new delivery id. ' +
      'An account can have so many deliveries sent again a day (UTC); beyond it `429` says when the next day begins.',
    answers: [
      {
        status: 202,
        description: 'The new delivery.',
        schema: deliverySchema,
        example: { ...delivery, attempts: [], nextAttemptAt: '2026-01-31T09:40:00.000Z' },
      },
    ],
  },
  {
    id: 'redeliverSince',
    method: 'post',
    path: '/v1/webhooks/:id/redeliver',
    tag: 'Webhooks',
    summary: 'Deliver everything once more since a time',
    description:
      'After your receiver was down: what it missed goes out again, oldest first, up to 5,000 at a time. ' +
      'An account can have so many deliveries sent again a day (UTC); beyond it `429` says when the next day begins.',
    fields: {
      since: 'Only deliveries of this time or later.',
      status: 'Which of them: those that `failed`, or those that were `delivered`.',
    },
    examples: {
      failed: { summary: 'What failed', value: { since: '2026-01-31T08:00:00.000Z' } },
    },
    answers: [
      {
        status: 202,
        description: 'They are on their way.',
        schema: redeliveryCountSchema,
        example: { count: 17 },
      },
    ],
  },
  {
    id: 'replayEvents',
    method: 'post',
    path: '/v1/webhooks/:id/replay',
    tag: 'Webhooks',
    summary: 'Replay events',
    description:
      'Every event that this webhook wants, from a place or a time on, once more: the same events, with the same ids, ' +
      'under new delivery ids, in their order. Events are kept for 30 days; an older cursor gets `410`. ' +
      'An account can have so many deliveries sent again a day (UTC); beyond it `429` says when the next day begins.',
    fields: {
      after: 'A `cursor` of the event stream: begin behind it. Either this or `since`.',
      since: 'Begin with the first event at or after this time.',
      until: 'End with the last event at or before this time. Left out: with the newest one there is now.',
    },
    examples: {
      since: { summary: 'Since a time', value: { since: '2026-01-31T08:00:00.000Z' } },
    },
    answers: [
      {
        status: 202,
        description: 'They are on their way.',
        schema: redeliveryCountSchema,
        example: { count: 2048 },
      },
    ],
    errors: ['CONFLICT', 'CURSOR_EXPIRED'],
  },
];
