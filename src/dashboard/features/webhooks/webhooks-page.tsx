import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Webhook } from '../../../sdk/index.ts';
import { Status, type Tone } from '../../parts/feedback.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ResourcePage } from '../../parts/lists/list-page.tsx';
import { CodeBlock } from '../../parts/values/copyable.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { webhooksQuery } from '../../queries/developers/webhooks.ts';

const WebhookDialog = lazy(() => import('./webhook-dialog.tsx'));

const example = `POST /hooks/heliograph
X-Service-Event: message.delivered
X-Service-Signature: 627dc0fb1f7a86e9…

{"id":"evt_…","event":"message.delivered","timestamp":"…","data":{"messageId":"msg_…"}}`;

export default function WebhooksPage() {
  const t = useTranslations('webhooks');
  const webhooks = useQuery(webhooksQuery);
  return (
    <ResourcePage
      title={t('title')}
      lead={t('lead')}
      query={webhooks}
      rows={webhooks.data}
      add={t('add')}
      empty={{
        icon: 'webhook',
        title: t('emptyTitle'),
        lead: t('emptyLead'),
        example: <CodeBlock name={t('exampleName')} text={example} />,
      }}
      list={(rows) => <WebhooksTable webhooks={rows} />}
      dialog={(onClose) => <WebhookDialog onClose={onClose} />}
    />
  );
}

function WebhooksTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const format = useFormatter();
  const { webhookId: openId } = useParams({ strict: false });
  return (
    <DataTable
      rows={webhooks}
      keyOf={(webhook) => webhook.id}
      openKey={openId}
      columns={[
        {
          head: t('url'),
          isAddress: true,
          cell: (webhook) => (
            <>
              <Link to="/developer/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                {webhook.url}
              </Link>
              {webhook.description !== null && <small>{webhook.description}</small>}
            </>
          ),
        },
        {
          head: common('state'),
          cell: (webhook) => (
            <Status tone={webhookTone[stateOf(webhook)]}>{t(`state.${stateOf(webhook)}`)}</Status>
          ),
        },
        {
          head: t('events'),
          isWide: true,
          isQuiet: true,
          cell: (webhook) =>
            webhook.events === 'all' ? t('allEvents') : t('eventCount', { count: webhook.events.length }),
        },
        {
          head: t('columnStreak'),
          isWide: true,
          isFigure: true,
          cell: (webhook) => format.number(webhook.failureStreak),
        },
        {
          head: t('columnLast'),
          isWide: true,
          isQuiet: true,
          cell: (webhook) =>
            webhook.lastDeliveryAt === null ? common('never') : <Moment at={webhook.lastDeliveryAt} ago />,
        },
      ]}
    />
  );
}

type WebhookState = 'on' | 'failing' | 'stopped' | 'off';

export const webhookTone: Record<WebhookState, Tone> = {
  on: 'green',
  failing: 'amber',
  stopped: 'red',
  off: 'grey',
};

export function stateOf({ enabled, disabledReason, failureStreak }: Webhook): WebhookState {
  if (disabledReason !== null) return 'stopped';
  if (!enabled) return 'off';
  return failureStreak > 0 ? 'failing' : 'on';
}
