import { z } from 'zod';
import { type EventName, eventDataSchemas, eventNameSchema, eventNames } from '../../contract/events.ts';
import { eventIdSchema, timestampSchema } from '../../contract/ids.ts';
import { eventExamples } from './examples/event-examples.ts';
import { example } from './examples/example-values.ts';
import { describeFields, type JsonSchema, schemaReference } from './json-schema.ts';
import { answerSchemas, record } from './schemas.ts';

const whenSent: Record<EventName, string> = {
  'message.queued': 'A message was accepted.',
  'message.sent': 'The network took a message.',
  'message.delivered': "A message reached the recipient's phone.",
  'message.read': 'A message was read.',
  'message.failed': 'A message failed and will not be retried.',
  'message.received': 'Someone sent a message to one of your numbers.',
  'message.media': 'A pending file is now available, or turned out to be unavailable.',
  'device.connected': 'A number connected.',
  'device.disconnected': 'A number lost its connection.',
  'device.logged_out': 'A number needs a new pairing.',
  'device.pairing':
    'A new QR code or pairing code is available. If both are missing, the pairing ended without a device; the ' +
    "number's `reason` says why.",
  'group.created': 'A number joined a group.',
  'group.updated': 'Subject, description or settings of a group changed; `changes` holds what they are now.',
  'group.participants': 'Someone joined or left a group, or was promoted to admin or demoted.',
  'group.join_request': 'Someone asked to join a group, or such a request was settled.',
  'contact.updated': "A contact's name changed, or its phone number or alias became known.",
  'quota.exceeded': 'A send was refused because the monthly quota is used up. Sent at most once a minute.',
  'message.edited': 'The author of a message edited its text.',
  'message.deleted': 'A message was deleted for everyone.',
  'message.reaction': 'Someone reacted to a message, or removed their reaction.',
  'message.sent_from_phone': 'The owner of a number sent a message from the phone itself.',
  'poll.voted': 'Someone voted in a poll, or changed their vote.',
  'call.received': 'Someone is calling one of your numbers.',
  'conversation.created': 'A new conversation with a contact or a group began.',
  'conversation.updated':
    'The status, assignee or another property of a conversation changed; `changes` holds the new values.',
  'campaign.started':
    'A campaign started, or resumed after a pause. At the start all `counts` are 0: its recipients are added ' +
    'afterwards.',
  'campaign.paused': 'A campaign was paused, by a person or automatically; `reason` says why.',
  'campaign.finished':
    'A campaign has sent to all recipients, or was cancelled. Sent once no recipient is waiting.',
  'webhook.test': 'You requested a test.',
};

/** `MessageSentEvent` of `message.sent`. */
const eventSchemaName = (name: EventName) =>
  `${name.replaceAll(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Event`;

eventNameSchema.register(answerSchemas, { id: 'EventName' });

/** The bodies of the callbacks. */
export const eventSchemas = eventNames.map((name) =>
  record(eventSchemaName(name), whenSent[name], {
    id: eventIdSchema.describe('The same in every delivery of this event: use it to deduplicate.'),
    event: z.literal(name),
    timestamp: timestampSchema.describe('When the event happened.'),
    data: eventDataSchemas[name],
  }),
);

/** Fields of the events' data that their names do not explain. */
const fields: Record<string, string> = {
  'data.to': "Left out if the recipient's phone number is not known: then `contactId` is there.",
  'data.clientReference': 'What you called the message when you sent it.',
  'data.chat': '`<phone>@<network domain>`, or the ID of the group.',
  'data.recipientLid': "The recipient's privacy alias: never a phone number, and cannot be messaged.",
  'data.direction': 'The direction of the message.',
  'data.errorCode': 'Why, for a program. `network_<code>` carries the code of the network.',
  'data.text': 'The caption of a file; empty if there are no words.',
  'data.media.mimetype': 'This, `bytes` and `sha256` are left out until someone has the file.',
  'data.media.sha256': 'Lowercase hex SHA-256 of the file.',
  'data.media.voice': 'It is a voice note.',
  'data.media.url': 'Where anyone can download the file for an hour. Only if it is `ready`.',
  'data.poll.selectableCount': 'How many options each voter can choose; 0 for any number.',
  'data.quotedMessageId': 'The message that this one replies to, if it is one of yours.',
  'data.mentions': 'Digits of phone numbers, or of an alias if no phone number is known.',
  'data.isEphemeral': 'It disappears from the phones after a time.',
  'data.referral': 'The advertisement that the chat began with.',
  'data.unsupportedType': "The network's name for a kind of message that is not supported.",
  'data.emoji': 'Empty if the reaction was removed.',
  'data.options': 'All options that are chosen now; none if the vote was removed.',
  'data.qr': 'With neither `qr` nor `code`, the pairing ended without a device.',
  'data.lid': 'The privacy alias: never a phone number, and cannot be messaged.',
  'data.changes': 'The new values.',
  'data.changes.unreadCount': 'Someone has read it.',
};

/** Explains the fields of the events' data in the schemas of the document. */
export function describeEvents(schemas: Record<string, JsonSchema>): void {
  for (const name of ['StreamEvent', ...eventNames.map(eventSchemaName)])
    describeFields(schemas[name] ?? {}, fields);
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const timestamp = '2026-01-31T09:30:00.481Z';
const signature = 'c0ffee5a1e0b7d94c3f2a1b0998877665544332211ffeeddccbbaa9988776655';

const callbackHeaders = (name: EventName) => [
  header('X-Service-Event', 'The name of the event.', name),
  header('X-Service-Delivery-Id', 'The same for every attempt of this delivery.', example.deliveryId),
  header('X-Service-Attempt', 'The number of this attempt, starting at 1.', '1'),
  header('X-Service-Timestamp', 'When this attempt was made. Reject old ones.', timestamp),
  header(
    'X-Service-Signature',
    'Lowercase hex HMAC-SHA256 of the raw body, a dot, and `X-Service-Timestamp`. The key is the secret exactly as ' +
      'it was shown.',
    signature,
  ),
  {
    ...header(
      'X-Service-Signature-Previous',
      'The same signature with the previous secret, for 24 hours after a rotation.',
      signature,
    ),
    required: false,
  },
  {
    ...header(
      'traceparent',
      'The trace of the send that the event is about, if the request had one (W3C Trace Context).',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ),
    required: false,
  },
  header('webhook-id', 'The id of the event (Standard Webhooks).', example.eventId),
  header('webhook-timestamp', 'Unix time of this attempt, in seconds (Standard Webhooks).', '1769851800'),
  header(
    'webhook-signature',
    'Can be verified with any Standard Webhooks library and the secret as it was shown.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const answers = {
  '2XX': { description: 'Delivered.' },
  '3XX': { description: 'Redirects are not followed. Final, like a 4xx.' },
  '4XX': { description: 'Final: this delivery is not retried.' },
  '5XX': {
    description:
      'Retried after 30 s, 2 min, 10 min and 30 min, as after a network error or no response within 10 s.',
  },
};

/** `webhooks` of the document: what your receiver gets. */
export const callbacks = Object.fromEntries(
  eventNames.map((name) => [
    name,
    {
      post: {
        operationId: `on${eventSchemaName(name).replace(/Event$/, '')}`,
        tags: ['Webhooks'],
        summary: whenSent[name].replace(/(?<=\.) .*/, ''),
        description: whenSent[name],
        security: [],
        parameters: callbackHeaders(name),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemaReference(eventSchemaName(name)),
              examples: {
                event: {
                  summary: name,
                  value: { id: example.eventId, event: name, timestamp, data: eventExamples[name] },
                },
              },
            },
          },
        },
        responses: answers,
      },
    },
  ]),
);
