import { type AutomationTrigger, messageFields, messageTriggers } from './fields.ts';

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
    problems.push({ path: 'waitingMinutes', message: 'Say after how many minutes of waiting.' });
  }
  if (on !== 'conversation.waiting' && waitingMinutes !== null) {
    problems.push({ path: 'waitingMinutes', message: 'Only with conversation.waiting.' });
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
