import { NativeSelect, Radio, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Note } from '../../../parts/feedback/note.tsx';
import { contactLabelsQuery, segmentsQuery } from '../../../queries/contacts/contacts.ts';
import { FileAudience } from './file-audience.tsx';
import classes from './wizard.module.css';
import type { WizardFields } from './wizard-fields.ts';

/** Whom it is for, and that strangers are a risk. */
export default function AudienceStep() {
  const t = useTranslations('campaigns.wizard');
  const { control, register, formState } = useFormContext<WizardFields>();
  const [audience, label, coldContacts] = useWatch({ control, name: ['audience', 'label', 'coldContacts'] });
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
              <Radio value="csv" label={t('csv')} />
            </Stack>
          </Radio.Group>
        )}
      />
      {audience === 'label' && (
        <NativeSelect
          label={t('labelName')}
          data={['', ...new Set([...(labels.data ?? []), ...(label === '' ? [] : [label])])]}
          error={formState.errors.label?.message}
          {...register('label', {
            validate: (name, fields) => fields.audience !== 'label' || name !== '' || t('labelNeeded'),
          })}
          value={label}
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
      {audience === 'csv' && <FileAudience />}
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
