import type { Condition, ConditionValue } from '../../../../contract/automations/conditions.ts';
import type { ConditionOperator } from '../../../../contract/automations/fields.ts';
import { comparableText } from '../../../../contract/texts/comparable-text.ts';
import { isFound } from './text-match.ts';
import type { RuleContext, TriggerEvent } from './trigger-event.ts';

type Value = string | number | boolean | null;

/** Whether a condition holds. */
export function holds(condition: Condition, trigger: TriggerEvent, around: RuleContext): boolean {
  const { field, operator, value } = condition;
  if (field === 'label') return labelHolds(operator, value, labelsOf(around));
  const found = fieldOf(condition, trigger, around);
  return valueHolds(operator, field === 'from' ? digitsOf(value) : value, found);
}

function fieldOf({ field }: Condition, trigger: TriggerEvent, around: RuleContext): Value {
  const { message, person } = trigger;
  switch (field) {
    case 'text':
      return message?.text || null;
    case 'messageType':
      return message?.messageType ?? null;
    case 'from':
      return person.phoneNumber;
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
      return around.contact()?.attributes[field.slice('contact.'.length)] ?? null;
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
