import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { FormDialog } from '../../../parts/frames/dialog-form.tsx';
import { optOutsChanged } from '../../../queries/account.ts';

/** Somebody has asked for it in another way: by telephone, say. */
export default function AddOptOut({ onClose }: { onClose: () => void }) {
  const t = useTranslations('accountSettings.optOuts');
  const common = useTranslations('common');
  const [phoneNumber, setPhoneNumber] = useState('');
  const add = useMutation({
    mutationFn: (typed: string) => gateway.optOuts.add(typed),
    onSuccess: async () => {
      await optOutsChanged();
      onClose();
    },
  });
  const submit = () => add.mutate(phoneNumber.trim());
  return (
    <FormDialog title={t('add')} step={add} action={common('add')} onSubmit={submit} onClose={onClose}>
      <p>{t('addLead')}</p>
      <TextInput
        data-autofocus
        required
        type="tel"
        autoComplete="off"
        label={common('phoneNumber')}
        description={t('phoneHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={phoneNumber}
        onChange={({ currentTarget: { value } }) => setPhoneNumber(value)}
      />
    </FormDialog>
  );
}
