import { useFormatter, useTranslations } from 'use-intl';
import type { SupportReport } from '../../../../../sdk/index.ts';
import { Card } from '../../../../parts/frames/card.tsx';
import classes from '../support.module.css';

type Day = SupportReport['groups'][number];

const width = 640;
const height = 200;
const floor = 1;
/** Even a day of one conversation can be seen. */
const barMin = 2;

const layers = [
  ['kept', 'var(--chart-1)'],
  ['missed', 'var(--chart-3)'],
] as const;

/** Conversations of each day: those in which every target was kept, and targets that were missed. */
export function ReportChart({ days }: { days: readonly Day[] }) {
  const t = useTranslations('support.report');
  const format = useFormatter();
  const dayName = (day: Day) =>
    format.dateTime(new Date(day.key ?? 0), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const valuesOf = ({ opened, missed }: Day) => {
    const late = Math.min(opened, missed.firstResponse + missed.nextResponse + missed.resolution);
    return { kept: opened - late, missed: late };
  };
  const most = Math.max(1, ...days.map(({ opened }) => opened));
  const step = width / days.length;
  const gap = Math.min(5, step / 4);
  const sums = days.map(valuesOf);
  const total = {
    kept: sums.reduce((sum, { kept }) => sum + kept, 0),
    missed: sums.reduce((sum, { missed }) => sum + missed, 0),
  };
  const legend = (
    <div className={classes.legend}>
      {layers.map(([name, colour]) => (
        <span key={name}>
          <i className={classes.colour} style={{ background: colour }} />
          {t(`chart.${name}`)}
        </span>
      ))}
    </div>
  );
  return (
    <Card title={t('chart.title')} aside={legend}>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('chart.summary', total)}
      >
        <line x1="0" x2={width} y1={height - floor} y2={height - floor} stroke="var(--line)" />
        {days.map((day, index) => {
          const values = valuesOf(day);
          let top = height - floor;
          return (
            <g key={day.key}>
              <title>{`${dayName(day)}: ${t('chart.summary', values)}`}</title>
              <rect x={index * step} y="0" width={step} height={height - floor} fill="transparent" />
              {layers.map(([name, colour]) => {
                const size =
                  values[name] === 0 ? 0 : Math.max(barMin, (values[name] / most) * (height - floor - 8));
                top -= size;
                return (
                  <rect
                    key={name}
                    x={index * step + gap / 2}
                    y={top}
                    width={step - gap}
                    height={size}
                    fill={colour}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <div className={classes.days} aria-hidden="true">
        {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map(
          (day) => day && <span key={day.key}>{dayName(day)}</span>,
        )}
      </div>
    </Card>
  );
}
