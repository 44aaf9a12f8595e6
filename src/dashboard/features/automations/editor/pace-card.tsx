import { NativeSelect, Stack, Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Card } from '../../../parts/frames/card.tsx';
import type { Draft } from './draft.ts';

const hour = 3_600;
const rests = [0, 60, 600, hour, 12 * hour, 24 * hour, 7 * 24 * hour] as const;

/** How often a person is answered, and where. */
export function PaceCard({ draft, onChange }: { draft: Draft; onChange: (changes: Partial<Draft>) => void }) {
  const t = useTranslations('automations');
  const { cooldownSeconds, inGroups, enabled } = draft;
  const known = rests.some((seconds) => seconds === cooldownSeconds) ? rests : [...rests, cooldownSeconds];
  return (
    <Card title={t('pace')}>
      <Stack gap="sm">
        <NativeSelect
          label={t('rest')}
          description={t('restHint')}
          inputWrapperOrder={['label', 'input', 'description']}
          data={known.map((seconds) => ({ value: String(seconds), label: restWords(seconds, t) }))}
          value={String(cooldownSeconds)}
          onChange={({ currentTarget }) => onChange({ cooldownSeconds: Number(currentTarget.value) })}
        />
        <Switch
          label={t('inGroups')}
          checked={inGroups}
          onChange={({ currentTarget }) => onChange({ inGroups: currentTarget.checked })}
        />
        <Switch
          label={t('isOn')}
          checked={enabled}
          onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })}
        />
      </Stack>
    </Card>
  );
}

function restWords(seconds: number, t: ReturnType<typeof useTranslations<'automations'>>): string {
  if (seconds === 0) return t('noRest');
  if (seconds % (24 * hour) === 0) return t('restDays', { count: seconds / (24 * hour) });
  if (seconds % hour === 0) return t('restHours', { count: seconds / hour });
  return t('restMinutes', { count: Math.max(1, Math.round(seconds / 60)) });
}
