import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { optOutsChanged } from '../../../queries/account/account.ts';

/** Somebody has asked for it in another way: by telephone, say. */
export default function AddOptOut({ onClose }: { onClose: () => void }) {
  const t = useTranslations('accountSettings.optOuts');
  return (
    <Dialog title={t('add')} onClose={onClose}>
      <AddForm onDone={onClose} />
    </Dialog>
  );
}

function AddForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('accountSettings.optOuts');
  const common = useTranslations('common');
  const [phoneNumber, setPhoneNumber] = useState('');
  const add = useMutation({
    mutationFn: (typed: string) => gateway.optOuts.add(typed),
    onSuccess: async () => {
      await optOutsChanged();
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(phoneNumber.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <p>{t('addLead')}</p>
        <TextInput
          data-autofocus
          required
          withAsterisk={false}
          type="tel"
          autoComplete="off"
          label={t('phone')}
          description={t('phoneHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={phoneNumber}
          onChange={({ currentTarget: { value } }) => setPhoneNumber(value)}
        />
        <Problem error={add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('addAction')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
