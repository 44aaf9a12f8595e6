import type { AlertRows } from '../../alerts/alert-rows.ts';
import type { Conversation, SlaFields } from '../../conversations/conversation.ts';
import type { ConversationHook, ConversationMoment } from '../../conversations/conversation-steps.ts';
import type { SupportSnapshot } from '../support-snapshot.ts';
import type { Surveys } from '../surveys/surveys.ts';
import {
  afterStep,
  afterTime,
  type CaseState,
  type CaseStep,
  lateTarget,
  newCase,
  slaOf,
} from './case-course.ts';
import type { CaseRows, SupportCase } from './case-rows.ts';

const kind = 'support.response_late';
const subjectOf = (conversationId: string) => `conversation:${conversationId}`;

const stepOf: Record<ConversationMoment['kind'], CaseStep['kind']> = {
  created: 'news',
  reopened: 'news',
  waiting_began: 'news',
  responded: 'answered',
  resolved: 'resolved',
  changed: 'changed',
};

/** A case, and whether it has a row. */
interface KnownCase {
  case: SupportCase;
  isStored: boolean;
}

interface Parts {
  rows: CaseRows;
  snapshot: SupportSnapshot;
  alerts: AlertRows;
  surveys: Surveys;
  /** What the person of a conversation is called; null: nobody knows. */
  nameOf: (conversation: Conversation) => string | null;
}

/**
 * Keeps the case of each conversation: when it got a response, and whether that was in time. It is told about each step inside
 * its transaction; call the rest inside a transaction too.
 */
export class ResponseClock implements ConversationHook {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  on({ kind: moment, at, conversation, by }: ConversationMoment): SlaFields | null {
    const known = this.#caseOf(conversation);
    if (known === null) return null;
    const step: CaseStep = { kind: stepOf[moment], at, agentId: by.kind === 'person' ? by.userId : null };
    const after = afterStep(known.case, step, conversation, this.#rulesOf(conversation));
    const fields = this.#keep(known, after, conversation);
    if (moment === 'resolved') this.#parts.surveys.resolved(conversation, after.case, at);
    return fields;
  }

  /** What the passing of time, or another configuration, means for a conversation. */
  review(conversation: Conversation, now: number): SlaFields | null {
    const known = this.#caseOf(conversation);
    if (known === null) return null;
    return this.#keep(known, afterTime(known.case, now, this.#rulesOf(conversation)), conversation);
  }

  /** Whoever is late in a conversation that becomes a part of another one is late in that one alone. */
  joined(from: string, to: string, at: number): void {
    this.#close(from, at);
    this.#parts.alerts.readdress(subjectOf(from), to);
  }

  /** The person of a conversation is erased: nobody waits in it, and no alert keeps their name. */
  erase(conversationId: string, now: number): void {
    this.#close(conversationId, now);
    this.#parts.alerts.forgetName(subjectOf(conversationId));
  }

  #close(conversationId: string, at: number): void {
    const open = this.#parts.rows.open(conversationId);
    if (open !== null) this.forget(open, at);
  }

  /** Its conversation is gone. */
  forget(it: SupportCase, now: number): void {
    this.#parts.rows.drop(it);
    this.#parts.alerts.end([kind], subjectOf(it.conversationId), now);
  }

  /** The open case of a conversation; a new one, where there is none and somebody wants to know. Null: nobody does. */
  #caseOf(conversation: Conversation): KnownCase | null {
    const { rows, snapshot } = this.#parts;
    const { conversationId, groupId, status, firstResponseAt, waitingSince } = conversation;
    // Among many, nobody in particular waits for an answer.
    if (groupId !== null) return null;
    const stored = rows.open(conversationId);
    if (stored !== null) return { case: stored, isStored: true };
    if (!snapshot.isTracking || status === 'resolved') return null;
    let { openedAt } = conversation;
    // The network counts in whole seconds: it may have been opened twice in one.
    while (rows.find(openedAt, conversationId) !== null) openedAt += 1;
    // What happened before anybody counted was not measured.
    const begun = { firstResponseAt, waitingSince, firstWaitingAt: waitingSince };
    return { case: { ...newCase(conversation, openedAt), ...begun }, isStored: false };
  }

  #keep(known: KnownCase, after: CaseState, conversation: Conversation): SlaFields {
    this.#parts.rows.save(known.isStored ? known.case : null, after.case);
    this.#tell(after, conversation);
    return { ...after.due, sla: slaOf(after, this.#parts.snapshot.policyOf(conversation)) };
  }

  /** Somebody who waits for too long is one trouble, until they are answered. */
  #tell(state: CaseState, conversation: Conversation): void {
    const { alerts, nameOf } = this.#parts;
    const { conversationId, numberId } = conversation;
    const subject = subjectOf(conversationId);
    const late = lateTarget(state);
    if (late === null) {
      if (alerts.isOpen(kind, subject)) alerts.end([kind], subject, Date.now());
      return;
    }
    const { target, dueAt } = late;
    const name = nameOf(conversation);
    const detail = {
      ...(name !== null && { name }),
      conversationId,
      numberId,
      target,
      dueAt: new Date(dueAt).toISOString(),
    };
    alerts.raise({ kind, subject, at: dueAt, detail });
  }

  #rulesOf(conversation: Conversation) {
    const { snapshot } = this.#parts;
    return { policy: snapshot.policyOf(conversation), working: snapshot.timeOf(conversation.numberId) };
  }
}
