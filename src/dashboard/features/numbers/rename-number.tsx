import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { FormDialog } from '../../parts/frames/dialog-form.tsx';
import { showNumber } from '../../queries/numbers.ts';

interface RenameNumberProps {
  number: PhoneNumber;
  onClose: () => void;
}

export default function RenameNumber({ number, onClose }: RenameNumberProps) {
  const t = useTranslations('numbers');
  const form = useForm({ defaultValues: { label: number.label } });
  const rename = useMutation({
    mutationFn: ({ label }: { label: string }) =>
      gateway.numbers.update(number.numberId, { label: label.trim() }),
    onSuccess: (changed) => {
      showNumber(changed);
      onClose();
    },
  });
  const submit = form.handleSubmit((fields) => rename.mutate(fields));
  return (
    <FormDialog
      title={t('rename')}
      step={rename}
      isDirty={form.formState.isDirty}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('label')}
        autoComplete="off"
        error={form.formState.errors.label && t('labelNeeded')}
        {...form.register('label', { validate: (label) => /^.{1,100}$/.test(label.trim()) })}
      />
    </FormDialog>
  );
}
