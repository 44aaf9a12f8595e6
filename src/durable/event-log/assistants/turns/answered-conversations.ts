import type { RunReason } from '../../../../contract/assistants/run.ts';
import type { Actor } from '../../../../contract/conversations/actor.ts';
import type { BotState } from '../../../../contract/conversations/conversation.ts';
import type { AssistantConfiguration } from '../configuration/load-assistants.ts';
import type { Turn } from './turn.ts';
import type { TurnContext } from './turn-orders.ts';

/** What turns have to know of a conversation. */
export interface AnsweredConversation {
  conversationId: string;
  numberId: string;
  contactId: string | null;
  /** Where an answer goes: digits of a phone number, or an alias of it. */
  address: string;
  botState: BotState;
  assigneeId: string | null;
}

/** The account's conversations, as turns use them. What changes one is part of the transaction that calls it. */
export interface AssistantConversations {
  find(conversationId: string): AnsweredConversation | null;
  contextOf(turn: Turn, conversation: AnsweredConversation): TurnContext;
  label(
    conversation: AnsweredConversation,
    labels: readonly string[],
    assistantId: string,
    now: number,
  ): void;
  /** To people: it is open, bears the labels and goes to the team that are set, and a note says why. */
  handOver(
    conversation: AnsweredConversation,
    assistant: AssistantConfiguration,
    reason: RunReason,
    note: string | null,
    now: number,
  ): void;
  assign(conversationId: string, assigneeId: string, by: Actor, now: number): void;
  setBot(conversationId: string, botState: BotState, by: Actor, now: number): void;
}
