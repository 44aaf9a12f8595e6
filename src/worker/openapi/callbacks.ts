import { z } from 'zod';
import { type EventName, eventDataSchemas, eventNameSchema, eventNames } from '../../contract/events.ts';
import { eventIdSchema, timestampSchema } from '../../contract/ids.ts';
import { eventExamples } from './examples/event-examples.ts';
import { exampleDeliveryId, exampleEventId } from './examples/example-values.ts';
import { schemaReference } from './json-schema.ts';
import { answerSchemas } from './schemas.ts';

const whenSent: Record<EventName, string> = {
  'message.queued': 'A message was accepted.',
  'message.sent': 'The network took a message.',
  'message.delivered': "A message reached the recipient's phone.",
  'message.read': 'A message was read.',
  'message.failed': 'A message failed, for good.',
  'message.received': 'Somebody wrote to one of your numbers.',
  'message.media': 'A file that was pending is there, or is not to be had.',
  'device.connected': 'A number is connected.',
  'device.disconnected': 'A number lost its connection.',
  'device.logged_out': 'A number needs a new pairing.',
  'device.pairing':
    'A QR code or a code to pair with is there, or a fresh one; with neither of them, the pairing has ended without a device, and `reason` of the number says why.',
  'group.created': 'A number is in a new group.',
  'group.updated': 'Subject, description or settings of a group changed; `changes` holds what they are now.',
  'group.participants': 'Somebody came into a group or left it, or became admin or none.',
  'group.join_request': 'Somebody asks to be let into a group, or that has come to its end.',
  'contact.updated': 'A contact has another name, or its phone number or alias has become known.',
  'quota.exceeded': 'A send was refused because the monthly quota is used up; at most once a minute.',
  'message.edited': 'The text of a message was changed, by its author.',
  'message.deleted': 'A message was taken back for everyone.',
  'message.reaction': 'Somebody reacted to a message, or took that back.',
  'message.sent_from_phone': "The owner of a number wrote on the number's own phone.",
  'poll.voted': 'Somebody voted in a poll, or changed the vote.',
  'call.received': 'Somebody calls one of your numbers.',
  'conversation.created': 'A conversation with a contact, or in a group, has begun.',
  'conversation.updated':
    'A conversation has another status, assignee or the like; `changes` holds what they are now.',
  'campaign.started':
    'A campaign has begun, or goes on after a pause. When it begins, all `counts` are 0: its recipients are written down behind that.',
  'campaign.paused': 'A campaign has paused: by a person, or by itself, which `reason` tells.',
  'campaign.finished':
    'A campaign is through with everybody, or was cancelled: that is told when nobody waits for it any more.',
  'webhook.test': 'You asked for a test.',
};

/** `MessageSentEvent` of `message.sent`. */
const eventSchemaName = (name: EventName) =>
  `${name.replaceAll(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Event`;

eventNameSchema.register(answerSchemas, { id: 'EventName' });

/** The bodies of the callbacks. */
export const eventSchemas = eventNames.map((name) =>
  z
    .object({
      id: eventIdSchema.describe('The same in every delivery of this event: deduplicate by it.'),
      event: z.literal(name),
      timestamp: timestampSchema.describe('When it happened.'),
      data: eventDataSchemas[name],
    })
    .describe(whenSent[name])
    .register(answerSchemas, { id: eventSchemaName(name) }),
);

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
  header('X-Service-Delivery-Id', 'The same for every attempt at this delivery.', exampleDeliveryId),
  header('X-Service-Attempt', 'Which attempt this is, from 1.', '1'),
  header('X-Service-Timestamp', 'When this attempt was made. Refuse old ones.', timestamp),
  header(
    'X-Service-Signature',
    'Lowercase hex HMAC-SHA256 of the raw body, a dot, and `X-Service-Timestamp`; the key is the secret as it was ' +
      'shown, all its characters.',
    signature,
  ),
  {
    ...header(
      'X-Service-Signature-Previous',
      'The same under the secret before, for 24 hours after a rotation.',
      signature,
    ),
    required: false,
  },
  {
    ...header(
      'traceparent',
      'The trace of the send that the event is about, where its request bore one (W3C Trace Context).',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ),
    required: false,
  },
  header('webhook-id', 'The id of the event (Standard Webhooks).', exampleEventId),
  header('webhook-timestamp', 'Seconds since 1970 of this attempt (Standard Webhooks).', '1769851800'),
  header(
    'webhook-signature',
    'Any Standard Webhooks library verifies it, with the secret as it was shown.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const answers = {
  '2XX': { description: 'Delivered.' },
  '3XX': { description: 'Not followed: final, like a 4xx.' },
  '4XX': { description: 'Final: this delivery is not tried again.' },
  '5XX': {
    description:
      'Tried again after 30 s, 2 min, 10 min and 30 min, as after a network error or no answer in 10 s.',
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
        summary: name,
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
                  value: { id: exampleEventId, event: name, timestamp, data: eventExamples[name] },
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
