import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../gateway/client.ts';
import { Note } from '../../parts/feedback.tsx';
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
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="tel"
        autoComplete="tel"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      {send.data !== undefined && (
        <Note tone="green">
          <p>{t('sent', { text: send.data.text })}</p>
        </Note>
      )}
    </FormDialog>
  );
}
