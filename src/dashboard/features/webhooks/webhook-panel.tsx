import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import type { Webhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { ConfirmButton, DialogButton } from '../../parts/asking/dialog-button.tsx';
import { Note, Problem, Status } from '../../parts/feedback.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { ShortId } from '../../parts/values/copyable.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { showWebhook, webhookQuery, webhooksChanged } from '../../queries/developers/webhooks.ts';
import { useNumberLabel } from '../../queries/numbers.ts';
import { Deliveries } from './deliveries.tsx';
import { TestButton, TestResult, useTestEvent } from './test-outcome.tsx';
import { stateOf, webhookTone } from './webhooks-page.tsx';

/** One webhook: how it does, what to do about it, and everything that was sent there. */
export default function WebhookPanel() {
  const t = useTranslations('webhooks');
  const { webhookId } = useParams({ from: '/signed-in/developer/webhooks/$webhookId' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/developer/webhooks' });
  const query = useQuery(webhookQuery(webhookId));
  const webhook = query.data;
  return (
    <SidePanel
      key={webhookId}
      title={webhook?.url ?? t('title')}
      subtitle={webhook?.description}
      query={query}
      onClose={close}
    >
      {webhook && (
        <>
          <WebhookActions webhook={webhook} onDeleted={close} />
          <WebhookFacts webhook={webhook} />
          <Deliveries webhookId={webhookId} />
        </>
      )}
    </SidePanel>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const labelOf = useNumberLabel();
  const { id, events, numberIds, headerNames, lastDeliveryAt, previousSecretExpiresAt, createdAt } = webhook;
  return (
    <Facts
      facts={[
        [
          common('state'),
          <Status key="state" tone={webhookTone[stateOf(webhook)]}>
            {t(`state.${stateOf(webhook)}`)}
          </Status>,
        ],
        [t('events'), events === 'all' ? t('allEvents') : <code key="events">{events.join(', ')}</code>],
        [
          common('numbers'),
          numberIds === 'all'
            ? common('allNumbers')
            : numberIds.map((id) => labelOf(id) ?? common('deletedNumber')).join(', '),
        ],
        [
          t('columnLast'),
          lastDeliveryAt === null ? common('never') : <Moment key="last" at={lastDeliveryAt} ago />,
        ],
        headerNames.length > 0 && [t('headers.title'), <code key="headers">{headerNames.join(', ')}</code>],
        previousSecretExpiresAt !== null && [
          t('previousSecret'),
          <Moment key="rotation" at={previousSecretExpiresAt} />,
        ],
        [t('createdAt'), <Moment key="created" at={createdAt} />],
        [common('id'), <ShortId key="id" id={id} />],
      ]}
    />
  );
}

const WebhookDialog = lazy(() => import('./webhook-dialog.tsx'));
const RotateSecret = lazy(() => import('../../parts/asking/secrets.tsx'));

/** What can be done with a webhook now; where it was stopped, why, and what to do. */
function WebhookActions({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const test = useTestEvent(webhook.id);
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => gateway.webhooks.update(webhook.id, { enabled }),
    onSuccess: (stored) => {
      showWebhook(stored);
      void webhooksChanged();
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
          {t('stoppedLead')}
        </Note>
      )}
      {state === 'off' && <Note tone="blue">{t('offLead')}</Note>}
      {state === 'failing' && <Note tone="amber">{t('failingLead', { count: webhook.failureStreak })}</Note>}
      <Group gap="xs" role="group" aria-label={t('actions')}>
        {!webhook.enabled && (
          <Button size="xs" onClick={() => toggle.mutate(true)} loading={toggle.isPending}>
            {state === 'stopped' ? t('switchOnAgain') : common('enable')}
          </Button>
        )}
        <TestButton test={test} size="xs" />
        <DialogButton
          action={common('edit')}
          dialog={(close) => <WebhookDialog webhook={webhook} onClose={close} />}
        />
        <DialogButton
          action={common('newSecret')}
          dialog={(close) => <RotateSecret of="webhooks" rotate={rotate} onClose={close} />}
        />
        {webhook.enabled && (
          <SmallButton onClick={() => toggle.mutate(false)} loading={toggle.isPending}>
            {common('disable')}
          </SmallButton>
        )}
        <ConfirmButton
          isGrave
          title={t('deleteTitle')}
          lead={t('deleteLead')}
          action={common('delete')}
          onConfirm={async () => {
            await gateway.webhooks.delete(webhook.id);
            onDeleted();
            void webhooksChanged(webhook.id);
          }}
        />
      </Group>
      <TestResult test={test} />
      <Problem error={toggle.error} />
    </>
  );
}
