import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { deliveryListSchema, deliverySchema, redeliveryCountSchema, testOutcomeSchema } from './records.ts';

const delivery = {
  deliveryId: example.deliveryId,
  eventId: example.eventId,
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

export const deliveryOperations = chapter('Webhooks', [
  {
    id: 'testWebhook',
    route: 'POST /v1/webhooks/:id/test',
    summary: 'Test a webhook',
    description:
      'Sends `webhook.test` once, now, and returns the result within 10 seconds. Works for a disabled webhook too.',
    answers: [
      answer(200, 'The result.', testOutcomeSchema, {
        deliveryId: example.deliveryId,
        status: 'delivered',
        statusCode: 204,
        durationMs: 61,
        error: null,
        responseSnippet: '',
      }),
    ],
  },
  {
    id: 'listDeliveries',
    route: 'GET /v1/webhooks/:id/deliveries',
    summary: 'List deliveries',
    description:
      'What was sent to this webhook or waits for it, with every attempt, newest first. A page may be short or empty ' +
      'and still have a `nextCursor`: a filter that few deliveries match is read in steps.',
    parameters: {
      status: 'Only deliveries with this status.',
      event: 'Only deliveries of this event.',
    },
    answers: [pageAnswer('A page of deliveries.', deliveryListSchema, [delivery])],
  },
  {
    id: 'redeliver',
    route: 'POST /v1/webhooks/:id/deliveries/:deliveryId/redeliver',
    summary: 'Redeliver an event',
    description:
      'Sends the same event again, with the same ID, as a new delivery. Redeliveries are limited per account and day ' +
      '(UTC); beyond the limit, `429` says when the next day begins.',
    answers: [
      answer(202, 'The new delivery.', deliverySchema, {
        ...delivery,
        attempts: [],
        nextAttemptAt: '2026-01-31T09:40:00.000Z',
      }),
    ],
  },
  {
    id: 'redeliverSince',
    route: 'POST /v1/webhooks/:id/redeliver',
    summary: 'Redeliver everything since a time',
    description:
      'After your receiver was down: sends what it missed again, oldest first, up to 5,000 at a time. Redeliveries are ' +
      'limited per account and day (UTC); beyond the limit, `429` says when the next day begins.',
    fields: {
      since: 'Only deliveries at or after this time.',
      status: 'Which deliveries: `failed` or `delivered` ones.',
    },
    examples: {
      failed: { summary: 'Failed deliveries', value: { since: '2026-01-31T08:00:00.000Z' } },
    },
    answers: [answer(202, 'The deliveries are on their way.', redeliveryCountSchema, { count: 17 })],
  },
  {
    id: 'replayEvents',
    route: 'POST /v1/webhooks/:id/replay',
    summary: 'Replay events',
    description:
      'Sends every event that this webhook wants again, from a position or a time on: the same events with the same ' +
      'IDs, as new deliveries, in order. Events are kept for 30 days; an older cursor gets `410`. Redeliveries are ' +
      'limited per account and day (UTC); beyond the limit, `429` says when the next day begins.',
    fields: {
      after: 'A `cursor` of the event stream: start after it. Either this or `since`.',
      since: 'Start with the first event at or after this time.',
      until: 'End with the last event at or before this time. Defaults to the newest event.',
    },
    examples: {
      since: { summary: 'Since a time', value: { since: '2026-01-31T08:00:00.000Z' } },
    },
    answers: [answer(202, 'The deliveries are on their way.', redeliveryCountSchema, { count: 2048 })],
    errors: ['CONFLICT', 'CURSOR_EXPIRED'],
  },
]);
