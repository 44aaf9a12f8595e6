import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { Card } from '../../../parts/frames/page.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';

const SecretDialog = lazy(() => import('./secret-dialog.tsx'));

/** A new secret for the callbacks of an automation. */
export function CallbackSecret({ automationId }: { automationId: string }) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const rotate = useMutation({
    mutationFn: () => gateway.automations.rotateSecret(automationId),
    gcTime: 0,
  });
  return (
    <Card title={t('signature')}>
      <Text c="dimmed">{t('signatureLead')}</Text>
      <Group>
        <SmallButton loading={rotate.isPending} onClick={() => rotate.mutate()}>
          {common('newSecret')}
        </SmallButton>
      </Group>
      <Problem error={rotate.error} />
      <Suspense>
        {rotate.data !== undefined && <SecretDialog secret={rotate.data.secret} onClose={rotate.reset} />}
      </Suspense>
    </Card>
  );
}
