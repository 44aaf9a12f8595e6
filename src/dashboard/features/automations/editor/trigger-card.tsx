import { NativeSelect, NumberInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { automationTriggers } from '../../../../contract/automations/fields.ts';
import { Card } from '../../../parts/frames/card.tsx';
import classes from '../automations.module.css';
import { triggerWord } from '../trigger-word.ts';
import type { Draft, Trigger } from './draft.ts';

const waitingMinutesMax = 10_080;

/** "When": what the rule waits for. */
export function TriggerCard({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
}) {
  const t = useTranslations('automations');
  return (
    <Card title={t('when')}>
      <div className={classes.sentence}>
        <NativeSelect
          aria-label={t('when')}
          className={classes.grows}
          data={automationTriggers.map((value) => ({ value, label: t(`trigger.${triggerWord[value]}`) }))}
          value={draft.on}
          onChange={({ currentTarget }) => onChange({ on: currentTarget.value as Trigger })}
        />
        {draft.on === 'conversation.waiting' && (
          <NumberInput
            aria-label={t('waitingMinutes')}
            className={classes.minutes}
            suffix={t('minutesSuffix')}
            min={1}
            max={waitingMinutesMax}
            allowDecimal={false}
            value={draft.waitingMinutes}
            onChange={(value) => onChange({ waitingMinutes: Math.max(1, Number(value) || 1) })}
          />
        )}
      </div>
      <p className={classes.quiet}>{t(`triggerHint.${triggerWord[draft.on]}`)}</p>
    </Card>
  );
}
