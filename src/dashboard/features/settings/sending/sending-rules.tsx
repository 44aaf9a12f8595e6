import { NumberInput, Switch, TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Settings } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { supportChanged } from '../../../queries/support.ts';
import { useDraft } from '../draft.ts';
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
  const { draft, change, isDirty, forget } = useDraft(stored);
  const save = useMutation({
    mutationFn: ({ rerouteSeconds, ...changes }: typeof stored) =>
      gateway.settings.update({ ...changes, rerouteAfterMs: Math.round(rerouteSeconds * secondMs) }),
    onSuccess: async () => {
      await supportChanged();
      forget();
    },
  });
  const figure = (name: keyof typeof stored, hint: string, max: number) => (
    <NumberInput
      label={t(name)}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={0}
      max={max}
      value={draft[name]}
      onChange={(value) => change({ [name]: Number(value) })}
    />
  );
  return (
    <Section title={t('title')} lead={t('lead')}>
      <PageForm save={save} isDirty={isDirty} onSubmit={() => save.mutate(draft)}>
        {figure('stickyHours', t('stickyHoursHint'), 720)}
        {figure('rerouteSeconds', t('rerouteSecondsHint'), 86_400)}
        {figure('networkChecksPerDay', t('networkChecksPerDayHint'), 10_000)}
      </PageForm>
    </Section>
  );
}

type Filters = Settings['filters'];

/** Whom no number of the account may write to; a number can have narrower ones of its own. */
function AccountFilters({ filters }: { filters: Filters }) {
  const t = useTranslations('accountSettings.filters');
  const { draft, change, isDirty, forget } = useDraft(filters);
  const save = useMutation({
    mutationFn: (changed: Filters) => gateway.settings.update({ filters: changed }),
    onSuccess: async () => {
      await supportChanged();
      forget();
    },
  });
  const list = (name: 'allowPrefixes' | 'blockPrefixes' | 'blockNumbers', hint: string) => (
    <TagsInput
      label={t(name)}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      splitChars={[',', ' ', ';']}
      acceptValueOnBlur
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <Section title={t('title')} lead={t('lead')}>
      <PageForm save={save} isDirty={isDirty} onSubmit={() => save.mutate(draft)}>
        {list('allowPrefixes', t('allowPrefixesHint'))}
        {list('blockPrefixes', t('blockPrefixesHint'))}
        {list('blockNumbers', t('blockNumbersHint'))}
        <Switch
          label={t('checkOnNetwork')}
          description={t('checkOnNetworkHint')}
          checked={draft.checkOnNetwork}
          onChange={({ currentTarget: { checked } }) => change({ checkOnNetwork: checked })}
        />
      </PageForm>
    </Section>
  );
}
