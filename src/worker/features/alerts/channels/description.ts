import {
  exampleAlertChannelId,
  exampleAlertDeliveryId,
  exampleAlertId,
  exampleMailToken,
  exampleNumberId,
  exampleRecipient,
  exampleWebhookSecret,
} from '../../../openapi/examples/example-values.ts';
import type { Operation } from '../../../openapi/operation.ts';
import {
  alertAddressSchema,
  alertChannelListSchema,
  alertChannelSchema,
  alertDeliveryListSchema,
  alertTestSchema,
  createdAlertChannelSchema,
} from '../records.ts';

const exampleAlertReceiver = 'https://example.com/hooks/alerts';

const channel = {
  channelId: exampleAlertChannelId,
  kind: 'webhook',
  name: 'On call',
  target: exampleAlertReceiver,
  kinds: 'all',
  numberIds: 'all',
  digest: null,
  enabled: true,
  state: 'ready',
  lastDeliveryAt: '2026-01-31T09:32:00.000Z',
  lastError: null,
  createdAt: '2026-01-31T09:00:00.000Z',
};

const fields = {
  target:
    'An e-mail address; the URL of an incoming webhook of Slack (or what takes the same) or Discord; a URL of your own; ' +
    '`{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs obey the same rules as those of webhooks.',
  'target.botToken': 'What BotFather gave. It is never shown again; left out in a change, it stays.',
  'target.chatId': 'The id of the chat or group that the bot is in, or `@channel`.',
  'target.numberId':
    'The number that tells of it, while it can; else another one that is connected does. Null: any. The number that is in trouble never does.',
  'target.to': 'Who gets it: a phone number or a group id.',
  name: 'Your name for it, up to 100 characters.',
  kinds: 'The kinds of alerts that go there, or "all".',
  numberIds:
    'The ids of the numbers whose alerts go there, or "all". What concerns no number goes there in any case.',
  digest: 'Once a day, a list of what happened; null for none. A day without alerts has none.',
  'digest.hour': 'At which hour, 0 to 23.',
  'digest.timeZone': 'By the clocks of this time zone: `Asia/Jakarta`.',
  'digest.only': 'Alerts do not go there one by one as well.',
  enabled: 'Whether alerts go there.',
};

export const alertChannelOperations: Operation[] = [
  {
    id: 'createAlertChannel',
    method: 'post',
    path: '/v1/alert-channels',
    tag: 'Alerts',
    summary: 'Add an alert channel',
    description:
      'From now on alerts go there too. An e-mail address of nobody in the account is asked first: alerts go there once ' +
      'whoever reads there has opened the link. A webhook gets `alert.raised` and `alert.ended`, signed as the callbacks ' +
      'of webhooks are; the answer is the only place where its `secret` is shown. An account has 20 channels at most.',
    fields: { ...fields, kind: 'The way that it goes.' },
    examples: {
      webhook: {
        summary: 'A URL of yours, signed',
        value: { kind: 'webhook', target: exampleAlertReceiver, name: 'On call' },
      },
      email: {
        summary: 'An e-mail address, once a day',
        value: {
          kind: 'email',
          target: 'ops@example.com',
          digest: { hour: 8, timeZone: 'Asia/Jakarta', only: true },
        },
      },
      slack: {
        summary: 'Slack, what is serious',
        value: {
          kind: 'slack',
          target: 'https://hooks.slack.example.com/services/T000/B000/xxxx',
          kinds: ['device.banned', 'device.logged_out'],
        },
      },
      telegram: {
        summary: 'Telegram',
        value: {
          kind: 'telegram',
          target: { botToken: '123456789:AAEexampleexampleexampleexampleexam', chatId: '-1001234567890' },
        },
      },
      whatsapp: {
        summary: 'WhatsApp, through a number of yours',
        value: { kind: 'whatsapp', target: { numberId: exampleNumberId, to: exampleRecipient } },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The new channel.',
        schema: createdAlertChannelSchema,
        example: { ...channel, lastDeliveryAt: null, secret: exampleWebhookSecret },
      },
    ],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'listAlertChannels',
    method: 'get',
    path: '/v1/alert-channels',
    tag: 'Alerts',
    summary: 'List alert channels',
    description:
      'Where the alerts of the account go, newest first. A new account has one: the e-mail address of its owner, for what ' +
      'is serious.',
    answers: [
      {
        status: 200,
        description: 'A page of channels.',
        schema: alertChannelListSchema,
        example: { data: [channel], nextCursor: null },
      },
    ],
  },
  {
    id: 'getAlertChannel',
    method: 'get',
    path: '/v1/alert-channels/:id',
    tag: 'Alerts',
    summary: 'Get an alert channel',
    description: 'One channel, without what is secret of it.',
    answers: [{ status: 200, description: 'The channel.', schema: alertChannelSchema, example: channel }],
  },
  {
    id: 'updateAlertChannel',
    method: 'patch',
    path: '/v1/alert-channels/:id',
    tag: 'Alerts',
    summary: 'Change an alert channel',
    description:
      'Changes the fields that are sent; its kind stays. Another e-mail address is asked as a new one is.',
    fields,
    examples: { off: { summary: 'Switch it off', value: { enabled: false } } },
    answers: [
      {
        status: 200,
        description: 'The channel as it is now.',
        schema: alertChannelSchema,
        example: { ...channel, enabled: false, state: 'off' },
      },
    ],
    errors: ['RATE_LIMITED'],
  },
  {
    id: 'deleteAlertChannel',
    method: 'delete',
    path: '/v1/alert-channels/:id',
    tag: 'Alerts',
    summary: 'Delete an alert channel',
    description: 'Removes it with everything that was on its way to it.',
    answers: [{ status: 204, description: 'It is gone.' }],
  },
  {
    id: 'testAlertChannel',
    method: 'post',
    path: '/v1/alert-channels/:id/test',
    tag: 'Alerts',
    summary: 'Test an alert channel',
    description:
      'Sends a test there, now and once, whether it is on or off, and answers with what came of it. 20 at once, then one a ' +
      'minute.',
    answers: [
      {
        status: 200,
        description: 'What came of it.',
        schema: alertTestSchema,
        example: {
          deliveryId: exampleAlertDeliveryId,
          status: 'delivered',
          statusCode: 200,
          durationMs: 84,
          error: null,
        },
      },
    ],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'rotateAlertChannelSecret',
    method: 'post',
    path: '/v1/alert-channels/:id/rotate-secret',
    tag: 'Alerts',
    summary: 'Rotate the secret of a channel',
    description:
      'Of a webhook: makes a new secret, shown this once. For 24 hours both sign: `X-Service-Signature` under the new one, ' +
      '`X-Service-Signature-Previous` under the old one, `webhook-signature` under both. Other kinds are not signed: 409.',
    answers: [
      {
        status: 200,
        description: 'The channel, with its new secret.',
        schema: createdAlertChannelSchema,
        example: { ...channel, secret: exampleWebhookSecret },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAlertDeliveries',
    method: 'get',
    path: '/v1/alert-channels/:id/deliveries',
    tag: 'Alerts',
    summary: 'List what went to an alert channel',
    description:
      'Every message to it with each attempt, newest first; the last 200 are kept. What fails is tried again after 30 s, ' +
      '2 min, 10 min, 1 h and 4 h, unless the answer says that waiting will not help.',
    answers: [
      {
        status: 200,
        description: 'A page of messages.',
        schema: alertDeliveryListSchema,
        example: {
          data: [
            {
              deliveryId: exampleAlertDeliveryId,
              news: 'raised',
              alertIds: [exampleAlertId],
              at: '2026-01-31T09:31:40.000Z',
              status: 'delivered',
              attempts: [{ at: '2026-01-31T09:31:40.100Z', statusCode: 200, durationMs: 84, error: null }],
              nextAttemptAt: null,
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  {
    id: 'askAlertAddress',
    method: 'post',
    path: '/v1/alert-channels/:id/ask-again',
    tag: 'Alerts',
    summary: 'Ask an e-mail address again',
    description:
      'Mails the link once more to an address that has not been confirmed; the one before is good no more.',
    answers: [
      {
        status: 202,
        description: 'The mail is on its way.',
        schema: alertAddressSchema,
        example: { email: 'ops@example.com' },
      },
    ],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'confirmAlertAddress',
    method: 'post',
    path: '/v1/alert-channels/confirm',
    tag: 'Alerts',
    summary: 'Confirm an e-mail address',
    description: 'Takes the token of the link: from now on alerts go there.',
    fields: { token: 'From the link in the e-mail.' },
    examples: { link: { summary: 'From the link', value: { token: exampleMailToken } } },
    answers: [
      {
        status: 200,
        description: 'Alerts go to this address now.',
        schema: alertAddressSchema,
        example: { email: 'ops@example.com' },
      },
    ],
    errors: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  },
];
