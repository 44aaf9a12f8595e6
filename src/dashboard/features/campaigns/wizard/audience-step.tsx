import { Autocomplete, NativeSelect, Radio, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Note } from '../../../parts/feedback/note.tsx';
import { contactLabelsQuery, segmentsQuery } from '../../../queries/campaign-audiences.ts';
import classes from './wizard.module.css';
import type { WizardFields } from './wizard-fields.ts';

/** Whom it is for, and that strangers are a risk. */
export default function AudienceStep() {
  const t = useTranslations('campaigns.wizard');
  const { control, register, formState } = useFormContext<WizardFields>();
  const [audience, coldContacts] = useWatch({ control, name: ['audience', 'coldContacts'] });
  const labels = useQuery(contactLabelsQuery);
  const segments = useQuery(segmentsQuery);
  return (
    <Stack gap="md" className={classes.narrow}>
      <Controller
        control={control}
        name="audience"
        render={({ field }) => (
          <Radio.Group label={t('audience')} {...field}>
            <Stack gap="xs" mt={6}>
              <Radio value="all" label={t('all')} />
              <Radio value="label" label={t('label')} />
              <Radio value="segment" label={t('segment')} disabled={segments.data?.length === 0} />
            </Stack>
          </Radio.Group>
        )}
      />
      {audience === 'label' && (
        <Controller
          control={control}
          name="label"
          rules={{
            validate: (label, fields) => fields.audience !== 'label' || label !== '' || t('labelNeeded'),
          }}
          render={({ field }) => (
            <Autocomplete
              label={t('labelName')}
              data={labels.data ?? []}
              limit={30}
              error={formState.errors.label?.message}
              {...field}
            />
          )}
        />
      )}
      {audience === 'segment' && (
        <NativeSelect
          label={t('segmentName')}
          data={[
            { value: '', label: '' },
            ...(segments.data ?? []).map(({ segmentId, name }) => ({ value: segmentId, label: name })),
          ]}
          error={formState.errors.segmentId?.message}
          {...register('segmentId', {
            validate: (id, fields) => fields.audience !== 'segment' || id !== '' || t('segmentNeeded'),
          })}
        />
      )}
      <p className={classes.hint}>{t('importHint')}</p>
      <Switch
        label={t('cold')}
        description={t('coldHint')}
        {...register('coldContacts')}
        checked={coldContacts}
      />
      {coldContacts && (
        <Note tone="amber">
          <p>{t('coldWarning')}</p>
        </Note>
      )}
    </Stack>
  );
}
