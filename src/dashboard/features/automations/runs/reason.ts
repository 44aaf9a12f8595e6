import { useFormatter, useTranslations } from 'use-intl';
import type { NoReason } from '../../../../contract/automations/runs.ts';

interface Told {
  reason?: NoReason;
  conditionIndex?: number;
  until?: string;
}

/** Says why an automation did not run; `fields`: what its conditions look at. */
export function useReason() {
  const t = useTranslations('automations');
  const format = useFormatter();
  return ({ reason, conditionIndex, until }: Told, fields: readonly string[]): string => {
    if (reason === undefined) return '';
    if (reason === 'condition') {
      const field = fields[conditionIndex ?? 0];
      const known = field === undefined ? null : field.startsWith('contact.') ? 'attribute' : field;
      return t('reasonCondition', {
        place: String((conditionIndex ?? 0) + 1),
        field: known === null ? '–' : t(`fields.${known as 'text'}`),
      });
    }
    if (reason === 'cooldown' && until !== undefined) {
      const at = format.dateTime(new Date(until), { dateStyle: 'medium', timeStyle: 'short' });
      return t('reasonCooldown', { at });
    }
    return t(`reason.${reason}`);
  };
}
