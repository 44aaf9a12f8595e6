import type {
  BotState,
  ConversationStatus,
  Priority,
  SlaState,
} from '../../../contract/conversations/conversation.ts';
import type { MessageType } from '../../../contract/messages/content.ts';
import type { MessageOrigin } from '../../../contract/messages/message.ts';
import type { LoggedMessage } from '../messages/logged-message.ts';

/** A message as a list of conversations shows it. */
export interface LastMessage {
  messageId: string;
  direction: 'inbound' | 'outbound';
  messageType: MessageType;
  /** The beginning of what a person reads of it. */
  text: string;
  at: number;
  origin: MessageOrigin | null;
  /** Of an answer: since when it was waited for. If it fails, it is waited for again. */
  answersSince?: number;
}

/** A message that was answered. */
export interface AnsweredMessage {
  messageId: string;
  origin: MessageOrigin | null;
  at: number;
}

/** Who the other side of a chat is: a contact under one address or both, or a group. */
export interface ChatAddress {
  numberId: string;
  phoneNumber: string | null;
  lid: string | null;
  groupId: string | null;
}

/** The chat that a message stands in. */
export function chatOf({ numberId, chatType, groupId, peer, peerLid: lid }: LoggedMessage): ChatAddress {
  if (chatType === 'group') return { numberId, groupId: groupId ?? peer, phoneNumber: null, lid: null };
  return { numberId, groupId: null, phoneNumber: peer === lid ? null : peer, lid };
}

export type Addresses = Pick<ChatAddress, 'phoneNumber' | 'lid'>;

/** The same as it is asked for: what is not known is left out. */
export interface ChatOf {
  numberId: string;
  phoneNumber?: string | undefined;
  lid?: string | undefined;
  groupId?: string | undefined;
}

export const addressOf = ({ numberId, phoneNumber, lid, groupId }: ChatOf): ChatAddress => ({
  numberId,
  phoneNumber: phoneNumber ?? null,
  lid: lid ?? null,
  groupId: groupId ?? null,
});

/** When those who wait are to be answered, and how it stands. */
export interface SlaFields {
  firstResponseDueAt: number | null;
  nextResponseDueAt: number | null;
  resolutionDueAt: number | null;
  sla: SlaState;
}

/**
 * The messages between a number and a contact or group, as the account's people work on them. Times are milliseconds since 1970.
 */
export interface Conversation extends ChatAddress, SlaFields {
  conversationId: string;
  /** Of a group, where it is known. */
  subject: string | null;
  status: ConversationStatus;
  snoozedUntil: number | null;
  priority: Priority;
  assigneeId: string | null;
  teamId: string | null;
  labels: readonly string[];
  unreadCount: number;
  /** Its place in the list: the id of the last message that either side's people have written. */
  lastMessage: number;
  last: LastMessage | null;
  /** Since when somebody waits for an answer; null: nobody does. */
  waitingSince: number | null;
  answers: AnsweredMessage | null;
  lastInboundAt: number | null;
  /** When a person last answered. */
  lastResponseAt: number | null;
  /** When a person first answered since it was opened. */
  firstResponseAt: number | null;
  botState: BotState;
  createdAt: number;
  openedAt: number;
  resolvedAt: number | null;
  /** When it was opened last without a message: by hand, out of a snooze, or after it was pending. */
  wokenAt: number | null;
}

/** What can be asked to change. */
export interface ConversationChanges {
  status?: ConversationStatus | undefined;
  /** With it the status is `snoozed`. */
  snoozedUntil?: number | null | undefined;
  priority?: Priority | undefined;
  assigneeId?: string | null | undefined;
  teamId?: string | null | undefined;
  /** All of them, in place of those before. */
  labels?: readonly string[] | undefined;
  addLabels?: readonly string[] | undefined;
  removeLabels?: readonly string[] | undefined;
  botState?: BotState | undefined;
}

type New = Pick<Conversation, 'conversationId' | 'createdAt'> & ChatAddress;

/** A conversation in which nothing has happened yet. */
export function newConversation(made: New): Conversation {
  return {
    ...made,
    subject: null,
    status: 'open',
    snoozedUntil: null,
    priority: 'normal',
    assigneeId: null,
    teamId: null,
    labels: [],
    unreadCount: 0,
    lastMessage: made.createdAt * 1000,
    last: null,
    waitingSince: null,
    answers: null,
    lastInboundAt: null,
    lastResponseAt: null,
    firstResponseAt: null,
    firstResponseDueAt: null,
    nextResponseDueAt: null,
    resolutionDueAt: null,
    sla: 'none',
    botState: 'off',
    openedAt: made.createdAt,
    resolvedAt: null,
    wokenAt: null,
  };
}

/** An address of a person, as conversations have it. */
export interface PersonAddress {
  kind: 'phone' | 'lid';
  address: string;
}
