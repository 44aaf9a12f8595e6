import { batchBodySchema } from '../../../send-batch-request.ts';
import { sendBodySchema, sendQuerySchema } from '../../../send-request.ts';
import { eventExamples } from '../../examples/event-examples.ts';
import {
  exampleCursor,
  exampleDeliveryId,
  exampleEventId,
  exampleMediaId,
  exampleMessageId,
  exampleNumberId,
  examplePhoneNumber,
  examplePicture,
  exampleRecipient,
  exampleWebhookId,
} from '../../examples/example-values.ts';
import type { Operation } from '../../operation.ts';
import {
  acceptedBatchSchema,
  acceptedMessageSchema,
  dryRunSchema,
  messageListSchema,
  messageSchema,
  messageTimelineSchema,
} from '../../schemas/messages/message.ts';

const record = {
  messageId: exampleMessageId,
  direction: 'outbound',
  status: 'delivered',
  numberId: exampleNumberId,
  to: exampleRecipient,
  chatType: 'personal',
  messageType: 'text',
  text: 'Your order 1042 is on its way.',
  providerMessageId: eventExamples['message.sent'].providerMessageId,
  sender: { numberId: exampleNumberId, phoneNumber: examplePhoneNumber, source: 'pool' },
  errorMessage: null,
  errorCode: null,
  clientReference: 'order-1042',
  sendAt: null,
  queuedAt: '2026-01-31T09:30:00.123Z',
  sentAt: '2026-01-31T09:30:00.480Z',
  deliveredAt: '2026-01-31T09:30:01.912Z',
  readAt: null,
  failedAt: null,
};

const accepted = {
  messageId: exampleMessageId,
  status: 'queued',
  numberId: exampleNumberId,
  to: exampleRecipient,
  chatType: 'personal',
  messageType: 'text',
  queuedAt: '2026-01-31T09:30:00.123Z',
};

const ownFields: Record<string, string> = {
  caption: 'Words beside it: up to 1,024 characters.',
  viewOnce: 'The recipient can look at it once.',
  fileName: 'What the recipient sees as its name.',
  voice: 'A voice note: Opus in Ogg.',
};

/** What the fields of a file mean; `own`: those that this kind has beside the others. */
const fieldsOfFile = (kind: string, meaning: string, own: string[]) => ({
  [kind]: `${meaning} Give exactly one of \`url\`, \`mediaId\` and \`data\`.`,
  [`${kind}.url`]:
    'Where the file lies: it is fetched when the message is accepted, under the rules for webhooks. Where that fails, so does ' +
    'the message, with the reason.',
  [`${kind}.mediaId`]: 'A file that is stored: from `POST /v1/media`, or of a message that came.',
  [`${kind}.data`]: 'The file itself in base64, up to 5 MiB. Such a request may have 7 MiB.',
  [`${kind}.mimetype`]: 'The type of `data`; left out, it is seen from the bytes.',
  ...Object.fromEntries(own.map((name) => [`${kind}.${name}`, ownFields[name] ?? ''])),
});

/** What each field of a message to send means. */
export const sendFields = {
  to: 'A phone number with country code (`+`, spaces, dashes and brackets are fine), a group id, or `chat` of an event.',
  type: 'What the message carries.',
  text: 'Of a text: 1 to 4,096 characters, not only blanks, sent exactly as they are.',
  location: 'A place on the map.',
  'location.latitude': 'Degrees, -90 to 90.',
  'location.longitude': 'Degrees, -180 to 180.',
  'location.name': 'What stands above the address, such as the name of a shop. Up to 200 characters.',
  'location.address': 'Up to 200 characters.',
  contacts: 'Cards of up to 20 people.',
  'contacts.name': 'As the recipient sees it. Up to 200 characters.',
  'contacts.phoneNumber': 'With country code; the recipient can write to it with one tap.',
  'contacts.organisation': 'Up to 200 characters.',
  poll: 'A question with 2 to 12 answers.',
  'poll.name': 'The question. Up to 255 characters.',
  'poll.options': 'The answers, each another one. Up to 100 characters each.',
  'poll.selectableCount': 'How many answers one voter may choose: 1 where it is left out, 0 for any number.',
  ...fieldsOfFile('image', 'A picture: JPEG, PNG or WebP, up to 16 MiB.', ['caption', 'viewOnce']),
  ...fieldsOfFile('video', 'A film: MP4, QuickTime or 3GPP, up to 100 MiB.', ['caption', 'viewOnce']),
  ...fieldsOfFile('audio', 'Sound: Ogg, MP3, MP4, AAC, AMR or WAV, up to 16 MiB.', ['voice']),
  ...fieldsOfFile('document', 'Any file, up to 100 MiB.', ['fileName', 'caption']),
  ...fieldsOfFile('sticker', 'A sticker: WebP, up to 512 KiB.', []),
  quotedMessageId: 'The message that it answers: one of yours, or one that came in.',
  mentions: 'Phone numbers of people to mention; `text` names each as `@` and its digits.',
  isForwarded: 'Marks it as forwarded.',
  senderHint:
    'A `numberId` or phone number of the account to send through while it is healthy. Not with a pinned key.',
  clientReference:
    'Up to 128 characters of your own. They stand on the record and on every event of the message, so you know it ' +
    'again also where an event arrives before this answer.',
  sendAt:
    'A time (ISO 8601), at most 30 days ahead: the message does not leave before it. A time that has passed means ' +
    'now. The sender is chosen at once and chosen again then if it cannot send; the time in which a message must leave begins then.',
};

export const messageOperations: Operation[] = [
  {
    id: 'sendMessage',
    method: 'post',
    path: '/v1/messages/send',
    tag: 'Messages',
    summary: 'Send a message',
    description:
      'Accepts a message. `202` is a promise: from then on the message survives the loss of any one process, leaves ' +
      'for the network once, and ends in `sent`, `delivered`, `read`, or in `failed` with a reason. ' +
      'Send an `Idempotency-Key` with it, and a repeat after a lost answer gets the first outcome instead of a second ' +
      'message.\n\n' +
      'Which number speaks: a pinned key always uses its own; any other takes the number that the recipient talks ' +
      'with already, or else the healthy number of the pool that has been idle longest, weighted by what each may still ' +
      'send; or the one that `senderHint` names while it is healthy.\n\n' +
      '`message.queued` and the events after it may reach your webhook before this answer reaches you. Send a ' +
      '`clientReference`, which stands on all of them, and you need not know the `messageId` yet.\n\n' +
      'With `dryRun=true` nothing is sent or counted: `200` says which number would send it and when, or everything ' +
      'that speaks against it.',
    credential: 'apiKey',
    scope: 'messages:send',
    requestHeaders: ['Idempotency-Key'],
    body: sendBodySchema,
    query: sendQuerySchema,
    parameters: { dryRun: '`true`: only say what the send would come to.' },
    fields: sendFields,
    examples: {
      text: {
        summary: 'A text message',
        value: { to: exampleRecipient, text: 'Your order 1042 is on its way.' },
      },
      hint: {
        summary: 'Through a number of your choice',
        value: { to: '+62 812-3456-789', type: 'text', text: 'Hello.', senderHint: exampleNumberId },
      },
      document: {
        summary: 'A document that is stored',
        value: {
          to: exampleRecipient,
          type: 'document',
          document: { mediaId: exampleMediaId, fileName: 'invoice-1042.pdf', caption: 'Your invoice.' },
        },
      },
      video: {
        summary: 'A film that lies somewhere',
        value: { to: exampleRecipient, type: 'video', video: { url: 'https://example.com/tour.mp4' } },
      },
      image: {
        summary: 'A picture in the request',
        value: {
          to: exampleRecipient,
          type: 'image',
          image: { data: examplePicture, caption: 'On its way.' },
        },
      },
      location: {
        summary: 'A location',
        value: {
          to: exampleRecipient,
          type: 'location',
          location: { latitude: -6.1754, longitude: 106.8272, name: 'National Monument' },
        },
      },
      contacts: {
        summary: 'A contact',
        value: {
          to: exampleRecipient,
          type: 'contacts',
          contacts: [{ name: 'Dewi Lestari', phoneNumber: '628987654321', organisation: 'Support' }],
        },
      },
      poll: {
        summary: 'A poll',
        value: {
          to: exampleRecipient,
          type: 'poll',
          poll: { name: 'When shall we deliver?', options: ['In the morning', 'In the evening'] },
        },
      },
      reference: {
        summary: 'With a reference of your own',
        value: {
          to: exampleRecipient,
          text: 'Your order 1042 is on its way.',
          clientReference: 'order-1042',
        },
      },
    },
    answers: [
      {
        status: 200,
        description: 'With `dryRun=true`: what the send would come to, also when it would be refused.',
        schema: dryRunSchema,
        example: {
          dryRun: true,
          accepted: true,
          to: exampleRecipient,
          chatType: 'personal',
          messageType: 'text',
          sender: record.sender,
          expectedAt: '2026-01-31T09:30:01.600Z',
          heldReason: 'pacing',
          onNetwork: null,
          reasons: [],
          senders: [{ numberId: exampleNumberId, inPool: true, fitness: 'ready', reason: null }],
        },
      },
      {
        status: 202,
        description: 'Accepted.',
        schema: acceptedMessageSchema,
        headers: ['Idempotent-Replayed'],
        example: accepted,
      },
    ],
    errors: [
      'QUOTA_EXCEEDED',
      'SENDER_HINT_NOT_ALLOWED',
      'IDEMPOTENCY_CONFLICT',
      'RECIPIENT_INVALID',
      'RECIPIENT_IS_LID',
      'RECIPIENT_NOT_ON_NETWORK',
      'RECIPIENT_FILTERED',
      'SENDER_UNAVAILABLE',
      'NO_HEALTHY_SENDER',
    ],
  },
  {
    id: 'sendMessages',
    method: 'post',
    path: '/v1/messages/send-batch',
    tag: 'Messages',
    summary: 'Send many messages',
    description:
      '1 to 100 messages in one request, each accepted or refused by itself, in order: one that is refused stops no ' +
      'other. `202` says of each what `POST /v1/messages/send` would say of it alone; for those that are accepted it ' +
      'is the same promise.\n\n' +
      'An `Idempotency-Key` covers the whole request: a repeat under it gets the whole first answer. Each message may ' +
      'have an `idempotencyKey` of its own besides, from the same keys as those of single sends: then it is accepted ' +
      'once, in whichever request it comes.\n\n' +
      'A batch counts as so many requests as it has messages. One that is larger than the burst of the limit is taken ' +
      'when the limit is untouched, and what comes next waits until the whole batch is made up for.',
    credential: 'apiKey',
    scope: 'messages:send',
    requestHeaders: ['Idempotency-Key'],
    body: batchBodySchema,
    fields: {
      messages: '1 to 100 messages, in the order in which they are accepted.',
      ...Object.fromEntries(
        Object.entries(sendFields).map(([field, meaning]) => [`messages.${field}`, meaning]),
      ),
      'messages.idempotencyKey': 'As the header `Idempotency-Key` of a single send, for this message alone.',
    },
    examples: {
      two: {
        summary: 'Two messages',
        value: {
          messages: [
            {
              to: exampleRecipient,
              text: 'Your order 1042 is on its way.',
              idempotencyKey: 'order-1042-shipped',
            },
            { to: '+62', text: 'Hello.' },
          ],
        },
      },
    },
    answers: [
      {
        status: 202,
        description: 'What became of each message.',
        schema: acceptedBatchSchema,
        headers: ['Idempotent-Replayed'],
        example: {
          accepted: 1,
          refused: 1,
          data: [
            { index: 0, ...accepted },
            {
              index: 1,
              error: {
                code: 'RECIPIENT_INVALID',
                message: 'Not a phone number with country code, and not a group id.',
                details: [
                  { path: 'to', message: 'Not a phone number with country code, and not a group id.' },
                ],
              },
            },
          ],
        },
      },
    ],
    errors: ['IDEMPOTENCY_CONFLICT'],
  },
  {
    id: 'getMessage',
    method: 'get',
    path: '/v1/messages/:messageId',
    tag: 'Messages',
    summary: 'Get a message',
    description:
      'One message and how far it has come. It is there from the moment of the `202` on; while it waits, `heldReason` ' +
      'and `expectedAt` say what for and until when. Agents read those of the numbers that they see.',
    credential: 'member',
    scope: 'messages:read',
    answers: [
      {
        status: 200,
        description: 'The message.',
        schema: messageSchema,
        example: { ...record, heldReason: null, expectedAt: null },
      },
    ],
  },
  {
    id: 'getMessageTimeline',
    method: 'get',
    path: '/v1/messages/:messageId/timeline',
    tag: 'Messages',
    summary: 'Follow a message step by step',
    description:
      'The steps of a message with the time between them, what it waits for, which number sends it and how that was ' +
      'chosen, its events as webhooks get them, and every attempt to deliver each of these events.',
    credential: 'reader',
    scope: 'messages:read',
    answers: [
      {
        status: 200,
        description: 'The timeline.',
        schema: messageTimelineSchema,
        example: {
          messageId: exampleMessageId,
          direction: 'outbound',
          status: 'sent',
          sender: record.sender,
          steps: [
            { step: 'queued', at: '2026-01-31T09:30:00.123Z', afterMs: 0 },
            { step: 'sent', at: '2026-01-31T09:30:00.480Z', afterMs: 357 },
          ],
          waiting: null,
          events: [
            {
              cursor: exampleCursor,
              id: exampleEventId,
              event: 'message.sent',
              timestamp: '2026-01-31T09:30:00.502Z',
              data: eventExamples['message.sent'],
            },
          ],
          deliveries: [
            {
              webhookId: exampleWebhookId,
              deliveryId: exampleDeliveryId,
              eventId: exampleEventId,
              event: 'message.sent',
              status: 'delivered',
              attempts: [
                {
                  at: '2026-01-31T09:30:00.540Z',
                  statusCode: 200,
                  durationMs: 31,
                  error: null,
                  responseSnippet: 'ok',
                },
              ],
              nextAttemptAt: null,
            },
          ],
        },
      },
    ],
  },
  {
    id: 'listMessages',
    method: 'get',
    path: '/v1/messages',
    tag: 'Messages',
    summary: 'List messages',
    description:
      'Messages sent and received, newest first. What arrives while you page neither shifts nor repeats anything. A ' +
      'page may be short although more follow: the list ends where `nextCursor` is null.',
    credential: 'reader',
    scope: 'messages:read',
    parameters: {
      status: 'Only messages in this status.',
      direction: 'Only messages sent (`outbound`), or received (`inbound`).',
      numberId: 'Only messages through this number.',
      to: 'Only messages to this phone number or group; it may be one of your own numbers.',
      from: 'Only messages from this phone number or group; it may be one of your own numbers.',
      type: 'Only messages that carry this.',
      since: 'Only messages queued or received at this time or later.',
      until: 'Only messages queued or received before this time.',
      q: 'Only messages whose text has all these words, in any order; capitals and accents do not matter.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of messages.',
        schema: messageListSchema,
        example: { data: [record], nextCursor: null },
      },
    ],
  },
];
