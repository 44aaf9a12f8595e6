import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Note } from '../../../parts/feedback/note.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { channelsChanged, showChannel } from '../../../queries/alerts.ts';
import { stateOf } from './shown-channel.ts';
import { TestButton, TestResult, useTest } from './test-channel.tsx';

const Confirm = lazy(() => import('../../../parts/asking/confirm.tsx'));
const EditChannel = lazy(() => import('./edit-channel.tsx'));
const RotateSecret = lazy(() => import('../../../parts/asking/rotate-secret.tsx'));

/** What can be done with a channel now; where nothing arrives, why, and what to do. */
export function ChannelActions({ channel, onDeleted }: { channel: AlertChannel; onDeleted: () => void }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const { channelId, enabled, state, lastError } = channel;
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const test = useTest(channelId);
  const toggle = useMutation({
    mutationFn: () => gateway.alertChannels.update(channelId, { enabled: !enabled }),
    onSuccess: showChannel,
  });
  const remove = useMutation({
    mutationFn: () => gateway.alertChannels.delete(channelId),
    onSuccess: () => {
      onDeleted();
      void channelsChanged(channelId);
    },
  });
  const rotate = async () => {
    const { secret, ...shown } = await gateway.alertChannels.rotateSecret(channelId);
    showChannel(shown);
    return secret;
  };
  return (
    <>
      {state === 'unconfirmed' && <Unconfirmed channelId={channelId} />}
      {state === 'no_mail_server' && (
        <Note tone="amber">
          <p>{t('noMailLead')}</p>
        </Note>
      )}
      {stateOf(channel) === 'failing' && (
        <Note tone="red">
          <p>
            {t('failingLead')} {lastError}
          </p>
        </Note>
      )}
      <Group gap="xs" role="group" aria-label={t('actions')}>
        {!enabled && (
          <Button size="xs" onClick={() => toggle.mutate()} loading={toggle.isPending}>
            {t('switchOn')}
          </Button>
        )}
        {state !== 'unconfirmed' && <TestButton test={test} size="xs" />}
        <Button size="xs" variant="default" onClick={() => setAsked('edit')}>
          {t('edit')}
        </Button>
        {channel.kind === 'webhook' && (
          <Button size="xs" variant="default" onClick={() => setAsked('rotate')}>
            {t('rotate')}
          </Button>
        )}
        {enabled && (
          <Button size="xs" variant="default" onClick={() => toggle.mutate()} loading={toggle.isPending}>
            {t('switchOff')}
          </Button>
        )}
        <Button size="xs" variant="default" color="danger" onClick={() => setAsked('delete')}>
          {common('delete')}
        </Button>
      </Group>
      <TestResult test={test} />
      <Problem error={toggle.error} />
      <Suspense>
        {asked === 'edit' && <EditChannel channel={channel} onClose={close} />}
        {asked === 'rotate' && <RotateSecret of="alerts.channels" rotate={rotate} onClose={close} />}
        {asked === 'delete' && (
          <Confirm
            onClose={close}
            title={t('deleteTitle')}
            lead={t('deleteLead')}
            action={common('delete')}
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
          />
        )}
      </Suspense>
    </>
  );
}

/** Whoever reads at the address has not opened the link yet. */
function Unconfirmed({ channelId }: { channelId: string }) {
  const t = useTranslations('alerts.channels');
  const again = useMutation({ mutationFn: () => gateway.alertChannels.askAgain(channelId) });
  return (
    <>
      <Note tone="amber">
        <p>{t('unconfirmedLead')}</p>
      </Note>
      <Group gap="xs">
        <Button size="xs" variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {t('askAgain')}
        </Button>
        {again.isSuccess && <span role="status">{t('askedAgain')}</span>}
      </Group>
      <Problem error={again.error} />
    </>
  );
}
