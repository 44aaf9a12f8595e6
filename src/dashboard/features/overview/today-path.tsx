import { useFormatter, useTranslations } from 'use-intl';
import type { Traffic } from '../../../sdk/index.ts';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Card } from '../../parts/frames/card.tsx';
import classes from './overview.module.css';

const steps = ['queued', 'sent', 'delivered', 'read'] as const;

/** How many messages took each step today. */
export function TodayPath({ traffic }: { traffic: Traffic | undefined }) {
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
