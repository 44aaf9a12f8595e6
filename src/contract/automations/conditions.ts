import { z } from 'zod';
import { conversationStatuses, prioritySchema } from '../conversations/conversation.ts';
import { messageTypeSchema } from '../messages/content.ts';
import { textCharactersMax } from '../messages/message.ts';
import {
  type ConditionField,
  type ConditionOperator,
  conditionFields,
  conditionOperators,
  operatorsOf,
} from './fields.ts';

const choicesByField: Partial<Record<string, readonly string[]>> = {
  messageType: messageTypeSchema.options,
  status: conversationStatuses,
  priority: prioritySchema.options,
  hours: ['inside', 'outside'],
};

const valueCharactersMax = 1_000;
/** Characters of a pattern: more than a person reads. */
const patternCharactersMax = 500;
const valuesMax = 50;

const valueSchema = z.union(
  [
    z.string().max(textCharactersMax),
    z.number(),
    z.boolean(),
    z.array(z.string().min(1).max(valueCharactersMax)).min(1).max(valuesMax),
  ],
  'Must be a text, a number, true or false, or a list of texts.',
);
export type ConditionValue = z.infer<typeof valueSchema>;

const fieldSchema = z
  .string()
  .regex(
    new RegExp(`^(${conditionFields.join('|')}|contact\\.[A-Za-z][A-Za-z0-9_]{0,49})$`),
    `One of ${conditionFields.join(', ')}, or contact.<attribute>.`,
  ) as unknown as z.ZodType<ConditionField>;

/** One thing that has to hold. Texts are compared without case. */
export const conditionSchema = z
  .strictObject({
    field: fieldSchema,
    operator: z.enum(conditionOperators),
    /** Left out with `exists`: it has to be there. */
    value: valueSchema.optional(),
  })
  .superRefine(({ field, operator, value }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (!operatorsOf(field).includes(operator)) {
      problem('operator', `${field} takes ${operatorsOf(field).join(', ')}.`);
      return;
    }
    const unfit = valueProblem(field, operator, value);
    if (unfit !== null) problem('value', unfit);
  });
export type Condition = z.infer<typeof conditionSchema>;

/** Why a value does not fit its field and operator; null where it does. */
function valueProblem(
  field: ConditionField,
  operator: ConditionOperator,
  value: ConditionValue | undefined,
): string | null {
  if (operator === 'exists') {
    return value === undefined || typeof value === 'boolean' ? null : 'true, false, or nothing.';
  }
  if (value === undefined) return 'This field is required.';
  if (field === 'isFirstMessage') return typeof value === 'boolean' ? null : 'true or false.';
  if (operator === 'in') {
    if (!Array.isArray(value)) return 'A list.';
    return value.map((one) => choiceProblem(field, one)).find((it) => it !== null) ?? null;
  }
  if (Array.isArray(value)) {
    const takesAny = operator === 'contains' || operator === 'starts_with';
    return takesAny ? null : 'One value, no list: use "in" for several.';
  }
  const isAttribute = field.startsWith('contact.');
  if (typeof value !== 'string') return isAttribute && operator !== 'matches' ? null : 'A text.';
  if (value.trim() === '') return 'Must not be blank.';
  if (operator === 'matches' && value.length > patternCharactersMax) {
    return `At most ${patternCharactersMax} characters.`;
  }
  return choiceProblem(field, value);
}

function choiceProblem(field: string, value: string): string | null {
  const choices = choicesByField[field];
  if (choices !== undefined && !choices.includes(value)) return `One of ${choices.join(', ')}.`;
  if (field === 'country' && !/^[A-Za-z]{2}$/.test(value))
    return 'A country as two letters, such as ID or BR.';
  return null;
}
