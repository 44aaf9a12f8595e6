import { NumberInput, Switch, Textarea } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Settings } from '../../../../../sdk/index.ts';
import { checkOf, inputOf } from '../../../../parts/fields/input.ts';
import { PageForm } from '../../../../parts/frames/page-form.tsx';
import { useSettingsForm } from '../../draft.ts';
import { Section } from '../../section.tsx';

type Support = Settings['support'];

const everyDaysUsual = 30;

interface Draft {
  reports: boolean;
  autoResolveHours: number | null;
  isAsking: boolean;
  question: string;
  everyDays: number;
}

/** What happens once somebody was answered: a question, an end after silence, and figures. */
export default function AfterChat({ support }: { support: Support }) {
  const t = useTranslations('support.after');
  const stored: Draft = {
    reports: support.reports,
    autoResolveHours: support.autoResolveHours,
    isAsking: support.survey !== null,
    question: support.survey?.question ?? t('questionUsual'),
    everyDays: support.survey?.everyDays ?? everyDaysUsual,
  };
  const { draft, change, form } = useSettingsForm(
    stored,
    ({ reports, autoResolveHours, isAsking, question, everyDays }) => ({
      support: { reports, autoResolveHours, survey: isAsking ? { question, everyDays } : null },
    }),
  );
  return (
    <Section title={t('title')} lead={t('lead')}>
      <PageForm {...form}>
        <Switch
          label={t('ask')}
          description={t('askHint')}
          {...checkOf(draft.isAsking, (isAsking) => change({ isAsking }))}
        />
        {draft.isAsking && (
          <>
            <Textarea
              required
              minRows={2}
              label={t('question')}
              description={t('questionHint')}
              maxLength={1000}
              {...inputOf(draft.question, (question) => change({ question }))}
            />
            <NumberInput
              label={t('everyDays')}
              min={1}
              max={365}
              hideControls
              value={draft.everyDays}
              onChange={(value) => change({ everyDays: Number(value) })}
            />
          </>
        )}
        <NumberInput
          label={t('silence')}
          description={t('silenceHint')}
          min={1}
          max={8760}
          hideControls
          value={draft.autoResolveHours ?? ''}
          onChange={(value) => change({ autoResolveHours: value === '' ? null : Number(value) })}
        />
        <Switch
          label={t('reports')}
          description={t('reportsHint')}
          {...checkOf(draft.reports, (reports) => change({ reports }))}
        />
      </PageForm>
    </Section>
  );
}
