import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { dayMs } from '../../../contract/times.ts';
import type { ApiKey } from '../../../sdk/index.ts';
import type { Tone } from '../../parts/feedback.tsx';
import { numbersQuery } from '../../queries/numbers.ts';

/** The keys of an account begin alike: what tells them apart stands at the end. */
export const shortPrefix = ({ prefix }: ApiKey): string => `${prefix.slice(0, 8)}…${prefix.slice(-6)}…`;

export type KeyState = 'active' | 'unused' | 'idle' | 'ending' | 'expired';

export const keyStateTone: Record<KeyState, Tone> = {
  active: 'green',
  unused: 'blue',
  idle: 'grey',
  ending: 'amber',
  expired: 'red',
};

/** Nobody misses a key that was not used for so long. */
export const idleDays = 30;
const endingDays = 7;

export function stateOf(key: ApiKey, now = Date.now()): KeyState {
  const endsAt = key.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt);
  if (endsAt <= now) return 'expired';
  if (endsAt - now < endingDays * dayMs) return 'ending';
  const quietSince = Date.parse(key.lastUsedAt ?? key.createdAt);
  if (now - quietSince > idleDays * dayMs) return 'idle';
  return key.lastUsedAt === null ? 'unused' : 'active';
}

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
