import { Button, Group, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Alert } from '../../../sdk/index.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { More } from '../../parts/feedback/more.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { alertsQuery } from '../../queries/alerts.ts';
import { AlertRow } from './alert-row.tsx';
import classes from './alerts.module.css';
import { Mutes } from './mutes.tsx';

const MuteDialog = lazy(() => import('./mute-dialog.tsx'));

const shows = ['open', 'over', 'all'] as const;
const isOpen = { open: true, over: false, all: undefined } as const;

/** What needs a person: what, since when, what to do, and who knows of it. */
export function AlertsPage() {
  const t = useTranslations('alerts');
  const navigate = useNavigate();
  const { show = 'open' } = useSearch({ from: '/signed-in/alerts' });
  const [muted, setMuted] = useState<Alert | null>(null);
  const alerts = useInfiniteQuery(alertsQuery(isOpen[show]));
  const shown = alerts.data?.pages.flatMap(({ data }) => data);
  const channels = (
    <Button
      variant="default"
      leftSection={<Icon name="send" size={16} />}
      component={Link}
      to="/alerts/channels"
    >
      {t('channels.link')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={channels}>
      <Group>
        <SegmentedControl
          aria-label={t('shown')}
          data={shows.map((value) => ({ value, label: t(`show.${value}`) }))}
          value={show}
          onChange={(value) =>
            void navigate({
              to: '/alerts',
              search: value === 'open' ? {} : { show: shows.find((name) => name === value) },
              replace: true,
            })
          }
        />
      </Group>
      <Mutes />
      {alerts.isPending && <Waiting rows={3} height={72} />}
      <Problem error={alerts.error} onRetry={() => void alerts.refetch()} />
      {shown?.length === 0 && (
        <Empty
          icon={show === 'over' ? 'clock' : 'good'}
          title={show === 'over' ? t('overTitle') : t('openTitle')}
          lead={show === 'over' ? t('overLead') : t('openLead')}
        />
      )}
      {shown !== undefined && shown.length > 0 && (
        <ul className={classes.list}>
          {shown.map((alert) => (
            <AlertRow key={alert.id} alert={alert} onMute={() => setMuted(alert)} />
          ))}
        </ul>
      )}
      <More query={alerts} />
      <Suspense>{muted !== null && <MuteDialog alert={muted} onClose={() => setMuted(null)} />}</Suspense>
    </Page>
  );
}
