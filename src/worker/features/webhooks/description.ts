import {
  exampleNumberId,
  exampleReceiver,
  exampleWebhookId,
  exampleWebhookSecret,
} from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { createdWebhookSchema, webhookListSchema, webhookSchema } from './records.ts';

const webhook = {
  id: exampleWebhookId,
  url: exampleReceiver,
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
  url: 'https, without credentials in it, to a public address: checked now and again at each attempt.',
  numberIds: 'The ids of the numbers whose events go there, or "all".',
  events: 'The names of the events that go there, or "all".',
  description: 'Your note, up to 500 characters.',
};

export const webhookOperations: Operation[] = [
  {
    id: 'createWebhook',
    method: 'post',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'Register a webhook',
    description:
      'From now on events go to this URL, signed. The answer is the only place where `secret` is ever shown. With ' +
      '`enabled: false` nothing goes there yet but tests: put the secret where it belongs, test, and enable it.',
    fields: {
      ...fields,
      enabled: 'Whether events go there already; true, where it is left out.',
      headers:
        'Headers of the receiver’s own that every callback bears, by name: up to 10. Their values are sealed and never ' +
        'shown. None that the callback uses itself.',
    },
    examples: {
      some: {
        summary: 'Some events of every number',
        value: {
          url: exampleReceiver,
          numberIds: 'all',
          events: ['message.delivered', 'message.failed', 'message.received'],
          description: 'Order system',
          headers: { Authorization: 'Basic b3JkZXJzOnMzY3JldA==' },
        },
      },
      all: {
        summary: 'Every event of one number',
        value: { url: exampleReceiver, numberIds: [exampleNumberId], events: 'all' },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The new webhook.',
        schema: createdWebhookSchema,
        example: { ...webhook, lastDeliveryAt: null, secret: exampleWebhookSecret },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listWebhooks',
    method: 'get',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of the account, newest first.',
    answers: [
      {
        status: 200,
        description: 'A page of webhooks.',
        schema: webhookListSchema,
        example: { data: [webhook], nextCursor: null },
      },
    ],
  },
  {
    id: 'getWebhook',
    method: 'get',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Get a webhook',
    description: 'One webhook, without its secret.',
    answers: [
      {
        status: 200,
        description: 'The webhook.',
        schema: webhookSchema,
        example: webhook,
        headers: ['ETag'],
      },
    ],
  },
  {
    id: 'updateWebhook',
    method: 'patch',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Change a webhook',
    description:
      'Changes the fields that are sent. Enabling it again ends the failure streak, and what waited goes out.',
    fields: {
      ...fields,
      enabled:
        'Whether events go there. What is on its way when you disable it waits; what happens while it is disabled does ' +
        'not go there.',
      headers:
        'Those to set, by name; null takes one away, and those that are not named stay. Where `url` leads to another ' +
        'host, those of before are gone: give them anew.',
    },
    examples: { enable: { summary: 'Enable it again', value: { enabled: true } } },
    answers: [
      {
        status: 200,
        description: 'The webhook as it is now.',
        schema: webhookSchema,
        example: webhook,
        headers: ['ETag'],
      },
    ],
    requestHeaders: ['If-Match'],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteWebhook',
    method: 'delete',
    path: '/v1/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Removes it with everything that was on its way to it.',
    answers: [{ status: 204, description: 'It is gone.' }],
  },
  {
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/v1/webhooks/:id/rotate-secret',
    tag: 'Webhooks',
    summary: 'Rotate the secret',
    description:
      'Makes a new secret, shown this once. For 24 hours both sign: `X-Service-Signature` under the new one, ' +
      '`X-Service-Signature-Previous` under the old one, `webhook-signature` under both.',
    answers: [
      {
        status: 200,
        description: 'The webhook, with its new secret.',
        schema: createdWebhookSchema,
        example: {
          ...webhook,
          previousSecretExpiresAt: '2026-02-01T09:30:00.000Z',
          secret: exampleWebhookSecret,
        },
      },
    ],
    errors: ['CONFLICT'],
  },
];
