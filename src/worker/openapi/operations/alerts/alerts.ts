import { exampleAlertId, exampleWebhookId } from '../../examples/example-values.ts';
import type { Operation } from '../../operation.ts';
import { alertListSchema, alertSchema } from '../../schemas/events/webhook.ts';

const alert = {
  id: exampleAlertId,
  kind: 'webhook.disabled',
  subject: `webhook:${exampleWebhookId}`,
  at: '2026-01-31T09:31:00.000Z',
  detail: { failureStreak: 25, disabledAtStreak: 25, lastError: 'HTTP 503' },
  endedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
};

export const alertOperations: Operation[] = [
  {
    id: 'listAlerts',
    method: 'get',
    path: '/v1/alerts',
    tag: 'Alerts',
    summary: 'List alerts',
    description:
      'What wants a person, newest first: numbers that are away, banned or logged out, messages that fail, webhooks that ' +
      'fail or were switched off, a quota that runs out, people who wait for an answer. One trouble is one alert, however often it is seen, and says ' +
      'when it was over. A number that comes back within a short time raises none.',
    parameters: { open: '`true`: only troubles that last. `false`: only those that are over.' },
    answers: [
      {
        status: 200,
        description: 'A page of alerts.',
        schema: alertListSchema,
        example: { data: [alert], nextCursor: null },
      },
    ],
  },
  {
    id: 'acknowledgeAlert',
    method: 'post',
    path: '/v1/alerts/:id/acknowledge',
    tag: 'Alerts',
    summary: 'Acknowledge an alert',
    description:
      'Says that you know of it. Whoever says so first stands; the trouble itself does not change.',
    answers: [
      {
        status: 200,
        description: 'The alert.',
        schema: alertSchema,
        example: {
          ...alert,
          acknowledgedAt: '2026-01-31T09:40:00.000Z',
          acknowledgedBy: 'ada@example.com',
        },
      },
    ],
  },
];
