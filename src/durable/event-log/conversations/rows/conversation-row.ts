import type {
  BotState,
  ConversationStatus,
  Priority,
  SlaState,
} from '../../../../contract/conversations/conversation.ts';
import type { Conversation } from '../conversation.ts';

/** A row of the table `conversations`. */
export type ConversationRow = {
  conversation_id: string;
  number_id: string;
  phone: string | null;
  lid: string | null;
  group_id: string | null;
  subject: string | null;
  status: ConversationStatus;
  snoozed_until: number | null;
  priority: Priority;
  assignee_id: string | null;
  team_id: string | null;
  labels: string;
  unread: number;
  last_message: number;
  last: string | null;
  waiting_since: number | null;
  answers: string | null;
  last_inbound_at: number | null;
  last_response_at: number | null;
  first_response_at: number | null;
  first_response_due_at: number | null;
  next_response_due_at: number | null;
  resolution_due_at: number | null;
  sla: SlaState;
  bot_state: BotState;
  created_at: number;
  opened_at: number;
  resolved_at: number | null;
};

export function conversationOf(row: ConversationRow): Conversation {
  return {
    conversationId: row.conversation_id,
    numberId: row.number_id,
    phoneNumber: row.phone,
    lid: row.lid,
    groupId: row.group_id,
    subject: row.subject,
    status: row.status,
    snoozedUntil: row.snoozed_until,
    priority: row.priority,
    assigneeId: row.assignee_id,
    teamId: row.team_id,
    labels: JSON.parse(row.labels),
    unreadCount: row.unread,
    lastMessage: row.last_message,
    last: row.last === null ? null : JSON.parse(row.last),
    waitingSince: row.waiting_since,
    answers: row.answers === null ? null : JSON.parse(row.answers),
    lastInboundAt: row.last_inbound_at,
    lastResponseAt: row.last_response_at,
    firstResponseAt: row.first_response_at,
    firstResponseDueAt: row.first_response_due_at,
    nextResponseDueAt: row.next_response_due_at,
    resolutionDueAt: row.resolution_due_at,
    sla: row.sla,
    botState: row.bot_state,
    createdAt: row.created_at,
    openedAt: row.opened_at,
    resolvedAt: row.resolved_at,
  };
}

export const rowOf = (conversation: Conversation): ConversationRow => ({
  conversation_id: conversation.conversationId,
  number_id: conversation.numberId,
  phone: conversation.phoneNumber,
  lid: conversation.lid,
  group_id: conversation.groupId,
  subject: conversation.subject,
  status: conversation.status,
  snoozed_until: conversation.snoozedUntil,
  priority: conversation.priority,
  assignee_id: conversation.assigneeId,
  team_id: conversation.teamId,
  labels: JSON.stringify(conversation.labels),
  unread: conversation.unreadCount,
  last_message: conversation.lastMessage,
  last: conversation.last && JSON.stringify(conversation.last),
  waiting_since: conversation.waitingSince,
  answers: conversation.answers && JSON.stringify(conversation.answers),
  last_inbound_at: conversation.lastInboundAt,
  last_response_at: conversation.lastResponseAt,
  first_response_at: conversation.firstResponseAt,
  first_response_due_at: conversation.firstResponseDueAt,
  next_response_due_at: conversation.nextResponseDueAt,
  resolution_due_at: conversation.resolutionDueAt,
  sla: conversation.sla,
  bot_state: conversation.botState,
  created_at: conversation.createdAt,
  opened_at: conversation.openedAt,
  resolved_at: conversation.resolvedAt,
});
