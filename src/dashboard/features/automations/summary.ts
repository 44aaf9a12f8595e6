import { useTranslations } from 'use-intl';
import type { Automation } from '../../../sdk/index.ts';
import { triggerWord } from './trigger-word.ts';

/** A rule in one line: when it runs, and what it does. */
export function useSummary() {
  const t = useTranslations('automations');
  return ({ on, conditions, actions }: Automation): string => {
    const done = [...new Set(actions.map(({ type }) => type))].filter((type) => type !== 'stop');
    const what = (done.length > 0 ? done : (['stop'] as const)).map((type) => t(`action.${type}`)).join(', ');
    const when = t(`trigger.${triggerWord[on]}`);
    return conditions.length === 0
      ? t('summary', { when, what })
      : t('summaryIf', { when, what, count: conditions.length });
  };
}
