import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../sdk/index.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';

/** What a key sends through, in words. */
export function useSenderName(): (key: ApiKey) => string {
  const t = useTranslations('apiKeys');
  const numbers = useQuery(numbersQuery);
  return ({ pinnedNumberId, onPinFailure }) => {
    if (pinnedNumberId === null) return t('pool');
    const number = numbers.data?.find(({ numberId }) => numberId === pinnedNumberId);
    const name = number?.label ?? t('goneNumber');
    return onPinFailure === 'strict' ? t('pinnedStrict', { name }) : t('pinnedFallback', { name });
  };
}
