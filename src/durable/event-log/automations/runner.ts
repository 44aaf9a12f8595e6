import { logFault } from '../../log.ts';
import { derivedUuid } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { EventRows } from '../events/event-rows.ts';
import type { ActionRows } from './actions/action-queue.ts';
import { doInside, type InnerParts } from './actions/inner-actions.ts';
import { plannedCall, plannedReply, type Subject } from './actions/planned.ts';
import { type LookupParts, Lookups } from './reading/lookups.ts';
import type { RuleSet } from './rule-set.ts';
import { type History, judgeAll, type Rule, type Verdict } from './rules/judge.ts';
import { personKey, personNames, type TriggerEvent } from './rules/trigger-event.ts';
import type { PeopleRows } from './runs/people-rows.ts';
import type { ActionOutcome, CauseRows, RunRows } from './runs/run-rows.ts';

/** Of a rule that says no again and again one row is kept in so long a time. */
const noEveryMs = 60_000;

interface RunnerParts {
  storage: DurableObjectStorage;
  events: EventRows;
  rules: RuleSet;
  runs: RunRows;
  people: PeopleRows;
  actions: ActionRows;
  causes: CauseRows;
  inner: InnerParts;
  lookups: LookupParts;
  /** A message is answered by a rule, and needs no other machine's answer. */
  answered: (messageId: string, conversationId: string, now: number) => void;
}

/** Applies rules to what has happened: the runs, what they change and what they have planned, all in one transaction. */
export class Runner {
  readonly #parts: RunnerParts;
  /** When the last no of a rule was kept; in memory: after a new start one more is. */
  readonly #noAt = new Map<string, number>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Applies these rules, in their order. Call inside a transaction. True: something was planned for outside. */
  apply(rules: readonly Rule[], trigger: TriggerEvent, now: number): boolean {
    const around = new Lookups(this.#parts.lookups, trigger);
    const { people, runs, answered } = this.#parts;
    const done = { plansOuter: false, replies: false, startsAssistant: false };
    const history: History = {
      lastRanAt: (automationId, names) => people.lastRanAt(automationId, names),
      hasRun: (automationId, what) => runs.has(automationId, runIdOf(what, automationId)),
    };
    const judged = judgeAll(rules, trigger, around, history, now, (rule) => {
      const ran = this.#run(rule, trigger, around, now);
      done.plansOuter ||= ran.plansOuter;
      done.replies ||= ran.replies;
      done.startsAssistant ||= ran.startsAssistant;
      around.forget();
    });
    for (const { rule, verdict } of judged) {
      if (!verdict.runs) this.#noteNo(rule, verdict, trigger, around, now);
    }
    const conversationId = around.conversation()?.conversationId ?? null;
    // Whoever lets an assistant in beside a reply wants both.
    if (done.replies && !done.startsAssistant && trigger.message !== null && conversationId !== null) {
      answered(trigger.message.messageId, conversationId, now);
    }
    return done.plansOuter;
  }

  #run(rule: Rule, trigger: TriggerEvent, around: Lookups, now: number) {
    const { runs, people, storage } = this.#parts;
    const runId = runIdOf(trigger, rule.automationId);
    const person = personNames(trigger.person);
    const drafts: EventDraft[] = [];
    let [replies, outer] = [0, 0];
    const outcomes = rule.actions.map((action, index): ActionOutcome => {
      const subject: Subject = {
        trigger,
        conversationId: around.conversation()?.conversationId ?? null,
        contact: around.contact(),
      };
      if (action.type === 'reply') {
        const left = people.repliesLeft(person, now) - replies;
        const outcome = this.#planReply(action, rule, runId, index, subject, left, now);
        if (outcome.state === 'pending') replies += 1;
        return outcome;
      }
      if (action.type === 'call_webhook') {
        const call = plannedCall(action, rule, runId, index, subject);
        this.#plan(call, rule, runId, index, now, now);
        outer += 1;
        return { type: action.type, state: 'pending' };
      }
      try {
        // One action that cannot be carried out takes no other with it.
        return storage.transactionSync(() => {
          const { outcome, drafts: told } = doInside(action, rule, subject, this.#parts.inner, now);
          drafts.push(...told);
          around.forget();
          return outcome;
        });
      } catch (error) {
        logFault('automation.action_failed', error, { automationId: rule.automationId, type: action.type });
        return { type: action.type, state: 'failed' };
      }
    });
    const chain = [...trigger.chain, rule.automationId];
    this.#parts.causes.note(this.#parts.events.append(drafts, now), { root: trigger.root, chain });
    people.note(person, rule.automationId, replies, rule.cooldownSeconds * 1000, now);
    runs.insert({ ...this.#about(rule, trigger, around, now), runId, ran: true, actions: outcomes });
    return {
      plansOuter: replies + outer > 0,
      replies: replies > 0,
      startsAssistant: outcomes.some(({ type, state }) => type === 'start_assistant' && state === 'done'),
    };
  }

  #planReply(
    action: Extract<Rule['actions'][number], { type: 'reply' }>,
    rule: Rule,
    runId: string,
    index: number,
    subject: Subject,
    left: number,
    now: number,
  ): ActionOutcome {
    const { type } = action;
    const reply = plannedReply(action, subject, this.#parts.rules.optOut);
    if ('reason' in reply) return { type, state: 'skipped', reason: reply.reason };
    if (left <= 0) return { type, state: 'skipped', reason: 'reply_cap' };
    this.#plan(reply, rule, runId, index, now + (action.delaySeconds ?? 0) * 1000, now);
    return { type, state: 'pending' };
  }

  #plan(
    action: Parameters<ActionRows['insert']>[0]['action'],
    { automationId }: Rule,
    runId: string,
    index: number,
    dueAt: number,
    plannedAt: number,
  ): void {
    this.#parts.actions.insert({ dueAt, runId, index, automationId, plannedAt, attempts: 0, action });
  }

  /** Some of those that did not run are kept, so that a person finds out why. */
  #noteNo(
    rule: Rule,
    { runs: _, ...verdict }: Extract<Verdict, { runs: false }>,
    trigger: TriggerEvent,
    around: Lookups,
    now: number,
  ): void {
    if ((this.#noAt.get(rule.automationId) ?? 0) > now - noEveryMs) return;
    this.#noAt.set(rule.automationId, now);
    // Of another name than a run: the rule may still run for what this began with.
    const runId = derivedUuid(now, trigger.eventId, rule.automationId, 'no');
    this.#parts.runs.insert({ ...this.#about(rule, trigger, around, now), runId, ran: false, ...verdict });
  }

  #about({ automationId, on }: Rule, trigger: TriggerEvent, around: Lookups, now: number) {
    const { eventId, numberId, message, person } = trigger;
    return {
      automationId,
      at: now,
      eventId,
      on,
      numberId,
      conversationId: around.conversation()?.conversationId ?? null,
      messageId: message?.messageId ?? null,
      person: personKey(person),
    };
  }
}

/** The same for the same beginning and rule, whenever it is asked. */
const runIdOf = ({ root }: TriggerEvent, automationId: string): string =>
  derivedUuid(root.at, root.eventId, automationId);
