import { z } from 'zod';
import { groupIdSchema, timestampSchema, uuidSchema } from '../ids.ts';

/** Who has changed a conversation. `system`: nobody, it came of a message or of time. */
const actorSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('person'), userId: uuidSchema }),
  z.strictObject({ kind: z.literal('automation'), automationId: uuidSchema }),
  z.strictObject({ kind: z.literal('assistant'), assistantId: uuidSchema }),
  z.strictObject({ kind: z.literal('system') }),
]);
export type Actor = z.infer<typeof actorSchema>;

/** `pending` waits for something else than the account's people; `snoozed` until a time, or until somebody writes. */
export const conversationStatuses = ['open', 'pending', 'snoozed', 'resolved'] as const;
export const conversationStatusSchema = z.enum(conversationStatuses);
export type ConversationStatus = z.infer<typeof conversationStatusSchema>;

export const prioritySchema = z.enum(['low', 'normal', 'high', 'urgent']);
export type Priority = z.infer<typeof prioritySchema>;

/** Whether an assistant answers in it. A person who answers pauses it. */
export const botStateSchema = z.enum(['off', 'active', 'paused']);
export type BotState = z.infer<typeof botStateSchema>;

/** Whether those who waited were answered in the time that was promised. */
export const slaStateSchema = z.enum(['none', 'on_time', 'missed']);
export type SlaState = z.infer<typeof slaStateSchema>;

/** What has changed of a conversation, as it is now; what has not is left out. */
const conversationChangesSchema = z.strictObject({
  status: conversationStatusSchema.optional(),
  snoozedUntil: timestampSchema.nullable().optional(),
  priority: prioritySchema.optional(),
  assigneeId: uuidSchema.nullable().optional(),
  teamId: uuidSchema.nullable().optional(),
  labels: z.array(z.string()).optional(),
  botState: botStateSchema.optional(),
  sla: slaStateSchema.optional(),
  /** Somebody has read it. That it rises is told by `message.received`. */
  unreadCount: z.literal(0).optional(),
});

/** `data` of the events of a conversation. */
export const conversationEventFields = {
  conversationId: uuidSchema,
  numberId: uuidSchema,
  contactId: uuidSchema.optional(),
  groupId: groupIdSchema.optional(),
  status: conversationStatusSchema,
  assigneeId: uuidSchema.optional(),
  changes: conversationChangesSchema,
};
