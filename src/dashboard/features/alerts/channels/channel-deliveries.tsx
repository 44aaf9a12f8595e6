import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { AlertDelivery } from '../../../../sdk/index.ts';
import { More } from '../../../parts/feedback/more.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status, type Tone } from '../../../parts/feedback/status.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { channelDeliveriesQuery } from '../../../queries/alerts.ts';
import classes from './channels.module.css';

const tones: Record<AlertDelivery['status'], Tone> = {
  pending: 'amber',
  delivered: 'green',
  failed: 'red',
};

/** What went to a channel, with every attempt, newest first. */
export function ChannelDeliveries({ channelId }: { channelId: string }) {
  const t = useTranslations('alerts.channels');
  const deliveries = useInfiniteQuery(channelDeliveriesQuery(channelId));
  const shown = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <section aria-label={t('deliveries')}>
      <Stack gap="sm">
        <h3>{t('deliveries')}</h3>
        {deliveries.isPending && <Waiting />}
        <Problem error={deliveries.error} onRetry={() => void deliveries.refetch()} />
        {shown?.length === 0 && <p className={classes.quiet}>{t('noDeliveries')}</p>}
        {shown !== undefined && shown.length > 0 && (
          <ul className={classes.deliveries}>
            {shown.map((delivery) => (
              <Delivery key={delivery.deliveryId} delivery={delivery} />
            ))}
          </ul>
        )}
        <More query={deliveries} />
      </Stack>
    </section>
  );
}

function Delivery({ delivery }: { delivery: AlertDelivery }) {
  const t = useTranslations('alerts.channels');
  const { news, alertIds, at, status, attempts, nextAttemptAt } = delivery;
  const failed = attempts.filter(({ error }) => error !== null);
  return (
    <li className={classes.delivery}>
      <div className={classes.head}>
        <span>
          {t(`news.${news}`)}
          {alertIds.length > 1 && ` · ${t('alertCount', { count: alertIds.length })}`}
        </span>
        <span className={classes.quiet}>
          <Moment at={at} />
        </span>
        <Status tone={tones[status]}>{t(`delivery.${status}`)}</Status>
      </div>
      {failed.map(({ at: triedAt, error }) => (
        <p key={triedAt} className={classes.error}>
          {error}{' '}
          <span className={classes.quiet}>
            <Moment at={triedAt} />
          </span>
        </p>
      ))}
      {nextAttemptAt !== null && (
        <p className={classes.quiet}>
          {t('next')} <Moment at={nextAttemptAt} />
        </p>
      )}
    </li>
  );
}
