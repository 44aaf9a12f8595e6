import { useTranslations } from 'use-intl';
import type { SupportReport } from '../../../../../sdk/index.ts';
import { DayBars } from '../../../../parts/charts/day-bars.tsx';

type Day = SupportReport['groups'][number];

const layers = [
  { name: 'kept', colour: 'var(--chart-1)' },
  { name: 'missed', colour: 'var(--chart-3)' },
] as const;

function valuesOf({ opened, missed }: Day) {
  const late = Math.min(opened, missed.firstResponse + missed.nextResponse + missed.resolution);
  return { kept: opened - late, missed: late };
}

/** Conversations of each day: those in which every target was kept, and targets that were missed. */
export function ReportChart({ days }: { days: readonly Day[] }) {
  const t = useTranslations('support.report.chart');
  return (
    <DayBars
      title={t('title')}
      layers={layers.map(({ name, colour }) => ({ name, colour, label: t(name) }))}
      days={days.flatMap((day) => (day.key === null ? [] : { at: day.key, values: valuesOf(day) }))}
      summary={(values) => t('summary', values)}
    />
  );
}
