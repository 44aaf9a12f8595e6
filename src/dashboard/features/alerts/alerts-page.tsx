import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { minuteMs } from '../../../contract/times.ts';
import type { Alert, AlertMute } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import { aboutOf, alertExplanation, kindName, toneOf } from '../../parts/alerts.tsx';
import { Empty, More, Problem, QueryState } from '../../parts/feedback.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { alertsChanged, alertsQuery, mutesQuery } from '../../queries/alerts.ts';
import { useNumberLabel } from '../../queries/numbers.ts';
import classes from './alerts.module.css';

const MuteDialog = lazy(() => import('./mute-dialog.tsx'));

const shows = ['open', 'over', 'all'] as const;
const isOpen = { open: true, over: false, all: undefined } as const;

/** What needs a person: what, since when, what to do, and who knows of it. */
export default function AlertsPage() {
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
      <QueryState query={alerts} rows={3} height={72} />
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

/** What the channels are not told of for a while; nothing where there is none. */
function Mutes() {
  const t = useTranslations('alerts.mutes');
  const { data: mutes = [] } = useQuery(mutesQuery);
  if (mutes.length === 0) return null;
  return (
    <Group component="ul" gap={8} aria-label={t('title')}>
      {mutes.map((mute) => (
        <Muted key={mute.id} mute={mute} />
      ))}
    </Group>
  );
}

function Muted({ mute }: { mute: AlertMute }) {
  const t = useTranslations('alerts.mutes');
  const what = useMuted(mute);
  const end = useMutation({
    mutationFn: () => gateway.alertMutes.delete(mute.id),
    onSuccess: alertsChanged,
  });
  return (
    <li className={classes.muted}>
      <span>
        {t('mutedUntil', { what })} <Moment at={mute.until} />
      </span>
      <Button size="compact-xs" variant="default" loading={end.isPending} onClick={() => end.mutate()}>
        {t('end')}
      </Button>
      <Problem error={end.error} />
    </li>
  );
}

/** In words: which alerts are muted. */
function useMuted({ kind, numberId }: AlertMute): string {
  const t = useTranslations('alerts.mutes');
  const common = useTranslations('common');
  const kinds = useTranslations('alerts.kinds');
  const number = useNumberLabel()(numberId) ?? t('goneNumber');
  if (kind === null) return numberId === null ? common('allAlerts') : t('allOfNumber', { number });
  const name = kinds(kindName(kind));
  return numberId === null ? name : t('ofNumber', { kind: name, number });
}

const icons: Record<ReturnType<typeof toneOf>, IconName> = { green: 'good', red: 'bad', amber: 'warning' };

/** One trouble, and what can be done about it. */
function AlertRow({ alert, onMute }: { alert: Alert; onMute: () => void }) {
  const t = useTranslations('alerts');
  const common = useTranslations('common');
  const acknowledge = useMutation({
    mutationFn: () => gateway.alerts.acknowledge(alert.id),
    onSuccess: alertsChanged,
  });
  const { thing, id } = aboutOf(alert);
  const label = useNumberLabel()(id);
  const { at, endedAt, acknowledgedBy, detail } = alert;
  return (
    <li className={classes.alert} data-tone={toneOf(alert)}>
      <span className={classes.icon}>
        <Icon name={icons[toneOf(alert)]} />
      </span>
      <Stack gap={4} miw={0}>
        <p className={classes.what}>
          {label !== undefined && <b>{label}</b>} {alertExplanation(alert, t)}
        </p>
        {typeof detail.lastError === 'string' && detail.lastError !== '' && (
          <p className={classes.reason}>{detail.lastError}</p>
        )}
        <Group component="p" gap="2px 16px" align="stretch" c="dimmed" fz="xs">
          <span>
            {common('since')} <Moment at={at} />
          </span>
          {endedAt !== null && endedAt !== at && <Lasted ms={Date.parse(endedAt) - Date.parse(at)} />}
          {acknowledgedBy !== null && <span>{t('known', { email: acknowledgedBy })}</span>}
          <GoTo thing={thing} id={id} isThere={thing !== 'number' || label !== undefined} />
        </Group>
        <Problem error={acknowledge.error} />
      </Stack>
      {endedAt === null && (
        <div className={classes.actions}>
          {acknowledgedBy === null && (
            <SmallButton loading={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
              {common('acknowledge')}
            </SmallButton>
          )}
          <SmallButton onClick={onMute}>{t('mute')}</SmallButton>
        </div>
      )}
    </li>
  );
}

/** In the largest unit that fits. */
function Lasted({ ms }: { ms: number }) {
  const t = useTranslations('alerts');
  const common = useTranslations('common');
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  const duration =
    minutes < 120
      ? common('minutes', { count: minutes })
      : minutes < 48 * 60
        ? common('hours', { count: Math.round(minutes / 60) })
        : common('days', { count: Math.round(minutes / 1440) });
  return <span>{t('lasted', { duration })}</span>;
}

/** The page that helps, where there is one. */
function GoTo({ thing, id, isThere }: { thing: string; id: string; isThere: boolean }): ReactNode {
  const t = useTranslations('alerts.goTo');
  const isOperator = useStore(session.current)?.isOperator === true;
  if (!isThere) return null;
  if (thing === 'number') {
    return (
      <Link to="/numbers/$numberId" params={{ numberId: id }}>
        {t('number')}
      </Link>
    );
  }
  if (thing === 'webhook') {
    return (
      <Link to="/developer/webhooks/$webhookId" params={{ webhookId: id }}>
        {t('webhook')}
      </Link>
    );
  }
  if (thing === 'quota') return <Link to="/">{t('quota')}</Link>;
  if (thing === 'bridge' || thing === 'region') {
    return isOperator ? (
      <Link to="/operator/bridges">{t('bridges')}</Link>
    ) : (
      <Link to="/numbers">{t('numbers')}</Link>
    );
  }
  if (thing === 'conversation') return <a href={`/inbox/${id}`}>{t('conversation')}</a>;
  if (thing === 'campaign') return <a href={`/campaigns/${id}`}>{t('campaign')}</a>;
  return null;
}
