import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { todayTrafficQuery } from '../../queries/numbers/traffic.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MonthChart } from './month-chart.tsx';
import { NumbersCard } from './numbers-card.tsx';
import classes from './overview.module.css';
import { QuotaCard } from './quota-card.tsx';
import { TodayPath } from './today-path.tsx';

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
