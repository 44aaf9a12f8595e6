import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { twoFactorQuery } from '../../../queries/account/people.ts';
import { Section } from '../section.tsx';

const TurnOn = lazy(() => import('./turn-on.tsx'));
const TurnOff = lazy(() => import('./turn-off.tsx'));

/** Whether signing in takes a code too, and the way there and back. */
export function TwoFactorSection() {
  const t = useTranslations('settings.twoFactor');
  const [isOpen, dialog] = useDisclosure();
  const { data, error, isPending, refetch } = useQuery(twoFactorQuery);
  return (
    <Section title={t('title')} lead={t('lead')}>
      {isPending && <Waiting rows={1} />}
      <Problem error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <Group gap="md">
          <Status tone={data.enabled ? 'green' : 'grey'}>{data.enabled ? t('on') : t('off')}</Status>
          {data.enabled && <span>{t('codesLeft', { count: data.recoveryCodesLeft })}</span>}
          <Button variant="default" onClick={dialog.open}>
            {data.enabled ? t('turnOff') : t('turnOn')}
          </Button>
        </Group>
      )}
      <Suspense>
        {isOpen && data?.enabled === false && <TurnOn onClose={dialog.close} />}
        {isOpen && data?.enabled === true && <TurnOff onClose={dialog.close} />}
      </Suspense>
    </Section>
  );
}
