import type { ActionReason, NoReason } from '../../../contract/automations/runs.ts';
import { cutText } from '../../../contract/texts/text.ts';
import type { EventRows } from '../events/event-rows.ts';
import { plannedReply, type Subject } from './actions/planned.ts';
import { triggerEventOf } from './reading/event-reading.ts';
import { type LookupParts, Lookups } from './reading/lookups.ts';
import { waitTriggerEvent } from './reading/waits.ts';
import type { RuleSet } from './rule-set.ts';
import { judgeAll, type Rule, type Verdict } from './rules/judge.ts';
import { personKey, type TriggerEvent } from './rules/trigger-event.ts';
import type { RunDetail } from './runs/run-rows.ts';

/** Events that one dry run reads, and how many of them it tells. */
const eventsMax = 50_000;
const toldMax = 200;
/** Events between two pauses in which the log does other things. */
const sliceMax = 500;
const waitingMax = 500;

/** What a rule would have done with one event. */
interface DryRunEntry extends Omit<RunDetail, 'actions'> {
  at: number;
  /** The beginning of the message. */
  text: string | null;
  runs: boolean;
  /** The replies as they would have been sent. */
  replies?: string[];
  /** Why its replies would not have been sent; `words`: the same for a person, where there is more to say. */
  notReplied?: { reason: ActionReason; words?: string };
}

export interface DryRun {
  /** Newest first; those where it runs before those where it does not, where there are too many. */
  data: DryRunEntry[];
  /** Events that the rule waits for, those of them where it runs, and why it does not. */
  counts: { events: number; runs: number; no: Partial<Record<NoReason, number>> };
  /** Where reading has begun; later than asked where there were too many events. */
  since: number;
  /** There were more than are told. */
  isCut: boolean;
}

interface Parts {
  events: EventRows;
  rules: RuleSet;
  lookups: LookupParts;
}

const textCharactersMax = 200;

/**
 * What a rule would have done since a time, together with the other rules as they are. Messages and times are as they were;
 * conversations, contacts and labels as they are now. Nothing is changed.
 */
export async function dryRun(parts: Parts, rule: Rule, since: number, now: number): Promise<DryRun> {
  const collected = new Collected();
  const rules = withRule(parts.rules.all, rule);
  const history = new SimulatedHistory(rules);
  if (rule.on === 'conversation.waiting') {
    const waitMs = (rule.waitingMinutes ?? 0) * 60_000;
    const together = rules.filter(({ waitingMinutes }) => waitingMinutes === rule.waitingMinutes);
    const waiting = parts.lookups.conversations.waiting(
      { since: 0, conversationId: null },
      now - waitMs,
      waitingMax,
    );
    for (const conversation of waiting) {
      tell(collected, parts, rule, together, waitTriggerEvent(conversation, waitMs), history);
    }
    return collected.result(since);
  }
  const { events } = parts;
  const first = Math.max(events.seqAt(since), events.head - eventsMax);
  const end = events.head;
  for (let position = first; position < end; ) {
    const read = events.read(position, sliceMax);
    const last = read.at(-1);
    if (last === undefined) break;
    for (const event of read) {
      const trigger = triggerEventOf(event, null, parts.lookups.conversations);
      if (trigger !== null) tell(collected, parts, rule, rules, trigger, history);
    }
    position = last.seq;
    await scheduler.wait(0);
  }
  return collected.result(first === events.seqAt(since) ? since : (events.timeOf(first + 1) ?? since));
}

/** The rules in force with this one in its place, on or off, as it is meant to be. */
function withRule(all: readonly Rule[], rule: Rule): Rule[] {
  const others = all.filter(({ automationId, enabled }) => enabled || automationId === rule.automationId);
  const index = others.findIndex(({ automationId }) => automationId === rule.automationId);
  return index === -1 ? [...others, rule] : others.with(index, rule);
}

function tell(
  collected: Collected,
  parts: Parts,
  rule: Rule,
  rules: readonly Rule[],
  trigger: TriggerEvent,
  history: SimulatedHistory,
): void {
  const around = new Lookups(parts.lookups, trigger);
  const judged = judgeAll(rules, trigger, around, history, trigger.at, (one) =>
    history.note(one.automationId, personKey(trigger.person), trigger.at),
  );
  const verdict = judged.find((one) => one.rule === rule)?.verdict;
  if (verdict === undefined) return;
  const { eventId, at, numberId, message, person } = trigger;
  const conversation = around.conversation();
  const conversationId = conversation?.conversationId ?? null;
  const subject = { trigger, conversationId, contact: around.contact() };
  collected.add(verdict, {
    eventId,
    at,
    on: rule.on,
    numberId,
    conversationId,
    messageId: message?.messageId ?? null,
    person: personKey(person),
    text: message === null ? null : cutText(message.text, textCharactersMax),
    ...(verdict.runs && repliesOf(rule, subject, parts.rules.optOut)),
  });
}

function repliesOf(
  { actions }: Rule,
  subject: Subject,
  optOut: RuleSet['optOut'],
): Pick<DryRunEntry, 'replies' | 'notReplied'> {
  const planned = actions.flatMap((action) =>
    action.type === 'reply' ? [plannedReply(action, subject, optOut)] : [],
  );
  const replies = planned.flatMap((reply) =>
    'reason' in reply ? [] : [reply.text ?? reply.media?.caption ?? ''],
  );
  const notReplied = planned.find((reply) => 'reason' in reply);
  return { replies, ...(notReplied !== undefined && { notReplied }) };
}

class Collected {
  readonly #ran: DryRunEntry[] = [];
  readonly #not: DryRunEntry[] = [];
  readonly #counts: DryRun['counts'] = { events: 0, runs: 0, no: {} };

  add(verdict: Verdict, entry: Omit<DryRunEntry, 'runs'>): void {
    this.#counts.events += 1;
    if (verdict.runs) {
      this.#counts.runs += 1;
      keep(this.#ran, { ...entry, runs: true });
      return;
    }
    const { reason } = verdict;
    this.#counts.no[reason] = (this.#counts.no[reason] ?? 0) + 1;
    keep(this.#not, { ...entry, ...verdict });
  }

  result(since: number): DryRun {
    const room = toldMax - this.#ran.length;
    const not = room > 0 ? this.#not.slice(-room) : [];
    const data = [...this.#ran, ...not].sort((one, other) => other.at - one.at);
    return { data, counts: this.#counts, since, isCut: this.#counts.events > data.length };
  }
}

/** The newest are kept. */
function keep(entries: DryRunEntry[], entry: DryRunEntry): void {
  entries.push(entry);
  if (entries.length > toldMax) entries.shift();
}

/** Who would have been answered when, within one dry run. */
class SimulatedHistory {
  readonly #cooldowns: ReadonlyMap<string, number>;
  readonly #lastAt = new Map<string, number>();

  constructor(rules: readonly Rule[]) {
    this.#cooldowns = new Map(
      rules.map(({ automationId, cooldownSeconds }) => [automationId, cooldownSeconds]),
    );
  }

  lastRanAt(automationId: string, [person]: readonly string[]): number | null {
    return this.#lastAt.get(`${automationId} ${person}`) ?? null;
  }

  hasRun(): boolean {
    return false;
  }

  note(automationId: string, person: string, at: number): void {
    if ((this.#cooldowns.get(automationId) ?? 0) > 0) this.#lastAt.set(`${automationId} ${person}`, at);
  }
}
