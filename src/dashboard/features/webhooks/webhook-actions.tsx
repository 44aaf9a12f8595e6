import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Webhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Note } from '../../parts/feedback/note.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { showWebhook, webhooksChanged } from '../../queries/developers/webhooks.ts';
import { TestButton, TestResult, useTestEvent } from './test-outcome.tsx';
import { stateOf } from './webhook-state.ts';

const Confirm = lazy(() => import('../../parts/asking/confirm.tsx'));
const EditWebhook = lazy(() => import('./form/edit-webhook.tsx'));
const RotateSecret = lazy(() => import('../../parts/asking/rotate-secret.tsx'));

/** What can be done with a webhook now; where it was stopped, why, and what to do. */
export function WebhookActions({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const test = useTestEvent(webhook.id);
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => gateway.webhooks.update(webhook.id, { enabled }),
    onSuccess: (stored) => {
      showWebhook(stored);
      void webhooksChanged();
    },
  });
  const remove = useMutation({
    mutationFn: () => gateway.webhooks.delete(webhook.id),
    onSuccess: () => {
      onDeleted();
      void webhooksChanged(webhook.id);
    },
  });
  const rotate = async () => {
    const { secret, ...shown } = await gateway.webhooks.rotateSecret(webhook.id);
    showWebhook(shown);
    return secret;
  };
  const state = stateOf(webhook);
  return (
    <>
      {state === 'stopped' && (
        <Note tone="red" title={t('stoppedTitle')}>
          <p>{t('stoppedLead')}</p>
        </Note>
      )}
      {state === 'off' && (
        <Note tone="blue">
          <p>{t('offLead')}</p>
        </Note>
      )}
      {state === 'failing' && (
        <Note tone="amber">
          <p>{t('failingLead', { count: webhook.failureStreak })}</p>
        </Note>
      )}
      <Group gap="xs" role="group" aria-label={t('actions')}>
        {!webhook.enabled && (
          <Button size="xs" onClick={() => toggle.mutate(true)} loading={toggle.isPending}>
            {state === 'stopped' ? t('switchOnAgain') : t('switchOn')}
          </Button>
        )}
        <TestButton test={test} size="xs" />
        <Button size="xs" variant="default" onClick={() => setAsked('edit')}>
          {t('edit')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsked('rotate')}>
          {t('rotate')}
        </Button>
        {webhook.enabled && (
          <Button size="xs" variant="default" onClick={() => toggle.mutate(false)} loading={toggle.isPending}>
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
        {asked === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
        {asked === 'rotate' && <RotateSecret of="webhooks" rotate={rotate} onClose={close} />}
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
