import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Webhook } from '../../../sdk/index.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { ListPage } from '../../parts/frames/list-page.tsx';
import { ListWithPanel } from '../../parts/frames/side-panel.tsx';
import table from '../../parts/frames/table.module.css';
import { Icon } from '../../parts/icon.tsx';
import { CodeBlock } from '../../parts/values/code/code-block.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { webhooksQuery } from '../../queries/developers/webhooks.ts';
import { stateOf, webhookTone } from './webhook-state.ts';
import classes from './webhooks.module.css';

const AddWebhook = lazy(() => import('./add-webhook.tsx'));

const example = `POST /hooks/heliograph
X-Service-Event: message.delivered
X-Service-Signature: 627dc0fb1f7a86e9…

{"id":"evt_…","event":"message.delivered","timestamp":"…","data":{"messageId":"msg_…"}}`;

export function WebhooksPage() {
  const t = useTranslations('webhooks');
  const [isAdding, adding] = useDisclosure();
  const webhooks = useQuery(webhooksQuery);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {t('add')}
    </Button>
  );
  const empty = (
    <Empty icon="webhook" title={t('emptyTitle')} lead={t('emptyLead')}>
      <CodeBlock name={t('exampleName')} text={example} />
      {add}
    </Empty>
  );
  const list = (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={webhooks}
      rows={webhooks.data}
      add={add}
      empty={empty}
      list={(rows) => <WebhooksTable webhooks={rows} />}
    >
      <Suspense>{isAdding && <AddWebhook onClose={adding.close} />}</Suspense>
    </ListPage>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

function WebhooksTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const format = useFormatter();
  const { webhookId: openId } = useParams({ strict: false });
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{t('columnUrl')}</th>
            <th>{t('columnState')}</th>
            <th className={table.wide}>{t('columnEvents')}</th>
            <th className={`${table.wide} ${table.figure}`}>{t('columnStreak')}</th>
            <th className={table.wide}>{t('columnLast')}</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id} data-open={webhook.id === openId}>
              <td className={classes.url}>
                <Link
                  to="/developer/webhooks/$webhookId"
                  params={{ webhookId: webhook.id }}
                  className={table.link}
                >
                  {webhook.url}
                </Link>
                {webhook.description !== null && <div className={table.quiet}>{webhook.description}</div>}
              </td>
              <td>
                <Status tone={webhookTone[stateOf(webhook)]}>{t(`state.${stateOf(webhook)}`)}</Status>
              </td>
              <td className={`${table.wide} ${table.quiet}`}>
                {webhook.events === 'all'
                  ? t('allEvents')
                  : t('eventCount', { count: webhook.events.length })}
              </td>
              <td className={`${table.wide} ${table.figure}`}>{format.number(webhook.failureStreak)}</td>
              <td className={`${table.wide} ${table.quiet}`}>
                {webhook.lastDeliveryAt === null ? (
                  common('never')
                ) : (
                  <Moment at={webhook.lastDeliveryAt} ago />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
