import { Switch, TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Settings } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { supportChanged } from '../../../queries/support.ts';
import { useDraft } from '../draft.ts';
import { Section } from '../section.tsx';

type Filters = Settings['filters'];

/** Whom no number of the account may write to; a number can have narrower ones of its own. */
export default function AccountFilters({ filters }: { filters: Filters }) {
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
