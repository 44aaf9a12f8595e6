import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type JSX, useCallback } from 'react';
import { useTranslations } from 'use-intl';
import type { Webhook } from '../../../sdk/index.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { ShortId } from '../../parts/values/short-id.tsx';
import { webhookQuery } from '../../queries/developers/webhooks.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import { Deliveries } from './deliveries/deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { stateOf, webhookTone } from './webhook-state.ts';

/** One webhook: how it does, what to do about it, and everything that was sent there. */
export function WebhookPanel() {
  const t = useTranslations('webhooks');
  const { webhookId } = useParams({ from: '/signed-in/developer/webhooks/$webhookId' });
  const navigate = useNavigate();
  const close = useCallback(() => void navigate({ to: '/developer/webhooks' }), [navigate]);
  const { data: webhook, error, isPending, refetch } = useQuery(webhookQuery(webhookId));
  if (webhook === undefined) {
    return (
      <SidePanel key={webhookId} title={t('title')} name={t('title')} onClose={close}>
        {isPending && <Waiting />}
        <Problem error={error} onRetry={() => void refetch()} />
      </SidePanel>
    );
  }
  const subtitle = webhook.description ?? undefined;
  return (
    <SidePanel key={webhookId} title={webhook.url} subtitle={subtitle} name={webhook.url} onClose={close}>
      <WebhookActions webhook={webhook} onDeleted={close} />
      <WebhookFacts webhook={webhook} />
      <Deliveries webhookId={webhookId} />
    </SidePanel>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const numbers = useQuery(numbersQuery);
  const { id, events, numberIds, headerNames, lastDeliveryAt, previousSecretExpiresAt, createdAt } = webhook;
  const labelOf = (numberId: string) =>
    numbers.data?.find((number) => number.numberId === numberId)?.label ?? t('goneNumber');
  const rotation: [string, JSX.Element][] =
    previousSecretExpiresAt === null
      ? []
      : [[t('previousSecret'), <Moment key="rotation" at={previousSecretExpiresAt} />]];
  const headers: [string, JSX.Element][] =
    headerNames.length === 0
      ? []
      : [[t('headers.title'), <code key="headers">{headerNames.join(', ')}</code>]];
  return (
    <Facts
      facts={[
        [
          t('columnState'),
          <Status key="state" tone={webhookTone[stateOf(webhook)]}>
            {t(`state.${stateOf(webhook)}`)}
          </Status>,
        ],
        [t('events'), events === 'all' ? t('allEvents') : <code key="events">{events.join(', ')}</code>],
        [t('numbers'), numberIds === 'all' ? t('allNumbers') : numberIds.map(labelOf).join(', ')],
        [
          t('columnLast'),
          lastDeliveryAt === null ? common('never') : <Moment key="last" at={lastDeliveryAt} ago />,
        ],
        ...headers,
        ...rotation,
        [t('createdAt'), <Moment key="created" at={createdAt} />],
        [t('id'), <ShortId key="id" id={id} />],
      ]}
    />
  );
}
