import { z } from 'zod';
import { typingStates } from '../../../contract/bridge/network-queries.ts';
import {
  botStateSchema,
  conversationStatusSchema,
  prioritySchema,
  slaStateSchema,
} from '../../../contract/conversations/conversation.ts';
import {
  groupIdSchema,
  messageIdSchema,
  phoneNumberSchema,
  timestampSchema,
  uuidSchema,
} from '../../../contract/ids.ts';
import { messageTypeSchema } from '../../../contract/messages/content.ts';
import { messageOriginSchema } from '../../../contract/messages/message.ts';
import { messageStatuses } from '../../../contract/messages/message-status.ts';
import { answerSchemas, listOf, optionalTimestamp, pageOf, record } from '../../openapi/schemas.ts';
import { contactSchema } from '../contacts/records.ts';
import { messageSchema } from '../messages/records.ts';

const { name, pushName, labels, attributes, lid } = contactSchema.shape;
const origin = messageOriginSchema
  .nullable()
  .describe('Null: sent by an API key, or by the owner on the phone.');

export const conversationSchema = record(
  'Conversation',
  'The exchange between a number and a contact or group, as a unit of work.',
  {
    conversationId: uuidSchema,
    numberId: uuidSchema,
    contact: z
      .object({
        contactId: uuidSchema.nullable().describe('Null where the contact was deleted.'),
        phoneNumber: phoneNumberSchema.nullable(),
        lid,
        name,
        pushName,
        labels,
        attributes,
      })
      .nullable()
      .describe('The contact; null for a group.'),
    group: z
      .object({ groupId: groupIdSchema, subject: z.string().nullable() })
      .nullable()
      .describe('The group; null for a contact.'),
    status: conversationStatusSchema.describe(
      '`pending` waits for something other than your team; `snoozed` until `snoozedUntil` or until the contact writes; ' +
        '`resolved` opens again when the contact writes.',
    ),
    snoozedUntil: optionalTimestamp,
    priority: prioritySchema,
    assigneeId: uuidSchema.nullable(),
    teamId: uuidSchema.nullable(),
    labels: z.array(z.string()),
    unreadCount: z.int(),
    lastMessage: z
      .object({
        messageId: messageIdSchema,
        direction: z.enum(['inbound', 'outbound']),
        status: z.enum([...messageStatuses, 'received']),
        messageType: messageTypeSchema,
        text: z.string().describe('The beginning of its text.'),
        at: timestampSchema,
        origin,
      })
      .nullable(),
    waitingSince: optionalTimestamp.describe(
      'Since when someone has been waiting for a reply from a person.',
    ),
    answers: z
      .object({ messageId: messageIdSchema, origin, at: timestampSchema })
      .nullable()
      .describe(
        'What the contact last replied to since the conversation was opened, if that was sent by an API key or a ' +
          'campaign.',
      ),
    campaign: z
      .object({ campaignId: uuidSchema, name: z.string().nullable() })
      .nullable()
      .describe('The campaign that was replied to, if `answers` refers to one.'),
    firstResponseDueAt: optionalTimestamp,
    nextResponseDueAt: optionalTimestamp,
    resolutionDueAt: optionalTimestamp,
    sla: slaStateSchema,
    botState: botStateSchema.describe('Whether an assistant answers. A reply by a person pauses it.'),
    createdAt: timestampSchema,
    openedAt: timestampSchema,
    resolvedAt: optionalTimestamp,
    lastInboundAt: optionalTimestamp,
    position: z.int().describe('The list is sorted by it with `sort=newest`, highest first.'),
  },
);

export const conversationListSchema = listOf(conversationSchema, 'ConversationList');

export const conversationCountsSchema = record(
  'ConversationCounts',
  'How many conversations there are, each counted up to 1,000.',
  {
    open: z.int(),
    pending: z.int(),
    snoozed: z.int(),
    mine: z.int().describe('Open, and assigned to the caller.'),
    unassigned: z.int().describe('Open and unassigned.'),
    waiting: z.int().describe('Waiting for a reply.'),
    mentioned: z.int().describe('Mentions you in a note that you have not read.'),
  },
);

export const conversationPeopleSchema = record(
  'ConversationPeople',
  'The people of the account, and the numbers whose conversations you see.',
  {
    people: z.array(
      z.object({ userId: uuidSchema, name: z.string(), role: z.enum(['owner', 'admin', 'agent']) }),
    ),
    numbers: z.array(
      z.object({ numberId: uuidSchema, label: z.string(), phoneNumber: phoneNumberSchema.nullable() }),
    ),
  },
);

export const foundMessagesSchema = pageOf(
  z.object({ conversationId: uuidSchema.nullable(), message: messageSchema }),
).register(answerSchemas, { id: 'FoundMessageList' });

export const noteSchema = record('ConversationNote', 'A private note. It is never sent.', {
  noteId: uuidSchema,
  text: z.string(),
  author: z
    .object({
      userId: uuidSchema,
      name: z.string().nullable().describe('Null: they have left the account.'),
    })
    .nullable()
    .describe('Null: not written by a person.'),
  automationId: uuidSchema.optional(),
  assistantId: uuidSchema.optional(),
  mentions: z.array(uuidSchema).describe('The people it mentions.'),
  createdAt: timestampSchema,
});

const cursor = z.string().describe('Its position: `after` starts behind it.');

const messageItemSchema = z.object({ kind: z.literal('message'), cursor, message: messageSchema });
const noteItemSchema = z.object({ kind: z.literal('note'), cursor, note: noteSchema });

export const chatSchema = pageOf(z.union([messageItemSchema, noteItemSchema])).register(answerSchemas, {
  id: 'ConversationChat',
});

/** What an event of the stream of conversations has changed, as other answers show it; what is left out is as it was. */
export const shownWithEventSchema = z.object({
  item: messageItemSchema.optional(),
  conversation: conversationSchema.optional(),
  /** Now and then. */
  counts: conversationCountsSchema.optional(),
  isOptOutWord: z.literal(true).optional(),
});

export const scheduledSchema = z
  .object({ data: z.array(messageSchema).describe('The next one first.') })
  .register(answerSchemas, { id: 'ScheduledMessages' });

export const activityListSchema = pageOf(
  z.object({
    activityId: z.string(),
    at: timestampSchema,
    actor: z.object({
      kind: z.enum(['person', 'automation', 'assistant', 'system']),
      id: uuidSchema.optional(),
      name: z.string().nullable().optional(),
    }),
    action: z.enum(['status', 'assignee', 'team', 'labels', 'priority', 'bot', 'merged']),
    from: z.union([z.string(), z.array(z.string())]).nullable(),
    to: z.union([z.string(), z.array(z.string())]).nullable(),
  }),
).register(answerSchemas, { id: 'ConversationActivityList' });

export const presenceSchema = record(
  'PresenceFrame',
  'Who is where. Conversations in it are complete; the others have not changed.',
  {
    conversations: z.array(
      z.object({
        conversationId: uuidSchema,
        people: z
          .array(
            z.object({
              userId: uuidSchema,
              name: z.string(),
              state: z.enum(['viewing', 'typing']),
              until: timestampSchema.describe('It is valid until then.'),
            }),
          )
          .describe('Null: nobody is there.'),
        lockedBy: uuidSchema.nullable().describe('Who is typing in it, the first one first.'),
        hasNote: z.literal(true).optional().describe('A note was just added.'),
        item: noteItemSchema.optional().describe('That note.'),
      }),
    ),
    online: z.array(uuidSchema).describe('Who is following conversations now.'),
    typing: z
      .array(
        z.object({
          conversationId: uuidSchema,
          state: z.enum(typingStates).describe('`paused`: they have stopped.'),
          until: timestampSchema.describe('It is valid until then.'),
        }),
      )
      .optional()
      .describe(
        'What the other party of these conversations is doing now. The network reports it for chats that someone in the ' +
          'account has open, if the other party allows it.',
      ),
  },
);
