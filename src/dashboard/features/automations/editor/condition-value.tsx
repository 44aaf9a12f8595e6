import { NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { messageKinds } from '../../../../contract/automations/fields.ts';
import { membersQuery } from '../../../queries/account/people.ts';
import { numbersQuery } from '../../../queries/numbers/numbers.ts';
import classes from '../automations.module.css';
import type { DraftCondition } from './draft.ts';

interface ConditionValueProps {
  condition: DraftCondition;
  onChange: (values: string[]) => void;
}

interface Choice {
  value: string;
  label: string;
}

/** What a condition compares with: words, or one of what there is. */
export function ConditionValue({ condition: { field, operator, values }, onChange }: ConditionValueProps) {
  const t = useTranslations('automations');
  const choices = useChoices(field);
  if (operator === 'exists') {
    return (
      <Choices
        choices={[
          { value: 'true', label: t('isThere') },
          { value: 'false', label: t('isNotThere') },
        ]}
        value={values[0] === 'false' ? 'false' : 'true'}
        onChange={(value) => onChange([value])}
      />
    );
  }
  if (choices !== null && operator !== 'in') {
    return <Choices choices={choices} value={values[0] ?? ''} onChange={(value) => onChange([value])} />;
  }
  const takesSeveral = operator === 'in' || operator === 'contains' || operator === 'starts_with';
  if (takesSeveral) {
    return (
      <TagsInput
        aria-label={t('values')}
        className={classes.grows}
        // Beside a short value there is room for the next one.
        styles={{ inputField: { minWidth: 40 } }}
        placeholder={values.length === 0 ? t('valuesHint') : ''}
        data={(choices ?? []).map(({ value }) => value).filter((value) => value !== '')}
        value={values}
        onChange={onChange}
        acceptValueOnBlur
        splitChars={[',', ';', '\n']}
        clearable={false}
      />
    );
  }
  return (
    <TextInput
      aria-label={t('value')}
      className={classes.grows}
      placeholder={operator === 'matches' ? t('patternExample') : ''}
      value={values[0] ?? ''}
      onChange={({ currentTarget }) => onChange([currentTarget.value])}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function Choices({
  choices,
  value,
  onChange,
}: {
  choices: Choice[];
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useTranslations('automations');
  return (
    <NativeSelect
      aria-label={t('value')}
      className={classes.grows}
      data={choices}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** What there is to choose of; null: words. */
function useChoices(field: string): Choice[] | null {
  const t = useTranslations('automations');
  const numbers = useQuery({ ...numbersQuery, enabled: field === 'numberId' });
  const members = useQuery({ ...membersQuery, enabled: field === 'assigneeId' });
  const choose = { value: '', label: t('choose') };
  switch (field) {
    case 'isFirstMessage':
      return (['true', 'false'] as const).map((value) => ({ value, label: t(`first.${value}`) }));
    case 'hours':
      return (['inside', 'outside'] as const).map((value) => ({ value, label: t(`hours.${value}`) }));
    case 'status':
      return (['open', 'pending', 'snoozed', 'resolved'] as const).map((value) => ({
        value,
        label: t(`status.${value}`),
      }));
    case 'priority':
      return (['low', 'normal', 'high', 'urgent'] as const).map((value) => ({
        value,
        label: t(`priority.${value}`),
      }));
    case 'messageType':
      return messageKinds.map((value) => ({ value, label: t(`kind.${value}`) }));
    case 'numberId':
      return [choose, ...(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label }))];
    case 'assigneeId':
      return [choose, ...(members.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }))];
    default:
      return null;
  }
}
