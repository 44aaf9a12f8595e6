import {
  exampleAlertId,
  exampleAlertMuteId,
  exampleNumberId,
  exampleWebhookId,
} from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { alertListSchema, alertMuteListSchema, alertMuteSchema, alertSchema } from './records.ts';

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

const mute = {
  id: exampleAlertMuteId,
  kind: 'device.disconnected',
  numberId: exampleNumberId,
  until: '2026-01-31T10:30:00.000Z',
  createdBy: 'ada@example.com',
  createdAt: '2026-01-31T09:30:00.000Z',
};

export const alertMuteOperations: Operation[] = [
  {
    id: 'muteAlerts',
    method: 'post',
    path: '/v1/alert-mutes',
    tag: 'Alerts',
    summary: 'Mute alerts for a while',
    description:
      'No channel is told of them until then; they stand in the list all the same. What still lasts at the end is told then.',
    fields: {
      kind: 'One kind of alerts; null or left out: all.',
      numberId: 'What concerns one number; null or left out: everything.',
      minutes: 'For so long: 30 days (43200) at most.',
    },
    examples: {
      hour: {
        summary: 'One number is moved to another phone',
        value: { kind: 'device.disconnected', numberId: exampleNumberId, minutes: 60 },
      },
    },
    answers: [{ status: 201, description: 'It is muted.', schema: alertMuteSchema, example: mute }],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAlertMutes',
    method: 'get',
    path: '/v1/alert-mutes',
    tag: 'Alerts',
    summary: 'List what is muted',
    description: 'What is muted now, newest first.',
    answers: [
      {
        status: 200,
        description: 'A page of mutes.',
        schema: alertMuteListSchema,
        example: { data: [mute], nextCursor: null },
      },
    ],
  },
  {
    id: 'unmuteAlerts',
    method: 'delete',
    path: '/v1/alert-mutes/:id',
    tag: 'Alerts',
    summary: 'End a mute',
    description: 'The channels are told again from now on, also of what began meanwhile and still lasts.',
    answers: [{ status: 204, description: 'It is over.' }],
  },
];
