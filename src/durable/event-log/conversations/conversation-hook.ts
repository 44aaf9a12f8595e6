import type { Actor } from '../../../contract/conversations/actor.ts';
import type { Conversation, SlaFields } from './conversation.ts';

/** What happens to a conversation, for those who keep its due times. */
export type MomentKind = 'created' | 'reopened' | 'waiting_began' | 'responded' | 'resolved' | 'changed';

export interface ConversationMoment {
  kind: MomentKind;
  at: number;
  /** As it will be stored. */
  conversation: Conversation;
  by: Actor;
}

/**
 * Hears of each moment inside the transaction of what brings it, and says which due times follow. They are stored with
 * the conversation's row, so they cost none of their own.
 */
export interface ConversationHook {
  on(moment: ConversationMoment): Partial<SlaFields> | null;
  /** A conversation is about to become a part of another one. */
  joined?(from: string, to: string, at: number): void;
}
