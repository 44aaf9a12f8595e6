import { Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../gateway/client.ts';
import { FormDialog } from '../../parts/frames/dialog-form.tsx';
import { showAssistant } from '../../queries/assistants.ts';
import { newProvider, ProviderFields, type ProviderForm, providerRequest } from './provider-fields.tsx';

interface Fields {
  name: string;
  instructions: string;
  provider: ProviderForm;
}

/** A new assistant, switched off until it was tried. */
export default function CreateAssistant({ onClose }: { onClose: () => void }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const form = useForm<Fields>({
    defaultValues: { name: '', instructions: t('instructionsStart'), provider: newProvider },
  });
  const create = useMutation({
    mutationFn: (fields: Fields) =>
      gateway.assistants.create({
        name: fields.name.trim(),
        instructions: fields.instructions,
        provider: providerRequest(fields.provider),
      }),
    onSuccess: (assistant) => {
      showAssistant(assistant);
      onClose();
      const { assistantId } = assistant;
      void navigate({ to: '/assistants/$assistantId', params: { assistantId } });
    },
    // It holds a key.
    gcTime: 0,
  });
  const { errors } = form.formState;
  const needed = (value: string) => value.trim() !== '' || common('needed');
  const submit = form.handleSubmit((fields) => create.mutate(fields));
  return (
    <FormDialog
      title={t('add')}
      isLarge
      step={create}
      action={common('create')}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={common('name')}
        placeholder={t('nameExample')}
        autoComplete="off"
        maxLength={100}
        error={errors.name?.message}
        {...form.register('name', { validate: needed })}
      />
      <FormProvider {...form}>
        <ProviderFields />
      </FormProvider>
      <Textarea
        label={t('instructions')}
        description={t('instructionsHint')}
        minRows={5}
        maxRows={12}
        error={errors.instructions?.message}
        {...form.register('instructions', { validate: needed })}
      />
    </FormDialog>
  );
}
