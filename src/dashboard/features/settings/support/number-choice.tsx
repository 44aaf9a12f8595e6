import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { numbersQuery } from '../../../queries/numbers/numbers.ts';
import type { NumberIds } from './number-names.ts';

/** The numbers that something holds for; none chosen: all, also those to come. */
export function NumberChoice({ value, onChange }: { value: NumberIds; onChange: (ids: NumberIds) => void }) {
  const t = useTranslations('support');
  const { data: numbers = [] } = useQuery(numbersQuery);
  return (
    <MultiSelect
      label={t('numbers')}
      description={t('numbersHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={value === 'all' ? t('allNumbers') : ''}
      data={numbers.map(({ numberId, label }) => ({ value: numberId, label }))}
      value={value === 'all' ? [] : value}
      onChange={(ids) => onChange(ids.length === 0 ? 'all' : ids)}
    />
  );
}
