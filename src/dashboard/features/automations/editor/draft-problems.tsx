import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { automationProblems, operatorsOf } from '../../../../contract/automations/fields.ts';
import { isUrl } from '../../../parts/fields/allowed-values.ts';
import { type Draft, type DraftAction, type DraftCondition, requestOf } from './draft.ts';

/** What is wrong with a field, by the name of its words. */
type FieldProblem = Parameters<ReturnType<typeof useTranslations<'automations.problems'>>>[0];

/** What is wrong with a draft, by the path of the field. Nothing: it can be saved, as far as can be known here. */
export type DraftProblems = ReadonlyMap<string, FieldProblem>;

const textMax = 4096;

export function problemsOf(draft: Draft): DraftProblems {
  const problems = new Map<string, FieldProblem>();
  if (draft.name.trim() === '') problems.set('name', 'nameNeeded');
  if (draft.actions.length === 0) problems.set('actions', 'actionNeeded');
  for (const condition of draft.conditions) {
    const problem = conditionProblem(condition);
    if (problem !== null) problems.set(`condition.${condition.key}`, problem);
  }
  for (const action of draft.actions) {
    const problem = actionProblem(action);
    if (problem !== null) problems.set(`action.${action.key}`, problem);
  }
  // What does not go together is the contract's to say.
  for (const { path } of automationProblems(requestOf(draft) as Parameters<typeof automationProblems>[0])) {
    const [list, index] = path.split('.');
    const condition = list === 'conditions' ? draft.conditions[Number(index)] : undefined;
    const action = list === 'actions' ? draft.actions[Number(index)] : undefined;
    if (condition !== undefined) problems.set(`condition.${condition.key}`, 'messageOnly');
    if (action !== undefined) problems.set(`action.${action.key}`, 'stopLast');
  }
  return problems;
}

function conditionProblem({ field, operator, values }: DraftCondition): FieldProblem | null {
  if (operator === 'exists' || field === 'isFirstMessage') return null;
  if (!operatorsOf(field).includes(operator)) return 'valueNeeded';
  return values.some((value) => value.trim() !== '') ? null : 'valueNeeded';
}

function actionProblem({ type, text, media, add, remove, url }: DraftAction): FieldProblem | null {
  switch (type) {
    case 'reply':
      if (media !== null) return media.mediaId !== '' || isUrl(media.url) ? null : 'fileNeeded';
      return textProblem(text);
    case 'note':
      return textProblem(text);
    case 'label':
      return add.length + remove.length > 0 ? null : 'labelNeeded';
    case 'call_webhook':
      return isUrl(url) ? null : 'urlNeeded';
    default:
      return null;
  }
}

function textProblem(text: string): FieldProblem | null {
  if (text.trim() === '') return 'textNeeded';
  return [...text].length > textMax ? 'tooLong' : null;
}

/** What is wrong with a field, under it; nothing before somebody has tried to save. */
export function FieldNote({ problem }: { problem: FieldProblem | undefined }) {
  const t = useTranslations('automations.problems');
  return problem === undefined ? null : (
    <Text mt={4} c="var(--red)" fz="xs" role="alert">
      {t(problem)}
    </Text>
  );
}
