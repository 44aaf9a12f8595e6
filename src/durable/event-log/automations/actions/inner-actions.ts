import type { Action } from '../../../../contract/automations/actions.ts';
import type { ActionReason } from '../../../../contract/automations/runs.ts';
import { onlyGiven } from '../../../../contract/given.ts';
import type { ConversationChanges } from '../../conversations/conversation.ts';
import type { Conversations } from '../../conversations/conversations.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { Rule } from '../rules/judge.ts';
import type { ActionOutcome } from '../runs/run-rows.ts';
import { fillIn, type Subject } from './planned.ts';

/**
 * Lets an assistant take part in a conversation; null: whichever is set for its number. `messageId`: the message to answer
 * first, where there is one. Called inside the log's transaction.
 */
export type StartAssistant = (
  start: { conversationId: string; assistantId: string | null; messageId: string | null },
  now: number,
) => { ok: true; drafts: EventDraft[] } | { ok: false; reason: keyof typeof assistantReasons };

export interface InnerParts {
  conversations: Conversations;
  startAssistant: StartAssistant;
  /** Whether a person or a team that a rule names is not there any more. */
  isGone: (id: string) => boolean;
}

interface Done {
  outcome: ActionOutcome;
  drafts: EventDraft[];
}

const assistantReasons = {
  no_assistant: 'no_assistant',
  disabled: 'assistant_disabled',
  paused: 'assistant_paused',
  out_of_hours: 'assistant_hours',
  budget: 'assistant_budget',
} as const satisfies Record<string, ActionReason>;

const done = (type: Action['type'], drafts: EventDraft[] = []): Done => ({
  outcome: { type, state: 'done' },
  drafts,
});
const skipped = (type: Action['type'], reason: ActionReason): Done => ({
  outcome: { type, state: 'skipped', reason },
  drafts: [],
});

/** Carries out an action that changes nothing outside of the log. Call inside the transaction of the run. */
export function doInside(action: Action, rule: Rule, subject: Subject, parts: InnerParts, now: number): Done {
  const { conversationId, trigger, contact } = subject;
  const { type } = action;
  if (type === 'stop') return done(type);
  if (conversationId === null) return skipped(type, 'no_conversation');
  const { conversations, startAssistant, isGone } = parts;
  const by = { kind: 'automation', automationId: rule.automationId } as const;
  const change = (changes: ConversationChanges): Done => {
    const changed = conversations.change(conversationId, changes, by, now);
    if (changed === null) return skipped(type, 'no_conversation');
    return changed.drafts.length === 0 ? skipped(type, 'no_change') : done(type, changed.drafts);
  };
  switch (action.type) {
    case 'assign': {
      const { assigneeId, teamId } = action;
      if ([assigneeId, teamId].some((id) => id != null && isGone(id))) return skipped(type, 'unknown');
      return change(onlyGiven({ assigneeId, teamId }));
    }
    case 'label':
      return change({ addLabels: action.add ?? [], removeLabels: action.remove ?? [] });
    case 'set_status':
      return change({ status: action.status });
    case 'set_priority':
      return change({ priority: action.priority });
    case 'note': {
      const { phoneNumber } = trigger.person;
      const text = fillIn(action.text, { contact, phoneNumber });
      const note = conversations.addNote(conversationId, { text, mentions: [] }, by, now);
      return note === null ? skipped(type, 'no_conversation') : done(type);
    }
    case 'start_assistant': {
      const { assistantId = null } = action;
      const messageId = trigger.message?.messageId ?? null;
      const started = startAssistant({ conversationId, assistantId, messageId }, now);
      return started.ok ? done(type, started.drafts) : skipped(type, assistantReasons[started.reason]);
    }
    default:
      throw new Error(`${type} is carried out outside of the log`);
  }
}
