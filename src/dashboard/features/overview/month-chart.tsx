import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { Traffic } from '../../../sdk/index.ts';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Card } from '../../parts/frames/card.tsx';
import { monthTrafficQuery } from '../../queries/numbers/traffic.ts';
import classes from './overview.module.css';

const layers = [
  ['sent', 'var(--chart-1)'],
  ['received', 'var(--chart-2)'],
  ['failed', 'var(--chart-3)'],
] as const;

const width = 640;
const height = 230;
const floor = 1;
const gap = 5;
/** Even a day of one message can be seen. */
const barMin = 2;

/** The last 30 days: what was sent, what came in, what failed. */
export function MonthChart() {
  const t = useTranslations('overview');
  const status = useTranslations('common.status');
  const { data: traffic } = useQuery(monthTrafficQuery);
  const dayName = useDayName();
  if (traffic === undefined) return <Waiting rows={1} height={260} />;
  const legend = (
    <div className={classes.legend}>
      {layers.map(([name, colour]) => (
        <span key={name}>
          <i className={classes.colour} style={{ background: colour }} />
          {status(name)}
        </span>
      ))}
    </div>
  );
  return (
    <Card title={t('month')} aside={legend}>
      <Bars days={traffic.data} />
      <div className={classes.days} aria-hidden="true">
        {[traffic.data[0], traffic.data[Math.floor(traffic.data.length / 2)], traffic.data.at(-1)].map(
          (day) => day && <span key={day.at}>{dayName(day.at)}</span>,
        )}
      </div>
    </Card>
  );
}

function Bars({ days }: { days: Traffic['data'] }) {
  const t = useTranslations('overview');
  const totalOf = (day: Traffic['data'][number]) => layers.reduce((sum, [name]) => sum + day[name], 0);
  const most = Math.max(1, ...days.map(totalOf));
  const sums = layers.map(([name]) => days.reduce((sum, day) => sum + day[name], 0));
  const step = width / days.length;
  const dayName = useDayName();
  const [sent = 0, received = 0, failed = 0] = sums;
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('monthSummary', { sent, received, failed })}
    >
      <line x1="0" x2={width} y1={height - floor} y2={height - floor} stroke="var(--line)" />
      {days.map((day, index) => {
        let top = height - floor;
        return (
          <g key={day.at}>
            <title>
              {`${dayName(day.at)}: ${t('monthSummary', { sent: day.sent, received: day.received, failed: day.failed })}`}
            </title>
            <rect x={index * step} y="0" width={step} height={height - floor} fill="transparent" />
            {layers.map(([name, colour]) => {
              const size = day[name] === 0 ? 0 : Math.max(barMin, (day[name] / most) * (height - floor - 8));
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
  );
}

/** Its days are those of UTC. */
function useDayName() {
  const format = useFormatter();
  return (at: string) => format.dateTime(new Date(at), { day: 'numeric', month: 'short', timeZone: 'UTC' });
}
