import type { EventDraft } from '../events/event-draft.ts';
import type { ConversationFacts, TriggerEvent } from './rules/trigger-event.ts';

/** A conversation, and who is on its other side. */
export interface KnownConversation extends ConversationFacts {
  numberId: string;
  person: TriggerEvent['person'];
  /** When somebody began to wait for an answer of a person; milliseconds since 1970, null: nobody does. */
  waitingSince: number | null;
}

/** A place among those who wait: behind all of a moment, or behind one conversation of it. */
export interface WaitPlace {
  since: number;
  conversationId: string | null;
}

export interface ConversationChange {
  assigneeId?: string | null;
  teamId?: string | null;
  status?: 'open' | 'pending' | 'resolved';
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  addLabels?: readonly string[];
  removeLabels?: readonly string[];
}

/** What rules ask and change of the account's conversations. What changes is called inside a transaction. */
export interface ConversationPort {
  find(conversationId: string): KnownConversation | null;
  of(numberId: string, person: TriggerEvent['person']): KnownConversation | null;
  /** Those that began to wait behind `after` and not later than `until`, the longest waiting first. */
  waiting(after: WaitPlace, until: number, limit: number): KnownConversation[];
  /** The events of the change, or why there is none. */
  change(
    conversationId: string,
    change: ConversationChange,
    automationId: string,
    now: number,
  ): EventDraft[] | 'no_conversation' | 'unknown';
  /** False: there is no such conversation. */
  note(conversationId: string, text: string, automationId: string, now: number): boolean;
}

/** Lets an assistant take part in a conversation. Called inside the log's transaction. */
export type StartAssistant = (
  start: {
    conversationId: string;
    /** Null: whichever assistant is set for the number. */
    assistantId: string | null;
    eventId: string;
    /** The message to answer first, where there is one. */
    messageId: string | null;
    automationId: string;
  },
  now: number,
) =>
  | { ok: true; drafts: EventDraft[] }
  | { ok: false; reason: 'no_assistant' | 'disabled' | 'paused' | 'out_of_hours' | 'budget' };
