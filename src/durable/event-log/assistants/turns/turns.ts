import type { RunReason } from '../../../../contract/assistants/run.ts';
import type { Refusal } from '../../../../contract/errors.ts';
import { log } from '../../../log.ts';
import { newUuid } from '../../../new-ids.ts';
import { idsPerMs } from '../../messages/logged-message.ts';
import type { AssistantConfiguration, KnownAssistants } from '../known-assistants.ts';
import type { DayCounts } from '../reports/day-counts.ts';
import type { InstructionVersions } from '../reports/instruction-versions.ts';
import type { Memories } from './context-messages.ts';
import type { AnsweredConversation, AssistantConversations } from './log-conversations.ts';
import type { ClaimedTurn, Decided, SendOrder, Thought, TurnContext, TurnResult } from './turn-orders.ts';
import {
  attemptsMax,
  retryAfterMsMax,
  sendAttemptsMax,
  sendWaitMs,
  type Turn,
  type TurnDetail,
  type TurnRows,
  waitsMs,
} from './turn-rows.ts';

export interface TurnsParts {
  rows: TurnRows;
  memories: Memories;
  days: DayCounts;
  versions: InstructionVersions;
  known: KnownAssistants;
  conversations: AssistantConversations;
  /** How long a run may take before another call may take the turn. */
  leaseMs: number;
  /** How long after a decided reply was sent without a report it is sent again. */
  sendingMs: number;
}

/**
 * The turns of assistants: from a message to the reply, or to the hand-off to a person. Each method is part of one
 * transaction, so a turn ends for the assistant at the moment in which a person takes over.
 */
export class Turns {
  readonly #parts: TurnsParts;

  constructor(parts: TurnsParts) {
    this.#parts = parts;
  }

  /** Turns that are due. They are put off until nobody can have claimed them any more. */
  takeDue(now: number, graceMs: number, most: number): string[] {
    return this.#parts.rows.takeDue(now, now + graceMs, most);
  }

  /** Somebody begins to answer a turn. */
  claim(turnId: string, now: number): ClaimedTurn {
    const { rows, conversations, known, leaseMs } = this.#parts;
    const turn = rows.find(turnId);
    if (turn === null || turn.ringAt === null) return { todo: 'nothing' };
    if (turn.state === 'sending') return { todo: 'send', order: this.#orderOf(turn) };
    // The burst continues, or another call handles the turn already.
    if (turn.state !== 'waiting' || rows.waitsUntil(turn, now) > now + earlyMs) return { todo: 'nothing' };
    const conversation = conversations.find(turn.conversationId);
    const assistant = known.find(turn.assistantId);
    if (conversation === null || conversation.botState !== 'active') return this.#over(turn, 'paused', now);
    if (assistant === null || !assistant.enabled) return this.#over(turn, 'switched_off', now);
    const context = conversations.contextOf(turn, conversation);
    if (!isLeftToAnswer(turn, context)) return this.#over(turn, 'nothing_to_answer', now);
    const spent = this.#spent(turn, assistant, now);
    if (spent !== null) return this.#sending(this.#handOff(turn, assistant, conversation, spent, null, now));
    if (turn.attempts >= attemptsMax) {
      return this.#sending(this.#handOff(turn, assistant, conversation, 'model_failed', null, now));
    }
    const lease = newUuid();
    rows.update(turn, { state: 'running', lease, attempts: turn.attempts + 1, ringAt: now + leaseMs });
    return { todo: 'answer', lease, assistantId: turn.assistantId, context };
  }

  /** What the model came to: whether it is said is decided here, by how things stand now. */
  decide(turnId: string, lease: string, thought: Thought, now: number): Decided {
    const { rows, conversations, known } = this.#parts;
    const found = rows.find(turnId);
    if (found === null) return nothing;
    this.#count(found, thought, now);
    const conversation = conversations.find(found.conversationId);
    const turn = rows.update(found, {
      tokens: {
        input: found.tokens.input + thought.tokens.input,
        output: found.tokens.output + thought.tokens.output,
      },
      cost: thought.cost === null ? found.cost : (found.cost ?? 0) + thought.cost,
      detail: conversation === null ? null : this.#detailOf(found, thought, now),
    });
    // Somebody has written more, or taken over, or the lease has run out: this was an answer to something else.
    if (turn.state !== 'running' || turn.lease !== lease) return nothing;
    const assistant = known.find(turn.assistantId);
    if (conversation === null || conversation.botState !== 'active')
      return this.end(turn, 'dropped', 'paused', now);
    if (assistant === null || !assistant.enabled) return this.end(turn, 'dropped', 'switched_off', now);
    if (thought.labels.length > 0) conversations.label(conversation, thought.labels, assistant.id, now);
    switch (thought.outcome) {
      case 'answer':
        return this.#say(turn, thought.text, 'answered', now);
      case 'hand_off':
        return this.#handOff(turn, assistant, conversation, thought.reason, thought.note, now);
      case 'failed':
        return this.#tryAgain(turn, assistant, conversation, thought, now);
    }
  }

  /**
   * The account has accepted the answer of a turn, which counts as said even if the turn was dropped meanwhile. A repeat changes
   * nothing.
   */
  sent(turnId: string, messageId: string, now: number): void {
    const turn = this.#parts.rows.find(turnId);
    if (turn === null || turn.endsAs === null || turn.messageId !== null) return;
    const said = this.#parts.rows.update(turn, { messageId });
    if (turn.state === 'sending') this.end(said, turn.endsAs, turn.reason, now);
    if (turn.state === 'dropped') this.end(said, turn.endsAs, null, now);
  }

  /** The account has refused it. What may work later is tried again; else a person has to know. */
  notSent(turnId: string, refusal: Refusal, now: number): Decided {
    const { rows, conversations, known } = this.#parts;
    const turn = rows.find(turnId);
    if (turn === null || turn.state !== 'sending') return nothing;
    if (refusal.code === 'CONFLICT') return this.end(turn, 'dropped', 'person_replied', now);
    const isPassing =
      refusal.code === 'NO_HEALTHY_SENDER' ||
      refusal.code === 'SENDER_UNAVAILABLE' ||
      refusal.code === 'RATE_LIMITED' ||
      refusal.code === 'INTERNAL';
    const error = `${refusal.code}: ${refusal.message}`;
    const told = rows.update(turn, {
      attempts: turn.attempts + 1,
      detail: turn.detail && { ...turn.detail, error },
    });
    if (isPassing && told.attempts < sendAttemptsMax) {
      rows.update(told, { ringAt: now + sendWaitMs });
      return nothing;
    }
    if (turn.endsAs === 'handed_off') return this.end(told, 'handed_off', turn.reason, now);
    const conversation = conversations.find(turn.conversationId);
    const assistant = known.find(turn.assistantId);
    if (conversation !== null && assistant !== null) {
      conversations.handOver(conversation, assistant, 'not_sent', null, now);
    }
    return this.end(told, 'handed_off', 'not_sent', now);
  }

  /** The conversation is no longer the assistant's: whatever it was about to say is not said. */
  drop(conversationId: string, reason: RunReason, now: number): void {
    for (const turn of this.#parts.rows.unfinishedOf(conversationId)) {
      const isHandOff = turn.endsAs === 'handed_off';
      // That somebody will see to it is still said, unless somebody does already.
      if (isHandOff && reason !== 'person_replied') continue;
      this.end(turn, isHandOff ? 'handed_off' : 'dropped', isHandOff ? turn.reason : reason, now);
    }
  }

  /** A person asks for it: the conversation goes to people, with what is set for that. */
  handOffByPerson(
    conversation: AnsweredConversation,
    assistant: AssistantConfiguration,
    now: number,
  ): Decided {
    const { rows, conversations } = this.#parts;
    const open = rows.openOf(conversation.conversationId);
    // People have it already: the customer is told nothing, and nothing twice.
    if (open === null && conversation.botState !== 'active') {
      conversations.handOver(conversation, assistant, 'person_asked', null, now);
      return nothing;
    }
    const turn = open ?? this.#turnOfNothingNew(conversation, assistant, now);
    return this.#handOff(turn, assistant, conversation, 'person_asked', null, now);
  }

  /** A turn under which something is said between two answers; what it is about is what was written last. */
  #turnOfNothingNew(
    conversation: AnsweredConversation,
    { id: assistantId }: AssistantConfiguration,
    now: number,
  ): Turn {
    const { rows, conversations } = this.#parts;
    const { conversationId } = conversation;
    const firstMessage = now * idsPerMs;
    const turn = rows.insert({
      conversationId,
      assistantId,
      firstMessage,
      question: '',
      begunAt: now,
      dueAt: now,
    });
    const { messages } = conversations.contextOf(turn, conversation);
    const last = messages.findLast(({ from }) => from === 'contact');
    return rows.update(turn, { question: last?.text ?? '' });
  }

  // --- ends ----------------------------------------------------------------------------------------------------------

  #say(turn: Turn, text: string, endsAs: 'answered' | 'handed_off', now: number): Decided {
    const sending = this.#parts.rows.update(turn, {
      state: 'sending',
      endsAs,
      lease: null,
      attempts: 0,
      reply: text,
      ringAt: now + this.#parts.sendingMs,
    });
    return { order: this.#orderOf(sending) };
  }

  #handOff(
    turn: Turn,
    assistant: AssistantConfiguration,
    conversation: AnsweredConversation,
    reason: RunReason,
    note: string | null,
    now: number,
  ): Decided {
    const { rows, conversations } = this.#parts;
    // First the row: what follows from the hand-over must not take this turn for one that is still open.
    const told = rows.update(turn, { reason, endsAs: 'handed_off', state: 'sending', lease: null });
    conversations.handOver(conversation, assistant, reason, note, now);
    const { message } = assistant.handOff;
    return message === null
      ? this.end(told, 'handed_off', reason, now)
      : this.#say(told, message, 'handed_off', now);
  }

  #tryAgain(
    turn: Turn,
    assistant: AssistantConfiguration,
    conversation: AnsweredConversation,
    { retryAfterMs = 0, isFinal = false }: Extract<Thought, { outcome: 'failed' }>,
    now: number,
  ): Decided {
    const planned = isFinal ? undefined : waitsMs[turn.attempts - 1];
    if (planned === undefined) return this.#handOff(turn, assistant, conversation, 'model_failed', null, now);
    const wait = Math.max(planned, Math.min(retryAfterMs, retryAfterMsMax));
    this.#parts.rows.update(turn, { state: 'waiting', lease: null, dueAt: now + wait, ringAt: now + wait });
    return nothing;
  }

  /** A turn is over; what was decided before it is still said. */
  end(
    turn: Turn,
    state: 'answered' | 'handed_off' | 'dropped',
    reason: RunReason | null,
    now: number,
  ): Decided {
    const { rows, days, memories, versions, conversations } = this.#parts;
    // Whom it was with has been erased meanwhile.
    const isErased = conversations.find(turn.conversationId) === null;
    const kept = isErased ? { question: '', reply: null, detail: null } : {};
    rows.update(turn, { state, reason, ringAt: null, lease: null, endedAt: now, ...kept });
    const version = turn.detail?.instructionsVersion;
    if (state !== 'dropped' && version !== undefined) versions.count(turn.assistantId, version, state, now);
    if (state === 'answered') {
      days.add(turn.assistantId, now, { answered: 1 });
      const memory = memories.findOf(turn.conversationId, turn.assistantId);
      if (memory !== null && !memory.isIntroduced) memories.put({ ...memory, isIntroduced: true });
    }
    if (state === 'handed_off') days.add(turn.assistantId, now, { handedOff: 1 });
    const { turnId, assistantId } = turn;
    log('assistant.turn_ended', { turnId, assistantId, state, reason, inputTokens: turn.tokens.input });
    return nothing;
  }

  #over(turn: Turn, reason: RunReason, now: number): ClaimedTurn {
    this.end(turn, 'dropped', reason, now);
    return { todo: 'nothing' };
  }

  #sending({ order }: Decided): ClaimedTurn {
    return order === null ? { todo: 'nothing' } : { todo: 'send', order };
  }

  #orderOf(turn: Turn): SendOrder {
    const conversation = this.#parts.conversations.find(turn.conversationId);
    return {
      turnId: turn.turnId,
      assistantId: turn.assistantId,
      numberId: conversation?.numberId ?? '',
      to: conversation?.address ?? '',
      text: turn.reply ?? '',
      idempotencyKey: `assistant:${turn.turnId}:${turn.endsAs}`,
      since: turn.begunAt,
    };
  }

  /** What is kept of how it came about; what it was told is kept once for all turns. */
  #detailOf({ assistantId }: Turn, { detail, instructions }: TurnResult, now: number): TurnDetail {
    if (instructions === undefined) return detail;
    this.#parts.versions.note(assistantId, instructions, now);
    return { ...detail, instructionsVersion: instructions.version };
  }

  // --- what it costs -------------------------------------------------------------------------------------------------

  #count(turn: Turn, { tokens, cost }: TurnResult, now: number): void {
    const { days, memories } = this.#parts;
    days.add(turn.assistantId, now, { tokens, cost: cost ?? 0 });
    const memory = memories.findOf(turn.conversationId, turn.assistantId);
    if (memory !== null) memories.put({ ...memory, tokens: memory.tokens + tokens.input + tokens.output });
  }

  #spent(turn: Turn, assistant: AssistantConfiguration, now: number): RunReason | null {
    const { memories, days } = this.#parts;
    const used = memories.findOf(turn.conversationId, turn.assistantId)?.tokens ?? 0;
    if (used >= assistant.conversationTokenBudget) return 'conversation_budget';
    return days.tokensOfDay(assistant.id, now) >= assistant.dailyTokenBudget ? 'daily_budget' : null;
  }
}

/** Whether what was written is still there; a turn that is older than the list of it says nothing of that. */
const isLeftToAnswer = ({ toAnswer }: Turn, { messages, unsummarised }: TurnContext): boolean =>
  toAnswer.length === 0 || [...unsummarised, ...messages].some(({ id }) => toAnswer.includes(id));

/** An alarm may be a little early. */
const earlyMs = 250;
const nothing: Decided = { order: null };
