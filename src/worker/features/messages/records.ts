import { z } from 'zod';
import { messageIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { messageTypeSchema, pollSchema } from '../../../contract/messages/content.ts';
import {
  chatTypeSchema,
  messageErrorCodeSchema,
  messageErrors,
  messageOriginSchema,
  senderSourceSchema,
} from '../../../contract/messages/message.ts';
import { messageStatuses } from '../../../contract/messages/message-status.ts';
import { shownContentFields } from '../../../contract/messages/shown-content.ts';
import { personSchema } from '../../../contract/numbers/group.ts';
import { type HeldReason, heldReasons } from '../../../contract/numbers/sender-settings.ts';
import {
  errorCodeSchema,
  errorDetailsSchema,
  errorSchema,
  listOf,
  meaningsOf,
  optionalTimestamp,
  record,
} from '../../openapi/schemas.ts';
import { streamEventSchema } from '../events/records.ts';
import { deliverySchema } from '../webhooks/records.ts';

const actionSchema = z.enum(['edit', 'delete', 'reaction', 'read']);

export const acceptedActionSchema = record('AcceptedAction', 'An accepted action on a message.', {
  messageId: messageIdSchema.describe('The message it applies to.'),
  numberId: uuidSchema.describe('The number that does it.'),
  action: actionSchema,
  acceptedAt: timestampSchema,
});

const failedActionSchema = z
  .object({
    action: actionSchema,
    acceptedAt: timestampSchema,
    failedAt: timestampSchema,
    errorMessage: z.string().describe('The reason, in plain words.'),
    errorCode: messageErrorCodeSchema
      .nullable()
      .describe('The reason, for programs: a code as of failed messages.'),
  })
  .describe('An action on a message that failed.');

const shownRecipientFields = {
  to: z
    .string()
    .optional()
    .describe('Digits of the phone number, or the group ID. Omitted if no phone number is known.'),
  contactId: uuidSchema.optional().describe('The recipient, if no phone number is known. It replaces `to`.'),
};

export const acceptedMessageSchema = record(
  'AcceptedMessage',
  'An accepted message: from now on the gateway delivers it, or reports why not.',
  {
    messageId: messageIdSchema,
    status: z.literal('queued'),
    numberId: uuidSchema.describe('The number that sends it.'),
    ...shownRecipientFields,
    chatType: chatTypeSchema,
    messageType: messageTypeSchema,
    queuedAt: timestampSchema,
  },
);

export const acceptedBatchSchema = record('AcceptedBatch', 'The result of a batch.', {
  accepted: z.int().describe('Accepted messages.'),
  refused: z.int().describe('Rejected messages, each for its own reason.'),
  data: z
    .array(
      z.union([
        acceptedMessageSchema.extend({ index: z.int().describe('Its position in the request, from 0.') }),
        z.object({
          index: z.int().describe('Its position in the request, from 0.'),
          error: errorSchema.shape.error
            .omit({ requestId: true })
            .describe('The error that the message alone would get.'),
        }),
      ]),
    )
    .describe('One entry per message, in the order of the request.'),
});

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
  .describe(`What it waits for. ${meaningsOf(heldReasons)}`);

export const dryRunSchema = record('DryRun', 'What a send would do. Nothing was sent or counted.', {
  dryRun: z.literal(true),
  accepted: z.boolean().describe('Whether the send would be accepted now.'),
  to: z
    .string()
    .optional()
    .describe('Digits of the phone number, or the group ID; if it is neither, what was sent.'),
  contactId: shownRecipientFields.contactId,
  chatType: chatTypeSchema,
  messageType: messageTypeSchema,
  sender: senderSchema.nullable().describe('The number that would send it; null if none would.'),
  expectedAt: optionalTimestamp.describe('When it would leave; null if unknown.'),
  heldReason: heldReasonSchema,
  onNetwork: z
    .boolean()
    .nullable()
    .describe('Whether the recipient is on the network; null if that was not checked.'),
  reasons: z
    .array(z.object({ code: errorCodeSchema, message: z.string(), details: errorDetailsSchema.optional() }))
    .describe('Every reason to refuse it, as the errors that a send would get.'),
  senders: z
    .array(
      z.object({
        numberId: uuidSchema,
        inPool: z.boolean(),
        fitness: z
          .enum(['ready', 'waiting', 'unfit'])
          .describe('`ready`: can send it now. `waiting`: later. `unfit`: not at all.'),
        reason: z.string().nullable().describe('What prevents it, in plain words.'),
      }),
    )
    .describe('Every number of the account, evaluated for this recipient.'),
});

export const messageSchema = record(
  'Message',
  'A message and its progress. Fields that do not apply, or are not known yet, are null.',
  {
    messageId: messageIdSchema,
    direction: z.enum(['outbound', 'inbound']),
    status: z
      .enum([...messageStatuses, 'received'])
      .describe('It only moves forward: queued, sent, delivered, read; `failed` is final.'),
    numberId: uuidSchema,
    to: z
      .string()
      .optional()
      .describe('Outbound: the recipient. Inbound: your number. Omitted if no phone number is known.'),
    contactId: shownRecipientFields.contactId,
    from: z.string().optional().describe('Inbound only: its author.'),
    groupId: z.string().nullable().optional().describe('Inbound only: the group it was sent to.'),
    chatType: chatTypeSchema,
    ...shownContentFields,
    poll: pollSchema
      .extend({
        votes: z
          .array(z.object({ option: z.string(), count: z.int() }))
          .describe('How many voters chose each option, as far as the number knows.'),
      })
      .optional(),
    reactions: z
      .array(
        z.object({
          from: z.string().describe('Who reacted: digits of the phone number, or of the alias.'),
          emoji: z.string(),
          reactedAt: timestampSchema,
        }),
      )
      .optional()
      .describe('The current reactions.'),
    editedAt: timestampSchema.optional().describe('When `text` was last edited.'),
    deletedAt: timestampSchema.optional().describe('When it was deleted for everyone.'),
    failedActions: z
      .array(failedActionSchema)
      .optional()
      .describe(
        'Actions on it that failed after their 202: the last ten, oldest first. No event reports them.',
      ),
    providerMessageId: z
      .string()
      .nullable()
      .describe("The network's own ID, fixed before the message leaves."),
    sender: senderSchema.nullable().describe('Outbound only.'),
    errorMessage: z.string().nullable().describe('Why it failed, in plain words.'),
    errorCode: messageErrorCodeSchema
      .nullable()
      .describe(
        `Why it failed, for programs: ${meaningsOf(messageErrors)} \`network_<code>\`: the network refused it, with its own code.`,
      ),
    clientReference: z.string().nullable().describe('Your reference from the send. Outbound only.'),
    sendAt: optionalTimestamp.describe('The earliest time it was to leave. Outbound only.'),
    origin: messageOriginSchema
      .nullable()
      .optional()
      .describe(
        'Its author, if that is neither an API key nor the owner on the phone. Only shown to people who are signed in.',
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
        'For messages to a group, and not in the list: who received it and who read it. `status` and the times of the ' +
          'message are those of the first member.',
      ),
    heldReason: heldReasonSchema.optional(),
    expectedAt: optionalTimestamp
      .optional()
      .describe('When it is expected to leave. Outbound only, and not in the list.'),
    hint: z
      .string()
      .optional()
      .describe(
        'In plain words: what may be wrong with a message that is still `sent` a day after the network took it. Nobody ' +
          'has received it: the recipient may not be registered on the network.',
      ),
    receivedAt: optionalTimestamp.optional().describe('Inbound only.'),
  },
);

export const messageListSchema = listOf(messageSchema, 'MessageList');

export const messageTimelineSchema = record(
  'MessageTimeline',
  'A message step by step, down to each attempt to deliver its events.',
  {
    messageId: messageIdSchema,
    direction: messageSchema.shape.direction,
    status: messageSchema.shape.status,
    sender: senderSchema.nullable().describe('Outbound only.'),
    steps: z
      .array(
        z.object({
          step: messageSchema.shape.status,
          at: timestampSchema,
          afterMs: z.int().describe('Milliseconds since the previous step; 0 for the first.'),
        }),
      )
      .describe('Its steps, oldest first.'),
    waiting: z
      .object({
        heldReason: heldReasonSchema,
        expectedAt: optionalTimestamp.describe('When it is expected to leave, if known.'),
      })
      .nullable()
      .describe('For a waiting message: what for and until when; otherwise null.'),
    events: z
      .array(streamEventSchema)
      .describe(
        'The events of the message, oldest first. Archived events and those created long after their step are left out.',
      ),
    deliveries: z
      .array(z.object({ webhookId: uuidSchema, ...deliverySchema.shape }))
      .describe('The deliveries of these events to each webhook that wants them.'),
  },
);
