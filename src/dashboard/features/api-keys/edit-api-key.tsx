import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { showApiKey } from '../../queries/developers/api-keys.ts';
import { KeyFields } from './key-fields.tsx';
import { changesOf, type KeyFields as Fields, fieldsOf } from './key-form.ts';

interface EditApiKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** What a key may do from its next request on. */
export default function EditApiKey({ apiKey, onClose }: EditApiKeyProps) {
  const t = useTranslations('apiKeys');
  return (
    <Dialog isLarge onClose={onClose} title={t('editTitle', { name: apiKey.name })}>
      <EditForm apiKey={apiKey} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ apiKey, onClose }: EditApiKeyProps) {
  const common = useTranslations('common');
  const form = useForm({ defaultValues: fieldsOf(apiKey) });
  const save = useMutation({
    mutationFn: (fields: Fields) => gateway.apiKeys.update(apiKey.id, changesOf(fields)),
    onSuccess: (stored) => {
      showApiKey(stored);
      onClose();
    },
  });
  const submit = form.handleSubmit((fields) => save.mutate(fields));
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <FormProvider {...form}>
          <KeyFields />
        </FormProvider>
        <Problem error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!form.formState.isDirty}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
