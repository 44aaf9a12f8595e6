import { NumberInput, Switch, TagsInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Settings } from '../../../../sdk/index.ts';
import { checkOf } from '../../../parts/fields/input.ts';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { useSettingsForm } from '../draft.ts';
import { Section } from '../section.tsx';

const secondMs = 1000;

/** What holds for every send of the account: one form for each of its two parts. */
export default function SendingRules({ settings }: { settings: Settings }) {
  return (
    <>
      <PoolRules settings={settings} />
      <AccountFilters filters={settings.filters} />
    </>
  );
}

/** How the pool chooses, and when a message goes to another number. */
function PoolRules({ settings }: { settings: Settings }) {
  const t = useTranslations('accountSettings.rules');
  const { stickyHours, rerouteAfterMs, networkChecksPerDay } = settings;
  const stored = { stickyHours, rerouteSeconds: rerouteAfterMs / secondMs, networkChecksPerDay };
  const { draft, change, form } = useSettingsForm(stored, ({ rerouteSeconds, ...changes }) => ({
    ...changes,
    rerouteAfterMs: Math.round(rerouteSeconds * secondMs),
  }));
  const figure = (name: keyof typeof stored, hint: string, max: number) => (
    <NumberInput
      label={t(name)}
      description={hint}
      min={0}
      max={max}
      value={draft[name]}
      onChange={(value) => change({ [name]: Number(value) })}
    />
  );
  return (
    <Section title={t('title')} lead={t('lead')}>
      <PageForm {...form}>
        {figure('stickyHours', t('stickyHoursHint'), 720)}
        {figure('rerouteSeconds', t('rerouteSecondsHint'), 86_400)}
        {figure('networkChecksPerDay', t('networkChecksPerDayHint'), 10_000)}
      </PageForm>
    </Section>
  );
}

/** Whom no number of the account may write to; a number can have narrower ones of its own. */
function AccountFilters({ filters }: { filters: Settings['filters'] }) {
  const t = useTranslations('accountSettings.filters');
  const { draft, change, form } = useSettingsForm(filters, (changed) => ({ filters: changed }));
  const list = (name: 'allowPrefixes' | 'blockPrefixes' | 'blockNumbers', hint: string) => (
    <TagsInput
      label={t(name)}
      description={hint}
      splitChars={[',', ' ', ';']}
      acceptValueOnBlur
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <Section title={t('title')} lead={t('lead')}>
      <PageForm {...form}>
        {list('allowPrefixes', t('allowPrefixesHint'))}
        {list('blockPrefixes', t('blockPrefixesHint'))}
        {list('blockNumbers', t('blockNumbersHint'))}
        <Switch
          label={t('checkOnNetwork')}
          description={t('checkOnNetworkHint')}
          {...checkOf(draft.checkOnNetwork, (checkOnNetwork) => change({ checkOnNetwork }))}
        />
      </PageForm>
    </Section>
  );
}
