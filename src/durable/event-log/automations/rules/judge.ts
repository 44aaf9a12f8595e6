import { RE2JS } from 're2js';
import type { AutomationDefinition } from '../../../../contract/automations/automation.ts';
import type { Condition, ConditionValue } from '../../../../contract/automations/conditions.ts';
import type { ConditionOperator } from '../../../../contract/automations/fields.ts';
import type { NoReason } from '../../../../contract/automations/runs.ts';
import { ownValue } from '../../../../contract/given.ts';
import { comparableText, plainText } from '../../../../contract/texts/text.ts';
import { personNames, type RuleContext, type TriggerEvent } from './trigger-event.ts';

/** Characters of a text that a pattern looks at. */
const matchedCharactersMax = 2_048;
/** Steps of a compiled pattern: the time of a match grows with them. */
const programStepsMax = 500;
/** Patterns that are kept compiled; an account has few. */
const compiledMax = 500;

/** RE2 knows of the letters i only those of English. */
const withPlainI = (text: string) => text.replaceAll('\u0130', 'I').replaceAll('\u0131', 'i');

/** Letter by letter: a pattern's signs stay what they are, and no other character becomes one. */
const patternInPlainForm = (source: string) =>
  withPlainI(source.normalize('NFC')).replaceAll(/[^\p{ASCII}]/gu, (character) => {
    const plain = plainText(character);
    return /^['"\p{L}\p{M}\p{N}]*$/u.test(plain) ? plain : character;
  });

const compiled = new Map<string, RE2JS>();

function patternOf(source: string): RE2JS {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const pattern = RE2JS.compile(patternInPlainForm(source), RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

/** What is wrong with a pattern, for a person; null where it can be used. */
export function patternProblem(source: string): string | null {
  try {
    if (patternOf(source).programSize() > programStepsMax) return 'The pattern is too large.';
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    // The flags that it was compiled with are not the writer's.
    const known = reason.replace(/^error parsing regexp: /, '').replace('(?s)(?i)', '');
    return `Not a pattern in RE2 syntax${known === '' ? '' : `: ${known}`}.`;
  }
}

/** Whether a pattern is found in a text, in time that grows with both and no faster. A broken pattern is never found. */
export function isFound(source: string, text: string): boolean {
  if (patternProblem(source) !== null) return false;
  return patternOf(source)
    .matcher(withPlainI(plainText(text)).slice(0, matchedCharactersMax))
    .find();
}

type Value = string | number | boolean | null;

/** Whether a condition holds. */
export function holds(condition: Condition, trigger: TriggerEvent, around: RuleContext): boolean {
  const { field, operator, value } = condition;
  if (field === 'label') return labelHolds(operator, value, labelsOf(around));
  if (field === 'from') return phoneHolds(operator, digitsOf(value), around.phoneNumbers());
  return valueHolds(operator, value, fieldOf(condition, trigger, around));
}

function fieldOf({ field }: Condition, trigger: TriggerEvent, around: RuleContext): Value {
  const { message } = trigger;
  switch (field) {
    case 'text':
      return message?.text || null;
    case 'messageType':
      return message?.messageType ?? null;
    case 'numberId':
      return trigger.numberId;
    case 'country':
      return around.country();
    case 'isFirstMessage':
      return around.isFirstMessage();
    case 'hours':
      return around.hours();
    case 'status':
      return around.conversation()?.status ?? null;
    case 'priority':
      return around.conversation()?.priority ?? null;
    case 'assigneeId':
      return around.conversation()?.assigneeId ?? null;
    default:
      return ownValue(around.contact()?.attributes ?? {}, field.slice('contact.'.length)) ?? null;
  }
}

function valueHolds(operator: ConditionOperator, wanted: ConditionValue | undefined, found: Value): boolean {
  if (operator === 'exists') return (found !== null && found !== '') === (wanted ?? true);
  if (found === null) return operator === 'not_equals';
  const text = comparableText(String(found));
  const values = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => comparableText(String(one)));
  switch (operator) {
    case 'equals':
    case 'in':
      return values.includes(text);
    case 'not_equals':
      return !values.includes(text);
    case 'contains':
      return values.some((one) => one !== '' && text.includes(one));
    case 'starts_with':
      return values.some((one) => one !== '' && text.startsWith(one));
    case 'matches':
      return isFound(String(wanted), String(found));
  }
}

/** People write the digits that are dialled, and the network may have others. */
function phoneHolds(
  operator: ConditionOperator,
  wanted: ConditionValue | undefined,
  phoneNumbers: readonly string[],
): boolean {
  if (phoneNumbers.length === 0) return valueHolds(operator, wanted, null);
  const holdsOf = (phoneNumber: string) => valueHolds(operator, wanted, phoneNumber);
  return operator === 'not_equals' ? phoneNumbers.every(holdsOf) : phoneNumbers.some(holdsOf);
}

/** Labels of the conversation and of the contact. */
const labelsOf = (around: RuleContext): string[] =>
  [...(around.conversation()?.labels ?? []), ...(around.contact()?.labels ?? [])].map(comparableText);

function labelHolds(
  operator: ConditionOperator,
  wanted: ConditionValue | undefined,
  labels: readonly string[],
): boolean {
  if (operator === 'exists') return labels.length > 0 === (wanted ?? true);
  const values = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => comparableText(String(one)));
  const has = values.some((one) => labels.includes(one));
  return operator === 'not_equals' ? !has : has;
}

/** People write phone numbers with plus signs and spaces. */
function digitsOf(value: ConditionValue | undefined): ConditionValue | undefined {
  if (Array.isArray(value)) return value.map((one) => one.replaceAll(/\D/g, ''));
  return typeof value === 'string' ? value.replaceAll(/\D/g, '') : value;
}

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
