import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Bridge } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { bridgesChanged, showBridge } from '../../queries/account/bridges.ts';
import { nameOf } from './bridge-state.ts';

const Confirm = lazy(() => import('../../parts/asking/confirm.tsx'));

/** Empties a bridge, takes it back, or throws it out for good. */
export function BridgeActions({ bridge }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  const [asked, setAsked] = useState<'drain' | 'revoke' | null>(null);
  const { bridgeId, isDraining } = bridge;
  const name = nameOf(bridge);
  const close = () => setAsked(null);
  const step = useMutation({
    mutationFn: (verb: 'drain' | 'resume') => gateway.bridges[verb](bridgeId),
    onSuccess: (changed) => {
      showBridge(changed);
      close();
    },
  });
  const revoke = useMutation({
    mutationFn: () => gateway.bridges.revoke(bridgeId),
    onSuccess: () => {
      void bridgesChanged();
      close();
    },
  });
  return (
    <>
      <Group gap="xs" role="group" aria-label={t('actions')}>
        {isDraining ? (
          <Button size="xs" onClick={() => step.mutate('resume')} loading={step.isPending}>
            {t('resume')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => setAsked('drain')}>
            {t('drain')}
          </Button>
        )}
        <Button size="xs" variant="default" color="danger" onClick={() => setAsked('revoke')}>
          {t('revoke')}
        </Button>
      </Group>
      {asked === null && <Problem error={step.error} />}
      <Suspense>
        {asked === 'drain' && (
          <Confirm
            onClose={close}
            title={t('drainTitle', { name })}
            lead={t('drainLead')}
            action={t('drain')}
            isBusy={step.isPending}
            error={step.error}
            onConfirm={() => step.mutate('drain')}
          />
        )}
        {asked === 'revoke' && (
          <Confirm
            onClose={close}
            title={t('revokeTitle', { name })}
            lead={t('revokeLead')}
            action={t('revoke')}
            word={name}
            isBusy={revoke.isPending}
            error={revoke.error}
            onConfirm={() => revoke.mutate()}
          />
        )}
      </Suspense>
    </>
  );
}
