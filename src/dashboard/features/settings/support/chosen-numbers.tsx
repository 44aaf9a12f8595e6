import { useTranslations } from 'use-intl';
import { NumberChoice } from '../../../parts/fields/choices.tsx';
import type { NumberIds } from './number-names.ts';

/** The numbers that something holds for; none chosen: all, also those to come. */
export function ChosenNumbers({ value, onChange }: { value: NumberIds; onChange: (ids: NumberIds) => void }) {
  const common = useTranslations('common');
  return (
    <NumberChoice
      description={common('numbersHint')}
      value={value === 'all' ? [] : value}
      onChange={(ids) => onChange(ids.length === 0 ? 'all' : ids)}
    />
  );
}
