import type { Actor } from '../../../contract/conversations/conversation.ts';
import type { EventData } from '../../../contract/events.ts';
import type { ContactRows } from '../contacts/contact-rows.ts';
import { type EventDraft, newEvent } from '../events/event-draft.ts';
import { type ConversationActivity, changesOf } from './activity.ts';
import type { Assignment } from './assignment/assignment.ts';
import type { Conversation } from './conversation.ts';
import {
  afterChanges,
  type ConversationHook,
  isFreed,
  type MomentKind,
  type Step,
  wantsSomebody,
} from './conversation-steps.ts';
import type { ConversationRows } from './rows/conversation-rows.ts';

/** A conversation after a change, and the events that tell of it. */
export interface Changed {
  conversation: Conversation;
  drafts: EventDraft[];
}

interface WriterParts {
  rows: ConversationRows;
  activity: ConversationActivity;
  contacts: ContactRows;
  hooks: readonly ConversationHook[];
  assignment: Assignment;
}

const system: Actor = { kind: 'system' };
/** Waiting conversations of a team, of which the first that can be given is given. */
const lookedAtMax = 20;

/** Stores what has become of a conversation, with all that follows from it. Call it inside a transaction. */
export class ConversationWriter {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Stores a conversation after a step, tells of it, and gives out what that leaves without anybody. */
  commit(known: Conversation | null, step: Step, by: Actor, at: number): Changed {
    const stored = this.#store(known, step, by, at);
    const { conversation } = stored;
    const given = wantsSomebody(known, conversation, step.moments) ? this.give(conversation, at) : [];
    const freed = isFreed(known, conversation) ? known.assigneeId : null;
    const passedOn = freed === null ? [] : this.#giveNext(freed, conversation.conversationId, at);
    if (given.length === 0 && passedOn.length === 0) return stored;
    const now = this.#parts.rows.find(conversation.conversationId) ?? conversation;
    return { conversation: now, drafts: [...stored.drafts, ...given, ...passedOn] };
  }

  /** Gives it to whoever of its team has the turn, where there is somebody. */
  give(conversation: Conversation, at: number): EventDraft[] {
    const { assignment } = this.#parts;
    const { teamId } = conversation;
    const assigneeId = assignment.next(conversation);
    if (assigneeId === null || teamId === null) return [];
    assignment.given(teamId, assigneeId, at);
    return this.#store(conversation, afterChanges(conversation, { assigneeId }, at), system, at).drafts;
  }

  /** Gives out one waiting conversation of the teams of a person who has this one no more. */
  #giveNext(userId: string, conversationId: string, at: number): EventDraft[] {
    const { assignment } = this.#parts;
    for (const teamId of assignment.givingTo(userId)) {
      for (const waiting of assignment.waiting(teamId, lookedAtMax)) {
        const drafts = waiting.conversationId === conversationId ? [] : this.give(waiting, at);
        if (drafts.length > 0) return drafts;
      }
    }
    return [];
  }

  /** The event that tells of it. */
  told(
    event: 'conversation.created' | 'conversation.updated',
    conversation: Conversation,
    changes: EventData<'conversation.updated'>['changes'],
  ): EventDraft {
    const { conversationId, numberId, groupId, status, assigneeId } = conversation;
    const contactId = groupId === null ? this.#parts.contacts.at(conversation)?.contactId : undefined;
    const data: EventData<'conversation.updated'> = {
      conversationId,
      numberId,
      ...(contactId !== undefined && { contactId }),
      ...(groupId !== null && { groupId }),
      status,
      ...(assigneeId !== null && { assigneeId }),
      changes,
    };
    return newEvent(event, data);
  }

  /** Stores a conversation after a step, and tells of it. `known`: as it is stored; null where it is new. */
  #store(known: Conversation | null, step: Step, by: Actor, at: number): Changed {
    const { rows, activity, hooks } = this.#parts;
    const kinds: MomentKind[] = known === null ? ['created', ...step.moments] : step.moments;
    let { conversation } = step;
    for (const kind of kinds) {
      for (const hook of hooks)
        conversation = { ...conversation, ...hook.on({ kind, at, conversation, by }) };
    }
    rows.put(conversation, known);
    if (known === null)
      return { conversation, drafts: [this.told('conversation.created', conversation, {})] };
    activity.note(conversation.conversationId, by, at, changesOf(known, conversation));
    const changes = toldChanges(known, conversation);
    const drafts =
      Object.keys(changes).length === 0 ? [] : [this.told('conversation.updated', conversation, changes)];
    return { conversation, drafts };
  }
}

/** What of a change the outside is told. */
function toldChanges(
  before: Conversation,
  after: Conversation,
): EventData<'conversation.updated'>['changes'] {
  const { status, snoozedUntil, priority, assigneeId, teamId, labels, botState, sla } = after;
  return {
    ...(status !== before.status && { status }),
    ...(snoozedUntil !== before.snoozedUntil && {
      snoozedUntil: snoozedUntil === null ? null : new Date(snoozedUntil).toISOString(),
    }),
    ...(priority !== before.priority && { priority }),
    ...(assigneeId !== before.assigneeId && { assigneeId }),
    ...(teamId !== before.teamId && { teamId }),
    ...(labels.join('\n') !== before.labels.join('\n') && { labels: [...labels] }),
    ...(botState !== before.botState && { botState }),
    ...(sla !== before.sla && { sla }),
  };
}
