import { useTranslations } from 'use-intl';
import { useNumberLabel } from '../../../queries/numbers.ts';

export type NumberIds = string[] | 'all';

/** For which numbers it is, in words. */
export function useNumberNames() {
  const common = useTranslations('common');
  const labelOf = useNumberLabel();
  return (ids: NumberIds): string => {
    if (ids === 'all') return common('allNumbers');
    return ids
      .map(labelOf)
      .filter((label) => label !== undefined)
      .join(', ');
  };
}
