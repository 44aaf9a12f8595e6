import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { importQuery } from '../../../queries/contacts/contacts.ts';
import { withWords } from '../../../words/language.ts';
import classes from './wizard.module.css';
import type { WizardFields } from './wizard-fields.ts';

const ImportContacts = lazy(
  withWords(['contacts'], () => import('../../../parts/contact-import/import-contacts.tsx')),
);

/** Everybody in a file: they become contacts, with their consent, and are the recipients. */
export function FileAudience() {
  const t = useTranslations('campaigns.wizard');
  const { control, setValue, register, formState } = useFormContext<WizardFields>();
  const csv = useWatch({ control, name: 'csv' });
  const [isOpen, setOpen] = useState(false);
  const imported = useQuery({ ...importQuery(csv), enabled: csv !== '' });
  const { fileName, created = 0, updated = 0, refusedCount = 0 } = imported.data ?? {};
  return (
    <Stack gap={6}>
      <input
        type="hidden"
        {...register('csv', {
          validate: (id, fields) => fields.audience !== 'csv' || id !== '' || t('csvNeeded'),
        })}
      />
      <Group gap="sm">
        <Button variant="default" onClick={() => setOpen(true)}>
          {t(csv === '' ? 'chooseFile' : 'csvOther')}
        </Button>
        {imported.data !== undefined && (
          <span className={classes.hint}>
            {t('csvPeople', {
              fileName: fileName ?? t('csv'),
              count: created + updated,
              refused: refusedCount,
            })}
          </span>
        )}
      </Group>
      {formState.errors.csv !== undefined && (
        <span className={classes.error} role="alert">
          {formState.errors.csv.message}
        </span>
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
