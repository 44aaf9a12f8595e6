import { type RunReason, runReasons } from '../../../../contract/assistants/run.ts';
import type { Actor, BotState } from '../../../../contract/conversations/conversation.ts';
import { addressOfPerson } from '../../../../contract/messages/recipient.ts';
import type { ContactRows } from '../../contacts/contact-rows.ts';
import type { ChatAddress, Conversation, ConversationChanges } from '../../conversations/conversation.ts';
import type { Conversations } from '../../conversations/conversations.ts';
import type { ConversationRows } from '../../conversations/rows/conversation-rows.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { AssistantConfiguration } from '../known-assistants.ts';
import type { ContextMessages, Memories } from './context-messages.ts';
import type { TurnContext } from './turn-orders.ts';
import type { Turn } from './turn-rows.ts';

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

/** What turns do with conversations. */
export type AssistantConversations = Pick<
  LogConversations,
  'find' | 'contextOf' | 'label' | 'handOver' | 'assign' | 'setBot'
>;

interface Parts {
  conversations: Conversations;
  rows: ConversationRows;
  contacts: ContactRows;
  messages: ContextMessages;
  memories: Memories;
}

/**
 * The log's conversations, as turns use them. What changes one is part of the transaction that calls it; its events wait for
 * whoever ends that.
 */
export class LogConversations {
  readonly #parts: Parts;
  #drafts: EventDraft[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The events since the last call; call it before the transaction ends. */
  takeDrafts(): EventDraft[] {
    const drafts = this.#drafts;
    this.#drafts = [];
    return drafts;
  }

  find(conversationId: string): AnsweredConversation | null {
    const found = this.#parts.rows.find(conversationId);
    return found && this.#answered(found);
  }

  /** Null: there is none, or it is a group's, in which assistants say nothing. */
  of(address: ChatAddress): AnsweredConversation | null {
    const found = this.#parts.rows.of(address);
    return found && this.#answered(found);
  }

  contextOf(turn: Turn, { conversationId, contactId }: AnsweredConversation): TurnContext {
    const { rows, contacts, messages, memories } = this.#parts;
    const conversation = rows.find(conversationId);
    const contact = contactId === null ? null : contacts.find(contactId);
    const memory = memories.find(conversationId);
    const since = memory?.since ?? turn.firstMessage;
    const { shown, before } =
      conversation === null ? { shown: [], before: [] } : messages.since(conversation, since, turn);
    return {
      conversationId,
      contactId,
      phoneNumber: conversation?.phoneNumber ?? null,
      name: contact?.ownName ?? contact?.bookName ?? contact?.pushName ?? null,
      labels: contact?.labels ?? [],
      attributes: contact?.attributes ?? {},
      conversationLabels: [...(conversation?.labels ?? [])],
      messages: shown,
      summary: memory?.summary ?? null,
      isIntroduced: memory?.isIntroduced ?? false,
      unsummarised: before.filter(({ id }) => id > (memory?.summarisedTo ?? 0)),
    };
  }

  label(
    { conversationId }: AnsweredConversation,
    labels: readonly string[],
    assistantId: string,
    now: number,
  ): void {
    this.#change(conversationId, { addLabels: labels }, { kind: 'assistant', assistantId }, now);
  }

  /** To people: it is open, bears the labels and goes to the team that are set, and a note says why. */
  handOver(
    { conversationId }: AnsweredConversation,
    { id: assistantId, handOff }: AssistantConfiguration,
    reason: RunReason,
    note: string | null,
    now: number,
  ): void {
    const by: Actor = { kind: 'assistant', assistantId };
    const { labels, teamId } = handOff;
    this.#change(
      conversationId,
      { status: 'open', botState: 'paused', addLabels: labels, ...(teamId !== null && { teamId }) },
      by,
      now,
    );
    const text = note === null || note === '' ? runReasons[reason] : `${runReasons[reason]} ${note}`;
    this.#parts.conversations.addNote(conversationId, { text, mentions: [] }, by, now);
  }

  assign(conversationId: string, assigneeId: string, by: Actor, now: number): void {
    this.#change(conversationId, { assigneeId }, by, now);
  }

  setBot(conversationId: string, botState: BotState, by: Actor, now: number): void {
    this.#change(conversationId, { botState }, by, now);
  }

  /** After a rollback. */
  reload(): void {
    this.#drafts = [];
  }

  #change(conversationId: string, changes: ConversationChanges, by: Actor, now: number): void {
    const changed = this.#parts.conversations.change(conversationId, changes, by, now);
    if (changed !== null) this.#drafts.push(...changed.drafts);
  }

  #answered({ groupId, phoneNumber, lid, ...found }: Conversation): AnsweredConversation | null {
    const address = addressOfPerson({ phoneNumber, lid });
    if (groupId !== null || address === null) return null;
    const { conversationId, numberId, botState, assigneeId } = found;
    const contactId = this.#parts.contacts.at({ phoneNumber, lid })?.contactId ?? null;
    return { conversationId, numberId, contactId, address, botState, assigneeId };
  }
}
