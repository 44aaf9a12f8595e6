import { TagsInput, Textarea } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Settings } from '../../../../sdk/index.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { useSettingsForm } from '../draft.ts';
import { Section } from '../section.tsx';

/** A message that is one of these words and nothing else puts its author on the list, or takes them off it. */
export default function OptOutWords({ optOut }: { optOut: Settings['optOut'] }) {
  const t = useTranslations('accountSettings.words');
  const { stopWords, startWords, confirmation } = optOut;
  const { draft, change, form } = useSettingsForm(
    { stopWords, startWords, confirmation: confirmation ?? '' },
    (fields) => ({
      optOut: { ...fields, confirmation: fields.confirmation.trim() === '' ? null : fields.confirmation },
    }),
  );
  const words = (name: 'stopWords' | 'startWords', hint: string) => (
    <TagsInput
      label={t(name)}
      description={hint}
      splitChars={[',', ';']}
      acceptValueOnBlur
      maxTags={100}
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <Section title={t('title')} lead={t('lead')}>
      <PageForm {...form}>
        {words('stopWords', t('stopWordsHint'))}
        {words('startWords', t('startWordsHint'))}
        <Textarea
          minRows={2}
          label={t('confirmation')}
          description={t('confirmationHint')}
          maxLength={1000}
          {...inputOf(draft.confirmation, (confirmation) => change({ confirmation }))}
        />
      </PageForm>
    </Section>
  );
}
