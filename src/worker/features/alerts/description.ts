import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { alertListSchema, alertMuteListSchema, alertMuteSchema, alertSchema } from './records.ts';

const alert = {
  id: example.alertId,
  kind: 'webhook.disabled',
  subject: `webhook:${example.webhookId}`,
  at: '2026-01-31T09:31:00.000Z',
  detail: { failureStreak: 25, disabledAtStreak: 25, lastError: 'HTTP 503' },
  endedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
};

export const alertOperations = chapter('Alerts', [
  {
    id: 'listAlerts',
    route: 'GET /v1/alerts',
    summary: 'List alerts',
    description:
      'What needs attention, newest first: numbers that are disconnected, banned or logged out, messages that fail, ' +
      'webhooks that fail or were disabled, a quota that is running out, people who wait for a reply. One problem is ' +
      'one alert, however often it is detected, and the alert says when it was resolved. A number that reconnects ' +
      'quickly raises none.',
    parameters: { open: '`true`: only open alerts. `false`: only resolved alerts.' },
    answers: [pageAnswer('A page of alerts.', alertListSchema, [alert])],
  },
  {
    id: 'acknowledgeAlert',
    route: 'POST /v1/alerts/:id/acknowledge',
    summary: 'Acknowledge an alert',
    description:
      'Marks the alert as seen. The first person to acknowledge it is recorded; the problem itself does not change.',
    answers: [
      answer(200, 'The alert.', alertSchema, {
        ...alert,
        acknowledgedAt: '2026-01-31T09:40:00.000Z',
        acknowledgedBy: 'ada@example.com',
      }),
    ],
  },
]);

const mute = {
  id: example.alertMuteId,
  kind: 'device.disconnected',
  numberId: example.numberId,
  until: '2026-01-31T10:30:00.000Z',
  createdBy: 'ada@example.com',
  createdAt: '2026-01-31T09:30:00.000Z',
};

export const alertMuteOperations = chapter('Alerts', [
  {
    id: 'muteAlerts',
    route: 'POST /v1/alert-mutes',
    summary: 'Mute alerts for a while',
    description:
      'No channel is notified until then; alerts still appear in the list. Channels are notified at the end of alerts ' +
      'that are still open.',
    fields: {
      kind: 'One kind of alert; null or omitted: all.',
      numberId: 'Alerts about one number; null or omitted: everything.',
      minutes: 'For how long, in minutes: at most 30 days (43200).',
    },
    examples: {
      hour: {
        summary: 'One number is moving to another phone',
        value: { kind: 'device.disconnected', numberId: example.numberId, minutes: 60 },
      },
    },
    answers: [answer(201, 'The mute.', alertMuteSchema, mute)],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAlertMutes',
    route: 'GET /v1/alert-mutes',
    summary: 'List mutes',
    description: 'Active mutes, newest first.',
    answers: [pageAnswer('A page of mutes.', alertMuteListSchema, [mute])],
  },
  {
    id: 'unmuteAlerts',
    route: 'DELETE /v1/alert-mutes/:id',
    summary: 'End a mute',
    description:
      'Channels are notified again from now on, also of alerts that began meanwhile and are still open.',
    answers: [{ status: 204, description: 'The mute has ended.' }],
  },
]);
