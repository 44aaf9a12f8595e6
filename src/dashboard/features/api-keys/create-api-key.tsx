import { Group, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Controller, FormProvider, useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { CreatedApiKey } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { DialogForm, type FormStep } from '../../parts/frames/dialog-form.tsx';
import { showApiKey } from '../../queries/developers/api-keys.ts';
import { KeyFields } from './key-fields.tsx';
import { expiries, isFuture, newKeyFields, requestOf } from './key-form.ts';
import { ShownKey } from './shown-key.tsx';

/** What the key may do; then the key itself, which only a press of "Done" puts away: it is never shown again. */
export default function CreateApiKey({ onClose }: { onClose: () => void }) {
  const t = useTranslations('apiKeys');
  const create = useMutation({
    mutationFn: (fields: typeof newKeyFields) => gateway.apiKeys.create(requestOf(fields)),
    onSuccess: ({ key: _secret, ...shown }) => showApiKey(shown),
    // The key is kept nowhere once this is closed.
    gcTime: 0,
  });
  const created: CreatedApiKey | undefined = create.data;
  const isShown = created !== undefined;
  return (
    <Dialog
      isLarge
      isKept={isShown}
      onClose={onClose}
      title={isShown ? t('createdTitle', { name: created.name }) : t('create')}
    >
      {isShown ? (
        <ShownKey secret={created.key} onDone={onClose} />
      ) : (
        <CreateForm step={create} onCreate={(fields) => create.mutate(fields)} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface CreateFormProps {
  step: FormStep;
  onCreate: (fields: typeof newKeyFields) => void;
  onCancel: () => void;
}

function CreateForm({ step, onCreate, onCancel }: CreateFormProps) {
  const t = useTranslations('apiKeys');
  const form = useForm({ defaultValues: newKeyFields });
  const expiry = useWatch({ control: form.control, name: 'expiry' });
  const submit = form.handleSubmit(onCreate);
  return (
    <DialogForm step={step} action={t('createSubmit')} noValidate onSubmit={submit} onCancel={onCancel}>
      <FormProvider {...form}>
        <KeyFields />
      </FormProvider>
      <Group grow align="flex-start">
        <Controller
          control={form.control}
          name="expiry"
          render={({ field }) => (
            <Select
              label={t('expiry')}
              data={expiries.map((value) => ({ value, label: t(`expiries.${value}`) }))}
              allowDeselect={false}
              {...field}
            />
          )}
        />
        {expiry === 'date' && (
          <TextInput
            type="date"
            label={t('expiryDate')}
            error={form.formState.errors.expiryDate?.message}
            {...form.register('expiryDate', { validate: (date) => isFuture(date) || t('dateInFuture') })}
          />
        )}
      </Group>
    </DialogForm>
  );
}
