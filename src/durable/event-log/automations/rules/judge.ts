import type { AutomationDefinition } from '../../../../contract/automations/automation.ts';
import type { NoReason } from '../../../../contract/automations/runs.ts';
import { holds } from './condition.ts';
import { personNames, type RuleContext, type TriggerEvent } from './trigger-event.ts';

/** A message that came in later than that after it was written gets no automatic answer. */
const lateMs = 6 * 3_600_000;
/** So many rules may follow from one another. */
const chainMax = 3;

/** A rule as it is applied. */
export interface Rule extends AutomationDefinition {
  automationId: string;
}

/** What has been before. */
export interface History {
  /** When the rule last ran for a person; milliseconds since 1970, null: never, or longer ago than any cooldown. */
  lastRanAt(automationId: string, names: readonly string[]): number | null;
  /** Whether the rule has run already for what this began with. */
  hasRun(automationId: string, trigger: TriggerEvent): boolean;
}

/** Whether a rule runs for something, or why not. */
export type Verdict =
  | { runs: true }
  | {
      runs: false;
      reason: NoReason;
      /** Which condition did not hold, counted from 0. */
      conditionIndex?: number;
      /** Until when it rests for this person. */
      until?: number;
      /** The rule that has stopped. */
      stoppedBy?: string;
    };

/** Whether something is of the kind that a rule waits for. */
export const isOccasion = ({ on }: Pick<Rule, 'on'>, trigger: Pick<TriggerEvent, 'on'>): boolean =>
  on === trigger.on || (on === 'outside_hours' && trigger.on === 'message.received');

const no = (reason: NoReason, more: Partial<Extract<Verdict, { runs: false }>> = {}): Verdict => ({
  runs: false,
  reason,
  ...more,
});

/** Whether a rule runs for an occasion of it. What costs nothing is looked at first. */
export function judge(
  rule: Rule,
  trigger: TriggerEvent,
  around: RuleContext,
  history: History,
  now: number,
): Verdict {
  const { person, message, chain } = trigger;
  if (chain.length >= chainMax || chain.includes(rule.automationId)) return no('chain');
  if (person.groupId !== null && !rule.inGroups) return no('group');
  if (message !== null && message.writtenAt < trigger.at - lateMs) return no('late');
  if (rule.on === 'outside_hours' && around.hours() !== 'outside') {
    return no(around.hours() === null ? 'no_hours' : 'inside_hours');
  }
  const conditionIndex = rule.conditions.findIndex((condition) => !holds(condition, trigger, around));
  if (conditionIndex !== -1) return no('condition', { conditionIndex });
  if (around.isOwnNumber()) return no('own_number');
  if (history.hasRun(rule.automationId, trigger)) return no('chain');
  if (rule.cooldownSeconds > 0) {
    const lastAt = history.lastRanAt(rule.automationId, personNames(person));
    const until = lastAt === null ? 0 : lastAt + rule.cooldownSeconds * 1000;
    if (until > now) return no('cooldown', { until });
  }
  return { runs: true };
}

/** A rule, and what it says to something. */
export interface Judged {
  rule: Rule;
  verdict: Verdict;
}

/**
 * What each rule says to something, for those whose occasion it is, in their order. `ran` hears of each that runs before
 * the next one is asked.
 */
export function judgeAll(
  rules: readonly Rule[],
  trigger: TriggerEvent,
  around: RuleContext,
  history: History,
  now: number,
  ran: (rule: Rule) => void = () => {},
): Judged[] {
  let stoppedBy: string | null = null;
  return rules
    .filter((rule) => isOccasion(rule, trigger))
    .map((rule) => {
      if (stoppedBy !== null) return { rule, verdict: no('stopped', { stoppedBy }) };
      const verdict = judge(rule, trigger, around, history, now);
      if (verdict.runs) {
        ran(rule);
        if (rule.actions.some(({ type }) => type === 'stop')) stoppedBy = rule.automationId;
      }
      return { rule, verdict };
    });
}
