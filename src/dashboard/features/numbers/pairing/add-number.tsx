import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { FormDialog } from '../../../parts/frames/dialog-form.tsx';
import { showNumber } from '../../../queries/numbers.ts';

/** A name first; then its page opens, where its QR code is. */
export default function AddNumber({ onClose }: { onClose: () => void }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const form = useForm({ defaultValues: { label: '' } });
  const add = useMutation({
    mutationFn: async ({ label }: { label: string }) => {
      const number = await gateway.numbers.create({ label: label.trim() });
      showNumber(number);
      // Where this is refused (too many at once), the number's page says so and offers it again.
      const pairing = await gateway.numbers.pair(number.numberId, { method: 'qr' }).catch(() => null);
      if (pairing !== null) showNumber(pairing);
      return number;
    },
    onSuccess: ({ numberId }) => navigate({ to: '/numbers/$numberId', params: { numberId }, search: {} }),
  });
  const submit = form.handleSubmit((fields) => add.mutate(fields));
  return (
    <FormDialog
      title={t('add')}
      step={add}
      isDirty={form.formState.isDirty}
      action={common('continue')}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('addLead')}</p>
      <TextInput
        data-autofocus
        label={t('label')}
        placeholder={t('labelExample')}
        autoComplete="off"
        error={form.formState.errors.label && t('labelNeeded')}
        {...form.register('label', { validate: (label) => /^.{1,100}$/.test(label.trim()) })}
      />
    </FormDialog>
  );
}
