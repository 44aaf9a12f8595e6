import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { eventNames } from '../../../../sdk/index.ts';
import { More } from '../../../parts/feedback/more.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { type DeliveryFilter, deliveriesQuery } from '../../../queries/developers/webhooks.ts';
import classes from './deliveries.module.css';
import { DeliveryRow } from './delivery-row.tsx';

const SendAgain = lazy(() => import('./send-again.tsx'));

const statuses = ['pending', 'held', 'delivered', 'failed'] as const;

/** What was sent to a webhook, newest first. What is shown of it stands in the address. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const t = useTranslations('webhooks.deliveries');
  const { status, event } = useSearch({ from: '/signed-in/developer/webhooks/$webhookId' });
  const filter: DeliveryFilter = { ...(status && { status }), ...(event && { event }) };
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const deliveries = useInfiniteQuery(deliveriesQuery(webhookId, filter));
  const shown = deliveries.data?.pages.flatMap(({ data }) => data);
  const show = (changed: { status?: string; event?: string }) =>
    void navigate({
      to: '/developer/webhooks/$webhookId',
      params: { webhookId },
      search: {
        status: statuses.find((name) => name === ('status' in changed ? changed.status : status)),
        event: eventNames.find((name) => name === ('event' in changed ? changed.event : event)),
      },
      replace: true,
    });
  return (
    <section aria-label={t('title')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <h3>{t('title')}</h3>
          <Button size="xs" variant="default" onClick={() => setAsked(true)}>
            {t('sendAgain')}
          </Button>
        </Group>
        <Group grow>
          <NativeSelect
            size="xs"
            aria-label={t('status')}
            data={[
              { value: '', label: t('anyStatus') },
              ...statuses.map((value) => ({ value, label: t(`state.${value}`) })),
            ]}
            value={status ?? ''}
            onChange={({ currentTarget }) => show({ status: currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            aria-label={t('event')}
            data={[{ value: '', label: t('anyEvent') }, ...eventNames]}
            value={event ?? ''}
            onChange={({ currentTarget }) => show({ event: currentTarget.value })}
          />
        </Group>
        {deliveries.isPending && <Waiting />}
        <Problem error={deliveries.error} onRetry={() => void deliveries.refetch()} />
        {shown?.length === 0 && (
          <p className={classes.quiet}>{status || event ? t('noneOfThese') : t('none')}</p>
        )}
        {shown !== undefined && shown.length > 0 && (
          <ul className={classes.list}>
            {shown.map((delivery) => (
              <DeliveryRow key={delivery.deliveryId} webhookId={webhookId} delivery={delivery} />
            ))}
          </ul>
        )}
        <More query={deliveries} />
      </Stack>
      <Suspense>{isAsked && <SendAgain webhookId={webhookId} onClose={() => setAsked(false)} />}</Suspense>
    </section>
  );
}
