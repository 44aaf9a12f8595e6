import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { createdWebhookSchema, webhookListSchema, webhookSchema } from './records.ts';

const webhook = {
  id: example.webhookId,
  url: example.receiver,
  numberIds: 'all',
  events: ['message.delivered', 'message.failed', 'message.received'],
  description: 'Order system',
  headerNames: ['Authorization'],
  enabled: true,
  failureStreak: 0,
  disabledReason: null,
  lastDeliveryAt: '2026-01-31T09:30:02.000Z',
  previousSecretExpiresAt: null,
  createdAt: '2026-01-31T09:00:00.000Z',
};

const fields = {
  url: 'https, without credentials, at a public address: checked now and again at each attempt.',
  numberIds: 'The IDs of the numbers whose events are sent, or "all".',
  events: 'The names of the events that are sent, or "all".',
  description: 'Your note, up to 500 characters.',
};

export const webhookOperations = chapter('Webhooks', [
  {
    id: 'createWebhook',
    route: 'POST /v1/webhooks',
    summary: 'Register a webhook',
    description:
      'From now on, events are sent to this URL, signed. The response is the only place where `secret` is ever shown. ' +
      'With `enabled: false`, only tests are sent: store the secret, test, and enable the webhook.',
    fields: {
      ...fields,
      enabled: 'Whether events are sent already; true by default.',
      headers:
        'Headers that every callback carries, by name: up to 10. Their values are encrypted and never shown. Headers ' +
        'that the callback uses itself are not allowed.',
    },
    examples: {
      some: {
        summary: 'Some events of every number',
        value: {
          url: example.receiver,
          numberIds: 'all',
          events: ['message.delivered', 'message.failed', 'message.received'],
          description: 'Order system',
          headers: { Authorization: 'Basic b3JkZXJzOnMzY3JldA==' },
        },
      },
      all: {
        summary: 'Every event of one number',
        value: { url: example.receiver, numberIds: [example.numberId], events: 'all' },
      },
    },
    answers: [
      answer(201, 'The new webhook.', createdWebhookSchema, {
        ...webhook,
        lastDeliveryAt: null,
        secret: example.webhookSecret,
      }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listWebhooks',
    route: 'GET /v1/webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of the account, newest first.',
    answers: [pageAnswer('A page of webhooks.', webhookListSchema, [webhook])],
  },
  {
    id: 'getWebhook',
    route: 'GET /v1/webhooks/:id',
    summary: 'Get a webhook',
    description: 'One webhook, without its secret.',
    answers: [answer(200, 'The webhook.', webhookSchema, webhook, ['ETag'])],
  },
  {
    id: 'updateWebhook',
    route: 'PATCH /v1/webhooks/:id',
    summary: 'Change a webhook',
    description:
      'Changes the fields you send. Enabling it again resets the failure streak, and held deliveries are sent.',
    fields: {
      ...fields,
      enabled:
        'Whether events are sent. Pending deliveries are held while it is disabled; events that happen while it is ' +
        'disabled are not sent.',
      headers:
        'Headers to set, by name; null removes one, and those you do not name stay. If `url` changes to another host, ' +
        'the previous headers are removed: send them again.',
    },
    examples: { enable: { summary: 'Enable it again', value: { enabled: true } } },
    answers: [answer(200, 'The webhook as it is now.', webhookSchema, webhook, ['ETag'])],
    requestHeaders: ['If-Match'],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteWebhook',
    route: 'DELETE /v1/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'Deletes it with all pending deliveries.',
    answers: [{ status: 204, description: 'The webhook is deleted.' }],
  },
  {
    id: 'rotateWebhookSecret',
    route: 'POST /v1/webhooks/:id/rotate-secret',
    summary: 'Rotate the secret',
    description:
      'Creates a new secret, shown only once. For 24 hours callbacks are signed with both: `X-Service-Signature` with ' +
      'the new one, `X-Service-Signature-Previous` with the old one, `webhook-signature` with both.',
    answers: [
      answer(200, 'The webhook, with its new secret.', createdWebhookSchema, {
        ...webhook,
        previousSecretExpiresAt: '2026-02-01T09:30:00.000Z',
        secret: example.webhookSecret,
      }),
    ],
    errors: ['CONFLICT'],
  },
]);
