import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { numbersQuery } from '../../../queries/numbers.ts';

export type NumberIds = string[] | 'all';

/** For which numbers it is, in words. */
export function useNumberNames() {
  const common = useTranslations('common');
  const { data: numbers = [] } = useQuery(numbersQuery);
  return (ids: NumberIds): string => {
    if (ids === 'all') return common('allNumbers');
    const labels = ids.map((id) => numbers.find(({ numberId }) => numberId === id)?.label);
    return labels.filter((label) => label !== undefined).join(', ');
  };
}
