import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AuthenticationError } from '../../../sdk/index.ts';
import { signedOutClient } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback.tsx';
import { mailedToken, SignInFrame } from './sign-in-frame.tsx';

/** Whoever has the link in the mail says whether they want alerts. Opening it alone says nothing: machines open links. */
export function AlertAddressPage() {
  const t = useTranslations('alerts.confirm');
  const [token] = useState(mailedToken);
  const confirm = useMutation({
    mutationFn: () =>
      signedOutClient.request<{ email: string }>({
        method: 'POST',
        path: '/v1/alert-channels/confirm',
        body: { token },
      }),
  });
  if (token === null) return <SignInFrame title={t('cutTitle')} lead={t('cutLead')} />;
  if (confirm.data !== undefined) {
    return <SignInFrame title={t('done')} lead={t('doneLead', { email: confirm.data.email })} />;
  }
  const isOver = confirm.error instanceof AuthenticationError;
  return (
    <SignInFrame title={t('title')} lead={isOver ? t('over') : t('lead')}>
      {!isOver && <Problem error={confirm.error} />}
      {!isOver && (
        <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {t('submit')}
        </Button>
      )}
    </SignInFrame>
  );
}
