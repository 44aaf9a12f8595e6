import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Card } from '../../parts/frames/card.tsx';
import { usageQuery } from '../../queries/account/usage.ts';
import classes from './overview.module.css';

const warnFrom = 0.8;

/** What is used of the month's messages, and when they begin anew. */
export function QuotaCard() {
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
