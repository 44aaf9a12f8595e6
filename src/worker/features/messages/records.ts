import { z } from 'zod';
import { personSchema } from '../../../contract/group.ts';
import { messageIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { messageTypeSchema, pollSchema } from '../../../contract/messages/content.ts';
import {
  chatTypeSchema,
  messageErrorCodeSchema,
  messageErrors,
  senderSourceSchema,
} from '../../../contract/messages/message.ts';
import { messageOriginSchema } from '../../../contract/messages/message-origin.ts';
import { messageStatuses } from '../../../contract/messages/message-status.ts';
import { shownContentFields } from '../../../contract/messages/shown-content.ts';
import { type HeldReason, heldReasons } from '../../../contract/sender-settings.ts';
import {
  answerSchemas,
  errorCodeSchema,
  errorDetailsSchema,
  optionalTimestamp,
  pageOf,
} from '../../openapi/schemas.ts';
import { streamEventSchema } from '../events/records.ts';
import { deliverySchema } from '../webhooks/records.ts';

const actionSchema = z.enum(['edit', 'delete', 'reaction', 'read']);

export const acceptedActionSchema = z
  .object({
    messageId: messageIdSchema.describe('The message that it is done to.'),
    numberId: uuidSchema.describe('The number that does it.'),
    action: actionSchema,
    acceptedAt: timestampSchema,
  })
  .describe('Something to be done to a message, accepted.')
  .register(answerSchemas, { id: 'AcceptedAction' });

const failedActionSchema = z
  .object({
    action: actionSchema,
    acceptedAt: timestampSchema,
    failedAt: timestampSchema,
    errorMessage: z.string().describe('Why, for a person.'),
    errorCode: messageErrorCodeSchema.nullable().describe('Why, for a program: as of messages that failed.'),
  })
  .describe('Something to be done to a message that came to nothing.');

const shownRecipientFields = {
  to: z
    .string()
    .optional()
    .describe('Digits of the phone number, or the group id. Left out where no phone number is known.'),
  contactId: uuidSchema
    .optional()
    .describe('Whom it is for, where no phone number of theirs is known. It stands instead of `to`.'),
};

export const acceptedMessageSchema = z
  .object({
    messageId: messageIdSchema,
    status: z.literal('queued'),
    numberId: uuidSchema.describe('The number that sends it.'),
    ...shownRecipientFields,
    chatType: chatTypeSchema,
    messageType: messageTypeSchema,
    queuedAt: timestampSchema,
  })
  .describe('A message that was accepted: from here on it is ours to deliver, or to say why not.')
  .register(answerSchemas, { id: 'AcceptedMessage' });

export const acceptedBatchSchema = z
  .object({
    accepted: z.int().describe('Messages that were accepted.'),
    refused: z.int().describe('Messages that were refused, each for its own reason.'),
    data: z
      .array(
        z.union([
          acceptedMessageSchema.extend({ index: z.int().describe('Its place in the request, from 0.') }),
          z.object({
            index: z.int().describe('Its place in the request, from 0.'),
            error: z
              .object({
                code: errorCodeSchema,
                message: z.string().describe('For a person. It may change: do not compare it.'),
                details: errorDetailsSchema.optional(),
              })
              .describe('The error that it would be refused with alone.'),
          }),
        ]),
      )
      .describe('One entry a message, in the order of the request.'),
  })
  .describe('What became of the messages of a batch.')
  .register(answerSchemas, { id: 'AcceptedBatch' });

const senderSchema = z
  .object({
    numberId: uuidSchema,
    phoneNumber: z.string().nullable(),
    source: senderSourceSchema
      .nullable()
      .describe('How the number was chosen: by the pin, from the pool, by the hint, or as a fallback.'),
  })
  .describe('The number it was sent through.');

const heldReasonSchema = z
  .enum(Object.keys(heldReasons) as [HeldReason, ...HeldReason[]])
  .nullable()
  .describe(
    `What it waits for. ${Object.entries(heldReasons)
      .map(([reason, sentence]) => `\`${reason}\`: ${sentence}`)
      .join(' ')}`,
  );

export const dryRunSchema = z
  .object({
    dryRun: z.literal(true),
    accepted: z.boolean().describe('Whether the send would be accepted now.'),
    to: z
      .string()
      .optional()
      .describe('Digits of the phone number, or the group id; what was sent, where it is neither.'),
    contactId: shownRecipientFields.contactId,
    chatType: chatTypeSchema,
    messageType: messageTypeSchema,
    sender: senderSchema.nullable().describe('The number that would send it; null when none would.'),
    expectedAt: optionalTimestamp.describe('When it would leave; null when nobody knows.'),
    heldReason: heldReasonSchema,
    onNetwork: z
      .boolean()
      .nullable()
      .describe('Whether the recipient is on the network; null when that was not asked.'),
    reasons: z
      .array(z.object({ code: errorCodeSchema, message: z.string(), details: errorDetailsSchema.optional() }))
      .describe('Everything that would refuse it, as the errors that it would be refused with.'),
    senders: z
      .array(
        z.object({
          numberId: uuidSchema,
          inPool: z.boolean(),
          fitness: z
            .enum(['ready', 'waiting', 'unfit'])
            .describe('`ready` can send it now, `waiting` later, `unfit` not at all.'),
          reason: z.string().nullable().describe('What speaks against it, for a person.'),
        }),
      )
      .describe('Every number of the account, judged for this recipient.'),
  })
  .describe('What a send would come to. Nothing was sent, and nothing was counted.')
  .register(answerSchemas, { id: 'DryRun' });

export const messageSchema = z
  .object({
    messageId: messageIdSchema,
    direction: z.enum(['outbound', 'inbound']),
    status: z
      .enum([...messageStatuses, 'received'])
      .describe('It only moves forward: queued, sent, delivered, read; `failed` is final.'),
    numberId: uuidSchema,
    to: z
      .string()
      .optional()
      .describe('Outbound: the recipient. Inbound: your number. Left out where no phone number is known.'),
    contactId: shownRecipientFields.contactId,
    from: z.string().optional().describe('Inbound only: who wrote it.'),
    groupId: z.string().nullable().optional().describe('Inbound only: the group it was written to.'),
    chatType: chatTypeSchema,
    ...shownContentFields,
    poll: pollSchema
      .extend({
        votes: z
          .array(z.object({ option: z.string(), count: z.int() }))
          .describe('How many have chosen each option, as far as the number knows.'),
      })
      .optional(),
    reactions: z
      .array(
        z.object({
          from: z.string().describe('Who has reacted: digits of the phone number, or of the alias.'),
          emoji: z.string(),
          reactedAt: timestampSchema,
        }),
      )
      .optional()
      .describe('Those that stand now.'),
    editedAt: timestampSchema.optional().describe('When `text` was last changed.'),
    deletedAt: timestampSchema.optional().describe('When it was taken back for everyone.'),
    failedActions: z
      .array(failedActionSchema)
      .optional()
      .describe(
        'What you wanted done to it and what came to nothing after its 202, the last ten, oldest first. No event tells of these.',
      ),
    providerMessageId: z.string().nullable().describe("The network's own id, fixed before it leaves."),
    sender: senderSchema.nullable().describe('Outbound only.'),
    errorMessage: z.string().nullable().describe('Why it failed, for a person.'),
    errorCode: messageErrorCodeSchema.nullable().describe(
      `Why it failed, for a program: ${Object.entries(messageErrors)
        .map(([code, sentence]) => `\`${code}\`: ${sentence}`)
        .join(' ')} \`network_<code>\`: the network refused it, with its own code.`,
    ),
    clientReference: z.string().nullable().describe('What you called it when you sent it. Outbound only.'),
    sendAt: optionalTimestamp.describe('Not before that time was it to leave. Outbound only.'),
    origin: messageOriginSchema
      .nullable()
      .optional()
      .describe(
        'Who made it, when it was neither an API key nor the owner on the phone. Only people who are signed in are told.',
      ),
    queuedAt: optionalTimestamp,
    sentAt: optionalTimestamp.describe('The network took it.'),
    deliveredAt: optionalTimestamp.describe("It reached the recipient's phone."),
    readAt: optionalTimestamp,
    failedAt: optionalTimestamp,
    receipts: z
      .array(personSchema.extend({ deliveredAt: optionalTimestamp, readAt: optionalTimestamp }))
      .optional()
      .describe(
        'Of a message to a group, and not in the list: who has it, and who has read it. `status` and the times of the message are those of the member who was first.',
      ),
    heldReason: heldReasonSchema.optional(),
    expectedAt: optionalTimestamp
      .optional()
      .describe('When it is expected to leave. Outbound only, and not in the list.'),
    hint: z
      .string()
      .optional()
      .describe(
        'For a person: what may be wrong with a message that is still `sent` a day after the network took it. Nobody has ' +
          'received it: the recipient may not be registered on the network.',
      ),
    receivedAt: optionalTimestamp.optional().describe('Inbound only.'),
  })
  .describe('A message and how far it has come. What does not apply, or is not known yet, is null.')
  .register(answerSchemas, { id: 'Message' });

export const messageListSchema = pageOf(messageSchema).register(answerSchemas, { id: 'MessageList' });

export const messageTimelineSchema = z
  .object({
    messageId: messageIdSchema,
    direction: messageSchema.shape.direction,
    status: messageSchema.shape.status,
    sender: senderSchema.nullable().describe('Outbound only.'),
    steps: z
      .array(
        z.object({
          step: messageSchema.shape.status,
          at: timestampSchema,
          afterMs: z.int().describe('Milliseconds since the step before; 0 for the first one.'),
        }),
      )
      .describe('What it has gone through, oldest first.'),
    waiting: z
      .object({
        heldReason: heldReasonSchema,
        expectedAt: optionalTimestamp.describe('When it is expected to leave, where that is known.'),
      })
      .nullable()
      .describe('Of a message that waits, what for and until when; null of every other.'),
    events: z
      .array(streamEventSchema)
      .describe(
        'The events of the message, oldest first. Those that are archived, or were told long after their step, are left out.',
      ),
    deliveries: z
      .array(z.object({ webhookId: uuidSchema, ...deliverySchema.shape }))
      .describe('What became of these events at each webhook that wants them, event by event.'),
  })
  .describe('How a message fared, step by step, down to each attempt to tell a webhook of it.')
  .register(answerSchemas, { id: 'MessageTimeline' });
