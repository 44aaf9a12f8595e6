import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter } from '../../../openapi/operation.ts';
import { exampleMessage } from '../example-message.ts';
import { acceptedBatchSchema, acceptedMessageSchema, dryRunSchema } from '../records.ts';
import { batchBodySchema } from './send-batch-request.ts';
import { kindExamples, sendFields } from './send-fields.ts';
import { sendBodySchema, sendQuerySchema } from './send-request.ts';

const accepted = {
  messageId: example.messageId,
  status: 'queued',
  numberId: example.numberId,
  to: example.recipient,
  chatType: 'personal',
  messageType: 'text',
  queuedAt: '2026-01-31T09:30:00.123Z',
};

/** The answer to a message that was accepted. */
export const acceptedAnswer = answer(202, 'Accepted.', acceptedMessageSchema, accepted, [
  'Idempotent-Replayed',
]);

/** What accepts messages. */
export const sendingOperations = chapter('Messages', [
  {
    id: 'sendMessage',
    route: 'POST /v1/messages/send',
    summary: 'Send a message',
    description:
      'Accepts a message. `202` is a promise: from then on the message survives the loss of any one process, leaves ' +
      'for the network once, and ends in `sent`, `delivered`, `read`, or in `failed` with a reason. Send an ' +
      '`Idempotency-Key`: then a repeat after a lost response gets the first result instead of sending a second ' +
      'message.\n\nWhich number sends it: a pinned key always uses its own number. Other keys use the number that the ' +
      'recipient already talks with, or else the healthy number of the pool that has been idle longest, weighted by ' +
      'how much each may still send; or the number that `senderHint` names, while it is healthy.\n\n`message.queued` and ' +
      'later events may reach your webhook before this response reaches you. Send a `clientReference`, which all of ' +
      'them carry, and you do not need to know the `messageId` yet.\n\nWith `dryRun=true` nothing is sent or counted: ' +
      'the response is `200` and says which number would send it and when, or every reason not to.',
    requestHeaders: ['Idempotency-Key', 'traceparent'],
    body: sendBodySchema,
    query: sendQuerySchema,
    parameters: { dryRun: '`true`: only say what the send would do.' },
    fields: sendFields,
    examples: {
      text: {
        summary: 'A text message',
        value: { to: example.recipient, text: 'Your order 1042 is on its way.' },
      },
      hint: {
        summary: 'Through a number of your choice',
        value: { to: '+62 812-3456-789', type: 'text', text: 'Hello.', senderHint: example.numberId },
      },
      ...kindExamples,
      reference: {
        summary: 'With a reference of your own',
        value: {
          to: example.recipient,
          text: 'Your order 1042 is on its way.',
          clientReference: 'order-1042',
        },
      },
    },
    answers: [
      answer(
        200,
        'With `dryRun=true`: what the send would come to, also when it would be refused.',
        dryRunSchema,
        {
          dryRun: true,
          accepted: true,
          to: example.recipient,
          chatType: 'personal',
          messageType: 'text',
          sender: exampleMessage.sender,
          expectedAt: '2026-01-31T09:30:01.600Z',
          heldReason: 'pacing',
          onNetwork: null,
          reasons: [],
          senders: [{ numberId: example.numberId, inPool: true, fitness: 'ready', reason: null }],
        },
      ),
      acceptedAnswer,
    ],
    errors: [
      'QUOTA_EXCEEDED',
      'SENDER_HINT_NOT_ALLOWED',
      'NOT_FOUND',
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
    route: 'POST /v1/messages/send-batch',
    summary: 'Send many messages',
    description:
      '1 to 100 messages in one request, each accepted or rejected by itself, in order: a rejected message stops no ' +
      'other. `202` reports for each message what `POST /v1/messages/send` would return for it alone; accepted ' +
      'messages carry the same promise.\n\nAn `Idempotency-Key` covers the whole request: a repeat with it gets the ' +
      'whole first response. Each message may also have its own `idempotencyKey`, from the same set of keys as single ' +
      'sends: then it is accepted once, in whichever request it comes.\n\nA batch counts as as many requests as it has ' +
      'messages. A batch larger than the burst limit is accepted if the limit is unused, and later requests wait until ' +
      'the whole batch is made up for.',
    requestHeaders: ['Idempotency-Key', 'traceparent'],
    body: batchBodySchema,
    fields: {
      messages: '1 to 100 messages, in the order in which they are accepted.',
      ...Object.fromEntries(
        Object.entries(sendFields).map(([field, meaning]) => [`messages.${field}`, meaning]),
      ),
      'messages.idempotencyKey': 'Like the header `Idempotency-Key` of a single send, for this message only.',
    },
    examples: {
      two: {
        summary: 'Two messages',
        value: {
          messages: [
            {
              to: example.recipient,
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
        description: 'The result for each message.',
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
                message: 'Neither a phone number with country code nor a group ID.',
                details: [
                  { path: 'to', message: 'Neither a phone number with country code nor a group ID.' },
                ],
              },
            },
          ],
        },
      },
    ],
    errors: ['IDEMPOTENCY_CONFLICT'],
  },
]);
