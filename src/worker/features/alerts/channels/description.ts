import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../../openapi/operation.ts';
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
  channelId: example.alertChannelId,
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
    'An e-mail address; the URL of an incoming webhook of Slack (or a compatible app) or Discord; a URL of your own; ' +
    '`{botToken, chatId}` for Telegram; `{numberId, to}` for WhatsApp. URLs follow the same rules as webhooks.',
  'target.botToken': 'The token from BotFather. Never shown again; if omitted in a change, it stays.',
  'target.chatId': 'The ID of the chat or group with the bot, or `@channel`.',
  'target.numberId':
    'The number that sends alerts, while it can; otherwise another connected number does. Null: any. The number that ' +
    'an alert is about never sends it.',
  'target.to': 'The recipient: a phone number that is none of your own numbers, or a group ID.',
  name: 'Your name for it, up to 100 characters.',
  kinds: 'The kinds of alerts that are sent, or "all".',
  numberIds:
    'The IDs of the numbers whose alerts are sent, or "all". Alerts about no number are always sent.',
  digest: 'A daily summary; null for none. A day without alerts has none.',
  'digest.hour': 'The hour, 0 to 23.',
  'digest.timeZone': 'The time zone of the hour: `Asia/Jakarta`.',
  'digest.only': 'Single alerts are not sent.',
  enabled: 'Whether alerts are sent.',
};

export const alertChannelOperations = chapter('Alerts', [
  {
    id: 'createAlertChannel',
    route: 'POST /v1/alert-channels',
    summary: 'Add an alert channel',
    description:
      'From now on alerts are sent to it. An e-mail address that belongs to no member must be confirmed: alerts are ' +
      'sent once its owner has opened a link. A webhook gets `alert.raised` and `alert.ended`, signed like callbacks ' +
      'of webhooks; the response is the only place where its `secret` is shown. An account can have at most 20 ' +
      'channels.',
    fields: { ...fields, kind: 'The kind of channel.' },
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
        summary: 'Slack, only critical alerts',
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
        summary: 'WhatsApp, through one of your numbers',
        value: { kind: 'whatsapp', target: { numberId: example.numberId, to: example.recipient } },
      },
    },
    answers: [
      answer(201, 'The new channel.', createdAlertChannelSchema, {
        ...channel,
        lastDeliveryAt: null,
        secret: example.webhookSecret,
      }),
    ],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'listAlertChannels',
    route: 'GET /v1/alert-channels',
    summary: 'List alert channels',
    description:
      "Where the account's alerts are sent, newest first. A new account has one channel: its owner's e-mail address, " +
      'for critical alerts.',
    answers: [pageAnswer('A page of channels.', alertChannelListSchema, [channel])],
  },
  {
    id: 'getAlertChannel',
    route: 'GET /v1/alert-channels/:id',
    summary: 'Get an alert channel',
    description: 'One channel, without its secrets.',
    answers: [answer(200, 'The channel.', alertChannelSchema, channel)],
  },
  {
    id: 'updateAlertChannel',
    route: 'PATCH /v1/alert-channels/:id',
    summary: 'Change an alert channel',
    description:
      'Changes the fields you send; the kind stays. A new e-mail address must be confirmed as for a new channel.',
    fields,
    examples: { off: { summary: 'Turn it off', value: { enabled: false } } },
    answers: [
      answer(200, 'The channel as it is now.', alertChannelSchema, {
        ...channel,
        enabled: false,
        state: 'off',
      }),
    ],
    errors: ['RATE_LIMITED'],
  },
  {
    id: 'deleteAlertChannel',
    route: 'DELETE /v1/alert-channels/:id',
    summary: 'Delete an alert channel',
    description: 'Deletes it with all pending messages.',
    answers: [{ status: 204, description: 'The channel is deleted.' }],
  },
  {
    id: 'testAlertChannel',
    route: 'POST /v1/alert-channels/:id/test',
    summary: 'Test an alert channel',
    description:
      'Sends a test now, whether the channel is on or off, and returns the result. 20 at once, then one a minute.',
    answers: [
      answer(200, 'The result.', alertTestSchema, {
        deliveryId: example.alertDeliveryId,
        status: 'delivered',
        statusCode: 200,
        durationMs: 84,
        error: null,
      }),
    ],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'rotateAlertChannelSecret',
    route: 'POST /v1/alert-channels/:id/rotate-secret',
    summary: 'Rotate the secret of a channel',
    description:
      'For webhooks: creates a new secret, shown only once. For 24 hours callbacks are signed with both: ' +
      '`X-Service-Signature` with the new one, `X-Service-Signature-Previous` with the old one, `webhook-signature` ' +
      'with both. Other kinds are not signed: 409.',
    answers: [
      answer(200, 'The channel, with its new secret.', createdAlertChannelSchema, {
        ...channel,
        secret: example.webhookSecret,
      }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAlertDeliveries',
    route: 'GET /v1/alert-channels/:id/deliveries',
    summary: 'List messages to an alert channel',
    description:
      'Every message with each attempt, newest first; the last 200 are kept. Failures are retried after 30 s, 2 min, ' +
      '10 min, 1 h and 4 h, unless the response shows that a retry will not help.',
    answers: [
      pageAnswer('A page of messages.', alertDeliveryListSchema, [
        {
          deliveryId: example.alertDeliveryId,
          news: 'raised',
          alertIds: [example.alertId],
          at: '2026-01-31T09:31:40.000Z',
          status: 'delivered',
          attempts: [{ at: '2026-01-31T09:31:40.100Z', statusCode: 200, durationMs: 84, error: null }],
          nextAttemptAt: null,
        },
      ]),
    ],
  },
  {
    id: 'askAlertAddress',
    route: 'POST /v1/alert-channels/:id/ask-again',
    summary: 'Send the confirmation e-mail again',
    description: 'Sends the link again to an unconfirmed address; the previous link becomes invalid.',
    answers: [answer(202, 'The e-mail is on its way.', alertAddressSchema, { email: 'ops@example.com' })],
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'confirmAlertAddress',
    route: 'POST /v1/alert-channels/confirm',
    summary: 'Confirm an e-mail address',
    description: 'Takes the token from the link: from now on alerts are sent to the address.',
    fields: { token: 'From the link in the e-mail.' },
    examples: { link: { summary: 'From the link', value: { token: example.mailToken } } },
    answers: [
      answer(200, 'Alerts are sent to this address now.', alertAddressSchema, { email: 'ops@example.com' }),
    ],
    errors: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  },
]);
