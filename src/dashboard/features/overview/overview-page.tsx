import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { PhoneNumber, Traffic } from '../../../sdk/index.ts';
import { DayBars } from '../../parts/charts/day-bars.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Status, type Tone } from '../../parts/feedback/status.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Card } from '../../parts/frames/card.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { usageQuery } from '../../queries/account/usage.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import { monthTrafficQuery, todayTrafficQuery } from '../../queries/numbers/traffic.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import classes from './overview.module.css';

/** How everything is, on one screen: what to do first, what wants a person, today, the month. */
export function OverviewPage() {
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
            <span className={classes.figure}>{format.number(total(step))}</span>
            <span className={classes.quiet}>{status(step)}</span>
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
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'red' : share >= warnFrom ? 'amber' : 'ink';
  return (
    <Card title={t('quota')}>
      <div>
        <span className={classes.figure}>{format.number(used)}</span>{' '}
        <span className={classes.quiet}>{limit === null ? t('noLimit') : t('ofLimit', { limit })}</span>
      </div>
      {limit !== null && (
        <div className={classes.meter} data-tone={tone} aria-hidden="true">
          <i className={classes.used} style={{ width: `${share * 100}%` }} />
        </div>
      )}
      <p className={classes.quiet}>
        {t('resets', { date: format.dateTime(new Date(resetAt), { day: 'numeric', month: 'long' }) })}
      </p>
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
  const status = useTranslations('common.status');
  const { data: traffic } = useQuery(monthTrafficQuery);
  if (traffic === undefined) return <Waiting rows={1} height={260} />;
  return (
    <DayBars
      title={t('month')}
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
      {numbers.length === 0 && <p className={classes.quiet}>{words('emptyTitle')}</p>}
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
