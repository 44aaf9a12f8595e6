import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../gateway/client.ts';
import { Note, Problem } from '../../parts/feedback.tsx';
import { Dialog } from '../../parts/frames/dialog.tsx';

/** One message of the campaign to oneself. */
export default function TestDialog({ campaignId, onClose }: { campaignId: string; onClose: () => void }) {
  const t = useTranslations('campaigns.test');
  const campaigns = useTranslations('campaigns');
  const common = useTranslations('common');
  const [to, setTo] = useState('');
  const send = useMutation({ mutationFn: () => gateway.campaigns.test(campaignId, { to }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to.trim() !== '') send.mutate();
  };
  return (
    <Dialog title={campaigns('page.test')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
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
          <Problem error={send.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common('close')}
            </Button>
            <Button type="submit" loading={send.isPending}>
              {common('send')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
