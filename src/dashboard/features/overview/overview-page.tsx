import { Box, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { Alert, PhoneNumber, Traffic } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { aboutOf, alertExplanation } from '../../parts/alerts.tsx';
import { DayBars } from '../../parts/day-bars.tsx';
import { Problem, Status, type Tone, Waiting } from '../../parts/feedback.tsx';
import { Card, Page } from '../../parts/frames/page.tsx';
import { Figure } from '../../parts/hint.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { Meter } from '../../parts/values/meter.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { usageQuery } from '../../queries/account.ts';
import { alertsChanged, useOpenAlerts } from '../../queries/alerts.ts';
import { monthTrafficQuery, numbersQuery, todayTrafficQuery, useNumberLabel } from '../../queries/numbers.ts';
import { FirstSteps } from './first-steps.tsx';
import classes from './overview.module.css';

/** How everything is, on one screen: what to do first, what wants a person, today, the month. */
export default function OverviewPage() {
  const t = useTranslations('overview');
  const today = useQuery(todayTrafficQuery());
  return (
    <Page title={t('title')}>
      <FirstSteps />
      <Attention />
      <Problem error={today.error} onRetry={() => void today.refetch()} />
      <div className={classes.grid}>
        <TodayPath traffic={today.data} />
        <QuotaCard />
        <MonthChart />
        <NumbersCard />
      </div>
    </Page>
  );
}

const steps = ['queued', 'sent', 'delivered', 'read'] as const;

/** How many messages took each step today. */
function TodayPath({ traffic }: { traffic: Traffic | undefined }) {
  const t = useTranslations('overview');
  const status = useTranslations('common.status');
  const format = useFormatter();
  if (traffic === undefined) return <Waiting rows={1} height={150} />;
  const total = (step: keyof Omit<Traffic['data'][number], 'at'>) =>
    traffic.data.reduce((sum, hour) => sum + hour[step], 0);
  const failed = total('failed');
  const aside = (
    <div className={classes.aside}>
      <span data-bad={failed > 0}>
        {status('failed')} <b>{format.number(failed)}</b>
      </span>
      <span>
        {status('received')} <b>{format.number(total('received'))}</b>
      </span>
    </div>
  );
  return (
    <Card title={t('today')} aside={aside}>
      <div className={classes.steps}>
        {steps.map((step) => (
          <div key={step} className={classes.step} data-lit={total(step) > 0}>
            <i className={classes.light} aria-hidden="true" />
            <Figure span>{format.number(total(step))}</Figure>
            <Text span c="dimmed">
              {status(step)}
            </Text>
          </div>
        ))}
      </div>
    </Card>
  );
}

const warnFrom = 0.8;

/** What is used of the month's messages, and when they begin anew. */
function QuotaCard() {
  const t = useTranslations('overview');
  const format = useFormatter();
  const { data: usage } = useQuery(usageQuery);
  if (usage === undefined) return <Waiting rows={1} height={150} />;
  const { used, limit, resetAt } = usage;
  return (
    <Card title={t('quota')}>
      <div>
        <Figure span>{format.number(used)}</Figure>{' '}
        <Text span c="dimmed">
          {limit === null ? t('noLimit') : t('ofLimit', { limit })}
        </Text>
      </div>
      {limit !== null && <Meter share={used / limit} warnFrom={warnFrom} height={8} />}
      <Text c="dimmed">
        {t('resets', { date: format.dateTime(new Date(resetAt), { day: 'numeric', month: 'long' }) })}
      </Text>
    </Card>
  );
}

const layers = [
  { name: 'sent', colour: 'var(--chart-1)' },
  { name: 'received', colour: 'var(--chart-2)' },
  { name: 'failed', colour: 'var(--chart-3)' },
] as const;

/** The last 30 days: what was sent, what came in, what failed. Its days are those of UTC. */
function MonthChart() {
  const t = useTranslations('overview');
  const common = useTranslations('common');
  const status = useTranslations('common.status');
  const { data: traffic } = useQuery(monthTrafficQuery);
  if (traffic === undefined) return <Waiting rows={1} height={260} />;
  return (
    <DayBars
      title={common('last30Days')}
      layers={layers.map(({ name, colour }) => ({ name, colour, label: status(name) }))}
      days={traffic.data.map(({ at, sent, received, failed }) => ({
        at,
        values: { sent, received, failed },
      }))}
      summary={(values) => t('monthSummary', values)}
    />
  );
}

const shown = 5;
const rank: Record<PhoneNumber['state'], number> = {
  banned: 0,
  logged_out: 1,
  disconnected: 2,
  pairing: 3,
  unpaired: 4,
  connected: 5,
};
const tones: Record<PhoneNumber['state'], Tone> = {
  banned: 'red',
  logged_out: 'red',
  disconnected: 'amber',
  pairing: 'blue',
  unpaired: 'grey',
  connected: 'green',
};

/** The numbers, those in trouble first. */
function NumbersCard() {
  const t = useTranslations('overview');
  const words = useTranslations('numbers');
  const { data: numbers } = useQuery(numbersQuery);
  if (numbers === undefined) return <Waiting rows={1} height={190} />;
  const first = numbers.toSorted((a, b) => rank[a.state] - rank[b.state]).slice(0, shown);
  return (
    <Card title={words('title')} aside={<Link to="/numbers">{t('all', { count: numbers.length })}</Link>}>
      {numbers.length === 0 && <Text c="dimmed">{words('emptyTitle')}</Text>}
      <ul className={classes.list}>
        {first.map(({ numberId, label, state, health }) => (
          <li key={numberId}>
            <Link to="/numbers/$numberId" params={{ numberId }}>
              {label}
            </Link>
            {state === 'connected' && health !== 'healthy' ? (
              <Status tone="amber">{words(`health.${health}`)}</Status>
            ) : (
              <Status tone={tones[state]}>{words(`state.${state}`)}</Status>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const alertsShown = 3;

/** What lasts and wants a person; what somebody has said to know of is not shown again. */
function Attention() {
  const t = useTranslations('overview');
  const common = useTranslations('common');
  const open = useOpenAlerts().filter(({ acknowledgedAt }) => acknowledgedAt === null);
  if (open.length === 0) return null;
  return (
    <Stack component="section" gap={8} aria-label={t('attention')}>
      {open.slice(0, alertsShown).map((alert) => (
        <OpenAlert key={alert.id} alert={alert} />
      ))}
      {open.length > alertsShown && (
        <Text c="dimmed">{t('moreAlerts', { count: open.length - alertsShown })}</Text>
      )}
      <p>
        <Link to="/alerts">{common('allAlerts')}</Link>
      </p>
    </Stack>
  );
}

function OpenAlert({ alert }: { alert: Alert }) {
  const t = useTranslations('common');
  const alerts = useTranslations('alerts');
  const acknowledge = useMutation({
    mutationFn: () => gateway.alerts.acknowledge(alert.id),
    onSuccess: alertsChanged,
  });
  const { thing, id } = aboutOf(alert);
  const label = useNumberLabel()(id);
  return (
    <>
      <Group gap={10} p="10px 14px" bg="var(--amber-tint)" bdrs="md">
        <Box component="span" display="inline-flex" c="var(--amber)">
          <Icon name="warning" />
        </Box>
        <Text flex={1}>
          {thing === 'number' && label !== undefined && <b>{`${label}: `}</b>}
          {alertExplanation(alert, alerts)}{' '}
          <Text span c="dimmed">
            <Moment at={alert.at} ago />
          </Text>
        </Text>
        <SmallButton loading={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
          {t('acknowledge')}
        </SmallButton>
      </Group>
      <Problem error={acknowledge.error} />
    </>
  );
}
