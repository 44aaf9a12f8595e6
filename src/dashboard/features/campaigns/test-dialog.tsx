import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../gateway/client.ts';
import { Note } from '../../parts/feedback.tsx';
import { inputOf } from '../../parts/fields/input.ts';
import { FormDialog } from '../../parts/frames/dialog-form.tsx';

/** One message of the campaign to oneself. */
export default function TestDialog({ campaignId, onClose }: { campaignId: string; onClose: () => void }) {
  const t = useTranslations('campaigns.test');
  const campaigns = useTranslations('campaigns');
  const common = useTranslations('common');
  const [to, setTo] = useState('');
  const send = useMutation({ mutationFn: () => gateway.campaigns.test(campaignId, { to }) });
  const submit = () => {
    if (to.trim() !== '') send.mutate();
  };
  return (
    <FormDialog
      title={campaigns('page.test')}
      step={send}
      action={common('send')}
      leave={common('close')}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t('lead')}</p>
      <TextInput
        data-autofocus
        label={common('phoneNumber')}
        description={t('toHint')}
        inputMode="tel"
        autoComplete="tel"
        {...inputOf(to, setTo)}
      />
      {send.data !== undefined && <Note tone="green">{t('sent', { text: send.data.text })}</Note>}
    </FormDialog>
  );
}
