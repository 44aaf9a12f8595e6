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
import { messageOriginSchema } from '../../../contract/messages/message-origin.ts';
import { messageStatuses } from '../../../contract/messages/message-status.ts';
import { answerSchemas, optionalTimestamp, pageOf } from '../../openapi/schemas.ts';
import { contactSchema } from '../contacts/records.ts';
import { messageSchema } from '../messages/records.ts';

const { name, pushName, labels, attributes, lid } = contactSchema.shape;
const origin = messageOriginSchema
  .nullable()
  .describe('Null: an API key has sent it, or its owner on the phone.');

export const conversationSchema = z
  .object({
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
      .describe('Who is on the other side; null where it is a group.'),
    group: z
      .object({ groupId: groupIdSchema, subject: z.string().nullable() })
      .nullable()
      .describe('The group; null where it is a contact.'),
    status: conversationStatusSchema.describe(
      '`pending` waits for something else than your people; `snoozed` until `snoozedUntil`, or until somebody writes; a ' +
        '`resolved` one opens again when somebody writes.',
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
        text: z.string().describe('Its first words.'),
        at: timestampSchema,
        origin,
      })
      .nullable(),
    waitingSince: optionalTimestamp.describe('Since when somebody waits for the answer of a person.'),
    answers: z
      .object({ messageId: messageIdSchema, origin, at: timestampSchema })
      .nullable()
      .describe(
        'What they have answered last, since the conversation was opened, of what an API key or a campaign had sent.',
      ),
    campaign: z
      .object({ campaignId: uuidSchema, name: z.string().nullable() })
      .nullable()
      .describe('The campaign that was answered, where `answers` is of one.'),
    firstResponseDueAt: optionalTimestamp,
    nextResponseDueAt: optionalTimestamp,
    resolutionDueAt: optionalTimestamp,
    sla: slaStateSchema,
    botState: botStateSchema.describe('Whether an assistant answers. A person who answers pauses it.'),
    createdAt: timestampSchema,
    openedAt: timestampSchema,
    resolvedAt: optionalTimestamp,
    lastInboundAt: optionalTimestamp,
  })
  .describe('What passes between a number and a contact, or a group, as people work at it.')
  .register(answerSchemas, { id: 'Conversation' });

export const conversationListSchema = pageOf(conversationSchema).register(answerSchemas, {
  id: 'ConversationList',
});

export const conversationCountsSchema = z
  .object({
    open: z.int(),
    pending: z.int(),
    snoozed: z.int(),
    mine: z.int().describe('Open, and assigned to whoever asks.'),
    unassigned: z.int().describe('Open, and nobody’s.'),
    waiting: z.int().describe('Somebody waits for an answer.'),
    mentioned: z.int().describe('You were named in a note that you have not read.'),
  })
  .describe('How many conversations there are, each counted up to 1,000.')
  .register(answerSchemas, { id: 'ConversationCounts' });

export const conversationPeopleSchema = z
  .object({
    people: z.array(
      z.object({ userId: uuidSchema, name: z.string(), role: z.enum(['owner', 'admin', 'agent']) }),
    ),
    numbers: z.array(
      z.object({ numberId: uuidSchema, label: z.string(), phoneNumber: phoneNumberSchema.nullable() }),
    ),
  })
  .describe('The people of the account, and the numbers whose conversations you see.')
  .register(answerSchemas, { id: 'ConversationPeople' });

export const foundMessagesSchema = pageOf(
  z.object({ conversationId: uuidSchema.nullable(), message: messageSchema }),
).register(answerSchemas, { id: 'FoundMessageList' });

export const noteSchema = z
  .object({
    noteId: uuidSchema,
    text: z.string(),
    author: z
      .object({
        userId: uuidSchema,
        name: z.string().nullable().describe('Null: they have left the account.'),
      })
      .nullable()
      .describe('Null: no person has written it.'),
    automationId: uuidSchema.optional(),
    assistantId: uuidSchema.optional(),
    mentions: z.array(uuidSchema).describe('The people who are named in it.'),
    createdAt: timestampSchema,
  })
  .describe('A private note. It never leaves.')
  .register(answerSchemas, { id: 'ConversationNote' });

const cursor = z.string().describe('Its place: `after` begins behind it.');

export const chatSchema = pageOf(
  z.union([
    z.object({ kind: z.literal('message'), cursor, message: messageSchema }),
    z.object({ kind: z.literal('note'), cursor, note: noteSchema }),
  ]),
).register(answerSchemas, { id: 'ConversationChat' });

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

export const presenceSchema = z
  .object({
    conversations: z.array(
      z.object({
        conversationId: uuidSchema,
        people: z
          .array(
            z.object({
              userId: uuidSchema,
              name: z.string(),
              state: z.enum(['viewing', 'typing']),
              until: timestampSchema.describe('After that it counts no more.'),
            }),
          )
          .describe('None: nobody is there.'),
        lockedBy: uuidSchema.nullable().describe('Who types in it, and was first.'),
        hasNote: z.literal(true).optional().describe('A note was written in it just now.'),
      }),
    ),
    online: z.array(uuidSchema).describe('Who follows conversations now.'),
    typing: z
      .array(
        z.object({
          conversationId: uuidSchema,
          state: z.enum(typingStates).describe('`paused`: they have stopped.'),
          until: timestampSchema.describe('After that it counts no more.'),
        }),
      )
      .optional()
      .describe(
        'What the other side of these conversations does now. The network tells it of chats that somebody of the account ' +
          'has open, as far as the other side lets it.',
      ),
  })
  .describe('Who is where. Each conversation in it is as it is now; of the others nothing has changed.')
  .register(answerSchemas, { id: 'PresenceFrame' });
