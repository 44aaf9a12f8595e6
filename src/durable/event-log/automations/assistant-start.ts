import type { EventDraft } from '../events/event-draft.ts';

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
