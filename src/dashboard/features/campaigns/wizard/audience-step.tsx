import { Button, Group, NativeSelect, Radio, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Note } from '../../../parts/feedback.tsx';
import { choiceOf, fieldOf } from '../../../parts/fields/fields.ts';
import { Hint } from '../../../parts/hint.tsx';
import { contactLabelsQuery, importQuery, segmentsQuery } from '../../../queries/contacts.ts';
import { withWords } from '../../../words/language.ts';
import type { WizardFields } from './wizard-fields.ts';

/** Whom it is for, and that strangers are a risk. */
export default function AudienceStep() {
  const t = useTranslations('campaigns.wizard');
  const form = useFormContext<WizardFields>();
  const [audience, label, coldContacts] = form.watch(['audience', 'label', 'coldContacts']);
  const labels = useQuery(contactLabelsQuery);
  const segments = useQuery(segmentsQuery);
  return (
    <Stack gap="md" maw={560}>
      <Radio.Group label={t('steps.audience')} {...choiceOf(form, 'audience')}>
        <Stack gap="xs" mt={6}>
          <Radio value="all" label={t('all')} />
          <Radio value="label" label={t('label')} />
          <Radio value="segment" label={t('segment')} disabled={segments.data?.length === 0} />
          <Radio value="csv" label={t('csv')} />
        </Stack>
      </Radio.Group>
      {audience === 'label' && (
        <NativeSelect
          label={t('labelName')}
          data={['', ...new Set([...(labels.data ?? []), ...(label === '' ? [] : [label])])]}
          {...fieldOf(form, 'label', {
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
          {...fieldOf(form, 'segmentId', {
            validate: (id, fields) => fields.audience !== 'segment' || id !== '' || t('segmentNeeded'),
          })}
        />
      )}
      {audience === 'csv' && <FileAudience />}
      <Switch
        label={t('cold')}
        description={t('coldHint')}
        {...form.register('coldContacts')}
        checked={coldContacts}
      />
      {coldContacts && <Note tone="amber">{t('coldWarning')}</Note>}
    </Stack>
  );
}

const ImportContacts = lazy(
  withWords(['contacts'], () => import('../../../parts/contact-import/import-contacts.tsx')),
);

/** Everybody in a file: they become contacts, with their consent, and are the recipients. */
function FileAudience() {
  const t = useTranslations('campaigns.wizard');
  const common = useTranslations('common');
  const { watch, setValue, register, formState } = useFormContext<WizardFields>();
  const csv = watch('csv');
  const [isOpen, setOpen] = useState(false);
  const imported = useQuery({ ...importQuery(csv), enabled: csv !== '' });
  const { fileName, created = 0, updated = 0, refusedCount = 0 } = imported.data ?? {};
  return (
    <Stack gap={6}>
      <input
        type="hidden"
        {...register('csv', {
          validate: (id, fields) => fields.audience !== 'csv' || id !== '' || t('fileNeeded'),
        })}
      />
      <Group gap="sm">
        <Button variant="default" onClick={() => setOpen(true)}>
          {csv === '' ? common('chooseFile') : common('anotherFile')}
        </Button>
        {imported.data !== undefined && (
          <Hint span>
            {t('csvPeople', {
              fileName: fileName ?? t('csv'),
              count: created + updated,
              refused: refusedCount,
            })}
          </Hint>
        )}
      </Group>
      {formState.errors.csv !== undefined && (
        <Text span c="var(--red)" fz="xs" role="alert">
          {formState.errors.csv.message}
        </Text>
      )}
      <Suspense>
        {isOpen && (
          <ImportContacts
            onClose={() => setOpen(false)}
            onUse={({ importId }) => {
              setValue('csv', importId, { shouldValidate: true, shouldDirty: true });
              setOpen(false);
            }}
          />
        )}
      </Suspense>
    </Stack>
  );
}
