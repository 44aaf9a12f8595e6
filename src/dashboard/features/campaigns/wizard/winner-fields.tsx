import { Group, Switch } from '@mantine/core';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Figure } from './figure.tsx';
import type { WizardFields } from './wizard-fields.ts';

/** Whether answers decide which text the others get. */
export default function WinnerFields() {
  const t = useTranslations('campaigns.wizard');
  const { control, register } = useFormContext<WizardFields>();
  const hasWinner = useWatch({ control, name: 'hasWinner' });
  return (
    <>
      <Switch
        label={t('winner')}
        description={t('winnerHint')}
        {...register('hasWinner')}
        checked={hasWinner}
      />
      {hasWinner && (
        <Group grow align="flex-start">
          <Figure name="testPercent" label={t('testPercent')} min={1} max={90} />
          <Figure name="afterMinutes" label={t('afterMinutes')} min={1} max={10_080} />
        </Group>
      )}
    </>
  );
}
