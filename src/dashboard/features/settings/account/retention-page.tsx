import { NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Settings } from '../../../../sdk/index.ts';
import { QueryState } from '../../../parts/feedback.tsx';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { accountSettingsQuery } from '../../../queries/support.ts';
import { useSettingsForm } from '../draft.ts';
import { Section } from '../section.tsx';

/** How long messages and events are at hand. */
export default function RetentionPage() {
  const t = useTranslations('accountSettings.retention');
  const query = useQuery(accountSettingsQuery);
  const data = query.data;
  return (
    <Stack gap="xl" maw={720}>
      <Section title={t('title')} lead={t('lead')}>
        <QueryState query={query} />
        {data !== undefined && <RetentionForm retention={data.retention} />}
      </Section>
    </Stack>
  );
}

function RetentionForm({ retention }: { retention: Settings['retention'] }) {
  const t = useTranslations('accountSettings.retention');
  const { draft, change, form } = useSettingsForm(retention, (changed) => ({ retention: changed }));
  const isShorter =
    draft.messagesMonths < retention.messagesMonths || draft.eventsDays < retention.eventsDays;
  return (
    <PageForm {...form}>
      <NumberInput
        label={t('messagesMonths')}
        description={t('messagesMonthsHint')}
        min={1}
        max={120}
        value={draft.messagesMonths}
        onChange={(value) => change({ messagesMonths: Number(value) || retention.messagesMonths })}
      />
      <NumberInput
        label={t('eventsDays')}
        description={t('eventsDaysHint')}
        min={1}
        max={365}
        value={draft.eventsDays}
        onChange={(value) => change({ eventsDays: Number(value) || retention.eventsDays })}
      />
      {form.isDirty && isShorter && <p>{t('shorter')}</p>}
    </PageForm>
  );
}
