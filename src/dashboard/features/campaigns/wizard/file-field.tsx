import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import classes from './wizard.module.css';
import type { WizardFields } from './wizard-fields.ts';

/** The file is stored when it is chosen: once, for everybody who gets it. */
export default function FileField({ onChosen }: { onChosen: (file: File) => void }) {
  const t = useTranslations('campaigns.wizard');
  const { control, setValue, formState, register } = useFormContext<WizardFields>();
  const [kind, mediaId, fileName] = useWatch({ control, name: ['kind', 'mediaId', 'fileName'] });
  const upload = useMutation({
    mutationFn: (file: File) => gateway.media.upload(file, { fileName: file.name, timeoutMs: 120_000 }),
    onSuccess: (stored, file) => {
      setValue('mediaId', stored.mediaId, { shouldValidate: true, shouldDirty: true });
      setValue('fileName', file.name);
      onChosen(file);
    },
  });
  return (
    <Stack gap={6}>
      <input
        type="hidden"
        {...register('mediaId', {
          validate: (id, fields) => fields.kind === 'text' || id !== '' || t('fileNeeded'),
        })}
      />
      <Group gap="sm">
        <FileButton
          accept={kind === 'image' ? 'image/jpeg,image/png' : '*'}
          onChange={(file) => file !== null && upload.mutate(file)}
        >
          {(props) => (
            <Button {...props} variant="default" loading={upload.isPending}>
              {t('chooseFile')}
            </Button>
          )}
        </FileButton>
        <span className={classes.hint}>{mediaId === '' ? '' : fileName}</span>
      </Group>
      {formState.errors.mediaId !== undefined && (
        <span className={classes.error} role="alert">
          {formState.errors.mediaId.message}
        </span>
      )}
      <Problem error={upload.error} />
    </Stack>
  );
}
