import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { DayBars } from '../../parts/charts/day-bars.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { monthTrafficQuery } from '../../queries/numbers/traffic.ts';

const layers = [
  { name: 'sent', colour: 'var(--chart-1)' },
  { name: 'received', colour: 'var(--chart-2)' },
  { name: 'failed', colour: 'var(--chart-3)' },
] as const;

/** The last 30 days: what was sent, what came in, what failed. Its days are those of UTC. */
export function MonthChart() {
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
