// Without zod: the dashboard says these names, and loads no more than them.

export const conditionOperators = [
  'equals',
  'not_equals',
  'contains',
  'starts_with',
  'matches',
  'in',
  'exists',
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/** What a condition may look at, beside `contact.<attribute>`. */
export const conditionFields = [
  'text',
  'from',
  'country',
  'messageType',
  'numberId',
  'label',
  'status',
  'priority',
  'assigneeId',
  'isFirstMessage',
  'hours',
] as const;
export type ConditionField = (typeof conditionFields)[number] | `contact.${string}`;

const words: readonly ConditionOperator[] = conditionOperators;
const choice: readonly ConditionOperator[] = ['equals', 'not_equals', 'in'];
const optional: readonly ConditionOperator[] = [...choice, 'exists'];
const yesOrNo: readonly ConditionOperator[] = ['equals'];

const operatorsByField: Record<(typeof conditionFields)[number], readonly ConditionOperator[]> = {
  text: words,
  from: ['equals', 'not_equals', 'starts_with', 'in'],
  country: choice,
  messageType: choice,
  numberId: choice,
  label: optional,
  status: choice,
  priority: choice,
  assigneeId: optional,
  isFirstMessage: yesOrNo,
  hours: yesOrNo,
};

/** How a field may be compared. */
export const operatorsOf = (field: ConditionField): readonly ConditionOperator[] =>
  field in operatorsByField ? operatorsByField[field as keyof typeof operatorsByField] : words;

/** Fields that only a message has. */
export const messageFields: readonly string[] = ['text', 'messageType', 'isFirstMessage'];

/** What a rule waits for. */
export const automationTriggers = [
  'message.received',
  'conversation.created',
  'conversation.updated',
  'conversation.waiting',
  'outside_hours',
] as const;
export type AutomationTrigger = (typeof automationTriggers)[number];

/** Triggers that bring a message with them. */
export const messageTriggers: readonly AutomationTrigger[] = ['message.received', 'outside_hours'];

/** What does not fit together, by the path of the field; none where all does. */
export function automationProblems({
  on,
  waitingMinutes,
  conditions,
  actions,
}: {
  on: AutomationTrigger;
  waitingMinutes: number | null;
  conditions: readonly { field: string }[];
  actions: readonly { type: string }[];
}): {
  path: string;
  message: string;
}[] {
  const problems: { path: string; message: string }[] = [];
  if (on === 'conversation.waiting' && waitingMinutes === null) {
    problems.push({ path: 'waitingMinutes', message: 'Required with conversation.waiting.' });
  }
  if (on !== 'conversation.waiting' && waitingMinutes !== null) {
    problems.push({ path: 'waitingMinutes', message: 'Only allowed with conversation.waiting.' });
  }
  conditions.forEach(({ field }, index) => {
    if (messageFields.includes(field) && !messageTriggers.includes(on)) {
      problems.push({
        path: `conditions.${index}.field`,
        message: `${field} is of a message: only with ${messageTriggers.join(' or ')}.`,
      });
    }
  });
  actions.forEach(({ type }, index) => {
    if (type === 'stop' && index < actions.length - 1) {
      problems.push({ path: `actions.${index}.type`, message: 'stop is the last action, or none.' });
    }
  });
  return problems;
}
