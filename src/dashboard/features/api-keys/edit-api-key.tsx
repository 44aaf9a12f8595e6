import { useMutation } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { DialogForm } from '../../parts/frames/dialog-form.tsx';
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
    <DialogForm
      step={save}
      canSubmit={form.formState.isDirty}
      noValidate
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormProvider {...form}>
        <KeyFields />
      </FormProvider>
    </DialogForm>
  );
}
