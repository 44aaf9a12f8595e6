import { useTranslations } from 'use-intl';
import type { Traffic } from '../../../../sdk/index.ts';
import classes from './sparkline.module.css';

type Hours = NonNullable<Traffic['byNumber']>[number]['data'];

const width = 120;
const height = 24;
const gap = 1;
/** Even an hour of one message can be seen. */
const barMin = 2;

/** The last 24 hours of a number, an hour a bar, against its own busiest hour. */
export function Sparkline({ hours }: { hours: Hours }) {
  const t = useTranslations('numbers');
  const figures = hours.map(({ sent, received }) => sent + received);
  const most = Math.max(1, ...figures);
  const step = width / Math.max(1, hours.length);
  const sum = (name: 'sent' | 'received') => hours.reduce((total, hour) => total + hour[name], 0);
  const label = t('dayOf', { sent: sum('sent'), received: sum('received') });
  return (
    <svg className={classes.spark} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {hours.map(({ at }, index) => {
        const figure = figures[index] ?? 0;
        const bar = figure === 0 ? 1 : Math.max(barMin, (figure / most) * height);
        return (
          <rect
            key={at}
            data-lit={figure > 0}
            x={index * step}
            y={height - bar}
            width={step - gap}
            height={bar}
          />
        );
      })}
    </svg>
  );
}
