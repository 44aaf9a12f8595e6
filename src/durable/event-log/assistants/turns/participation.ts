import type { Actor } from '../../../../contract/conversations/conversation.ts';
import { type Refusal, refuse } from '../../../../contract/errors.ts';
import { optOutMeaning } from '../../../../contract/texts/opt-out-words.ts';
import type { AssistantConfiguration } from '../known-assistants.ts';
import type { Memory } from './context-messages.ts';
import type { AnsweredConversation } from './log-conversations.ts';
import type { Decided } from './turn-orders.ts';
import { burstMsMax, toAnswerMax } from './turn-rows.ts';
import type { Turns, TurnsParts } from './turns.ts';

interface Parts extends TurnsParts {
  turns: Turns;
  isOpen: (numberId: string, at: number) => boolean | null;
}

export const assistantActions = ['pause', 'resume', 'hand_off', 'take_over'] as const;
export type AssistantAction = (typeof assistantActions)[number];

/** A message that somebody wrote to a number. */
export interface Inbound {
  /** Its id in `messages`. */
  id: number;
  /** What a person reads of it. */
  text: string;
}

type NoStart = 'no_assistant' | 'disabled' | 'paused' | 'out_of_hours' | 'budget';

/**
 * In which conversations assistants take part: whether an inbound message starts a turn, when an assistant joins, and when it
 * leaves. Call each method inside the caller's transaction.
 */
export class Participation {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Somebody has written. */
  inbound(conversation: AnsweredConversation, message: Inbound, now: number): void {
    const { known, memories, conversations, turns } = this.#parts;
    if (!known.anyEnabled || conversation.botState === 'paused') return;
    const { conversationId } = conversation;
    // Words of the opt-out list are the account's, never an assistant's.
    if (optOutMeaning(message.text, known.optOut) !== null) {
      turns.drop(conversationId, 'opted_out', now);
      return;
    }
    if (conversation.botState === 'active') {
      const memory = memories.find(conversationId);
      const assistant = memory && known.find(memory.assistantId);
      if (memory && assistant?.enabled && this.#isItsHour(assistant, conversation, now)) {
        this.#extend(assistant, conversationId, message, now);
        return;
      }
    }
    const assistant = this.#assistantFor(conversation, now);
    if (assistant === null) return;
    memories.put(freshMemory(conversationId, assistant.id, message.id));
    if (conversation.botState !== 'active')
      conversations.setBot(conversationId, 'active', actorOf(assistant), now);
    this.#extend(assistant, conversationId, message, now);
  }

  /** A rule lets an assistant in, though it would not come by itself; it answers this message first. */
  start(
    conversation: AnsweredConversation,
    assistantId: string | null,
    message: Inbound | null,
    now: number,
  ): { ok: true } | { ok: false; reason: NoStart } {
    const { known, memories, conversations, days } = this.#parts;
    const { conversationId, numberId, botState } = conversation;
    if (botState === 'paused') return { ok: false, reason: 'paused' };
    const named = assistantId === null ? null : known.find(assistantId);
    if (assistantId !== null && named === null) return { ok: false, reason: 'no_assistant' };
    if (named !== null && !named.enabled) return { ok: false, reason: 'disabled' };
    const candidates = named === null ? known.enabledFor(numberId) : [named];
    if (candidates.length === 0) return { ok: false, reason: 'no_assistant' };
    const assistant = candidates.find((it) => this.#isItsHour(it, conversation, now));
    if (assistant === undefined) return { ok: false, reason: 'out_of_hours' };
    if (days.tokensOfDay(assistant.id, now) >= assistant.dailyTokenBudget)
      return { ok: false, reason: 'budget' };
    const memory = memories.find(conversationId);
    if (memory?.assistantId !== assistant.id) {
      memories.put(freshMemory(conversationId, assistant.id, message?.id ?? now * 1000));
    }
    if (botState !== 'active') conversations.setBot(conversationId, 'active', actorOf(assistant), now);
    if (message !== null) this.#extend(assistant, conversationId, message, now);
    return { ok: true };
  }

  /** A rule has answered a message: what else was written with it is still the assistant's to answer. */
  ruleAnswered(conversationId: string, messageId: number, now: number): void {
    const { rows, turns } = this.#parts;
    const open = rows.openOf(conversationId);
    if (open === null || !open.toAnswer.includes(messageId)) return;
    const toAnswer = open.toAnswer.filter((id) => id !== messageId);
    const left = rows.update(open, { toAnswer });
    if (toAnswer.length === 0) turns.end(left, 'dropped', 'rule_answered', now);
  }

  /** The account has taken what an assistant says, whether or not that was reported. */
  accepted(turnId: string, messageId: string, now: number): void {
    this.#parts.turns.sent(turnId, messageId, now);
  }

  /** A person has answered, from the inbox or the phone. */
  personReplied(conversation: AnsweredConversation, now: number): void {
    const { known, turns, conversations } = this.#parts;
    turns.drop(conversation.conversationId, 'person_replied', now);
    // So that none comes in later, by itself, between two people who talk.
    const couldComeIn = known.enabledFor(conversation.numberId).length > 0;
    if (conversation.botState === 'off' && couldComeIn) {
      conversations.setBot(conversation.conversationId, 'paused', { kind: 'system' }, now);
    }
  }

  /** Its state was changed, by whomever: an assistant that is not active says nothing. */
  stopped(conversationId: string, now: number): void {
    this.#parts.turns.drop(conversationId, 'paused', now);
  }

  /** It is over: what an assistant knows of it begins anew with the next message. */
  resolved(conversationId: string, now: number): void {
    this.#parts.turns.drop(conversationId, 'paused', now);
    this.#parts.memories.forget(conversationId);
  }

  /** A conversation has become a part of another one: what is open in it is answered there. */
  joined(from: string, to: string, now: number): void {
    const { known, memories, rows, turns } = this.#parts;
    const memory = memories.find(from);
    if (memory !== null && memories.find(to) === null) memories.put({ ...memory, conversationId: to });
    memories.forget(from);
    const open = rows.openOf(from);
    if (open === null) return;
    turns.end(open, 'dropped', 'paused', now);
    const assistant = known.find(open.assistantId);
    for (const [index, id] of open.toAnswer.entries()) {
      if (assistant) this.#extend(assistant, to, { id, text: index === 0 ? open.question : '' }, now);
    }
  }

  /** A person says whose it is. Null: there is no such conversation. */
  order(
    conversationId: string,
    action: AssistantAction,
    assistantId: string | null,
    by: Actor,
    now: number,
  ): { ok: true; decided: Decided } | Refusal | null {
    const { conversations, memories, turns, known } = this.#parts;
    const conversation = conversations.find(conversationId);
    if (conversation === null) return null;
    const memory = memories.find(conversationId);
    const isChosen = assistantId !== null || memory !== null;
    const chosen = isChosen ? known.find(assistantId ?? memory?.assistantId ?? '') : null;
    const assistant = chosen ?? (assistantId === null ? this.#assistantFor(conversation, now, true) : null);
    if (action === 'pause' || action === 'take_over') {
      turns.drop(conversationId, 'paused', now);
      if (conversation.botState !== 'paused') conversations.setBot(conversationId, 'paused', by, now);
      if (action === 'take_over' && by.kind === 'person') {
        conversations.assign(conversationId, by.userId, by, now);
      }
      return done;
    }
    if (assistant === null || (action === 'resume' && !assistant.enabled)) return noAssistant;
    if (action === 'hand_off') {
      return { ok: true, decided: turns.handOffByPerson(conversation, assistant, now) };
    }
    // What people have said meanwhile is theirs: it begins here.
    memories.put({
      ...freshMemory(conversationId, assistant.id, now * 1000),
      isIntroduced: memory?.assistantId === assistant.id && memory.isIntroduced,
    });
    if (conversation.botState !== 'active') conversations.setBot(conversationId, 'active', by, now);
    return done;
  }

  /** Who answers in a conversation, or did last; and who could. */
  standing({
    conversationId,
    numberId,
  }: Pick<AnsweredConversation, 'conversationId' | 'numberId'>): Standing {
    const { memories, rows, known } = this.#parts;
    return {
      assistantId: memories.find(conversationId)?.assistantId ?? null,
      isAnswering: rows.openOf(conversationId) !== null,
      available: known.enabledFor(numberId).map(({ id }) => id),
    };
  }

  #extend(assistant: AssistantConfiguration, conversationId: string, message: Inbound, now: number): void {
    const { rows, memories } = this.#parts;
    const memory = memories.find(conversationId);
    // The network dates in whole seconds: what comes in after the memory has begun may be dated before it.
    if (memory !== null && message.id < memory.since) memories.put({ ...memory, since: message.id });
    const debounceMs = assistant.debounceSeconds * 1000;
    const open = rows.openOf(conversationId);
    if (open === null) {
      const { id: firstMessage, text: question } = message;
      const dueAt = now + debounceMs;
      rows.insert({ conversationId, assistantId: assistant.id, firstMessage, question, begunAt: now, dueAt });
      return;
    }
    const dueAt = Math.max(now, Math.min(now + debounceMs, open.begunAt + burstMsMax));
    rows.update(open, {
      assistantId: assistant.id,
      // An answer that is being made now is one to something else.
      state: 'waiting',
      attempts: 0,
      lease: null,
      lastMessage: Math.max(open.lastMessage, message.id),
      toAnswer: [...new Set([...open.toAnswer, message.id])].slice(-toAnswerMax),
      question: [open.question, message.text].filter(Boolean).join('\n'),
      dueAt,
      ringAt: dueAt,
    });
  }

  /** The assistant that answers in this conversation when none does yet; null: it is people's. */
  #assistantFor(
    conversation: AnsweredConversation,
    now: number,
    isAsked = false,
  ): AssistantConfiguration | null {
    if (conversation.assigneeId !== null && !isAsked) return null;
    const candidates = this.#parts.known.enabledFor(conversation.numberId);
    return candidates.find((it) => isAsked || this.#isItsHour(it, conversation, now)) ?? null;
  }

  #isItsHour({ hours }: AssistantConfiguration, { numberId }: AnsweredConversation, now: number): boolean {
    if (hours === 'always') return true;
    const isOpen = this.#parts.isOpen(numberId, now) ?? true;
    return isOpen === (hours === 'inside_hours');
  }
}

/** How assistants stand in a conversation. */
export interface Standing {
  assistantId: string | null;
  /** Something is about to be answered. */
  isAnswering: boolean;
  available: string[];
}

const freshMemory = (conversationId: string, assistantId: string, since: number): Memory => ({
  conversationId,
  assistantId,
  since,
  tokens: 0,
  isIntroduced: false,
  summary: null,
  summarisedTo: null,
});

const actorOf = ({ id: assistantId }: AssistantConfiguration): Actor => ({ kind: 'assistant', assistantId });

const done = { ok: true as const, decided: { order: null } };
const noAssistant = refuse('CONFLICT', 'No enabled assistant answers in this conversation.');
